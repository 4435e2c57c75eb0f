//! The table of HPAs: one line each.

use hpa_engine::model::HpaKey;
use hpa_explain::{Action, replicas_in_a_cell};
use hpa_watch::MetricPoint;
use hpa_words::clock::rough;
use jiff::SignedDuration;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use super::{
    charts,
    cx::{DrawContext, HpaRow},
    lists::alarm_role,
    palette::ScreenRole,
    rows::{SortColumn, Sorting, is_urgent},
    text::{cut_middle, draw_line, pad},
};

/// The visible rows of the table.
pub(super) struct VisibleRows<'r, 'a> {
    pub(super) rows: &'r [HpaRow<'a>],
    /// The first visible row.
    pub(super) top: usize,
    /// The number of visible rows.
    pub(super) visible: usize,
    pub(super) chosen: Option<&'r HpaKey>,
    pub(super) sorting: Sorting,
    /// The span of the charts.
    pub(super) minutes: i64,
}

/// Draws the table: its heading, and below it the rows.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    table: &VisibleRows<'_, '_>,
) {
    let is_wide = SPARKLINE_FROM <= buffer.area.width;
    let columns = ScreenColumns::new(area.width.into(), table.rows, is_wide);
    let heading = columns.line(&columns.heading(cx, table));
    let style = cx.style(ScreenRole::Title);
    draw_line(buffer, area, 0, &Line::styled(heading, style));
    let seen = table.rows.iter().skip(table.top).take(table.visible);
    let mut before: Option<&HpaKey> = None;
    for (row, hpa_row) in (1..).zip(seen) {
        let is_chosen = table.chosen == Some(hpa_row.key);
        let is_first = before.is_none_or(|before| before.namespace != hpa_row.key.namespace);
        let name = if columns.has_one_namespace || table.sorting.is_grouped && !is_first {
            let indent = if columns.has_one_namespace { "" } else { "  " };
            format!("{indent}{}", hpa_row.key.name)
        } else {
            hpa_row.key.to_string()
        };
        before = Some(hpa_row.key);
        let line = line(
            &cx.of(hpa_row),
            &columns,
            hpa_row,
            &name,
            is_chosen,
            table.minutes,
        );
        draw_line(buffer, area, row, &line);
        if is_chosen {
            let whole = Rect::new(area.x, area.y + row, area.width, 1);
            buffer.set_style(
                whole.intersection(buffer.area),
                cx.style(ScreenRole::Chosen),
            );
        }
    }
}

/// Draws the last line of the table: which rows are visible, and whether urgent ones are not.
pub(super) fn draw_footer(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    table: &VisibleRows<'_, '_>,
) {
    let (all, top) = (table.rows.len(), table.top);
    let end = (top + table.visible).min(all);
    let [up, down] = cx.glyphs().more;
    let up = if 0 < top { up } else { "" };
    let down = if end < all { down } else { "" };
    let mut text = format!("    {}-{end} of {all} {up}{down}", top + 1);
    let urgent = |rows: &[HpaRow<'_>]| rows.iter().filter(|row| is_urgent(row)).count();
    let above = urgent(&table.rows[..top]);
    let below = urgent(&table.rows[end..]);
    for (number, place) in [(above, "above"), (below, "below")] {
        if 0 < number {
            text.push_str(&format!(" {} {number} urgent {place}", cx.glyphs().dot));
        }
    }
    let role = if above + below == 0 {
        ScreenRole::Dim
    } else {
        ScreenRole::Strong
    };
    let text = cx.cut(&text, area.width.into());
    let last = area.height.saturating_sub(1);
    draw_line(buffer, area, last, &Line::from(cx.span(role, &text)));
}

/// The widths of the table's columns.
struct ScreenColumns {
    has_one_namespace: bool,
    name: usize,
    replicas: usize,
    bounds: usize,
    ready: usize,
    metric: usize,
    answer: usize,
    sparkline: usize,
    alarms: usize,
    changed: usize,
}

impl ScreenColumns {
    /// Divides `width`. If it is too narrow for all, the least important columns are dropped; the remaining width goes
    /// to the columns with the longest texts.
    fn new(width: usize, rows: &[HpaRow<'_>], has_sparkline: bool) -> Self {
        let mut namespaces = rows.iter().map(|hpa_row| &hpa_row.key.namespace);
        let first = namespaces.next();
        let has_one_namespace = namespaces.all(|namespace| Some(namespace) == first);
        let longest = rows
            .iter()
            .map(|hpa_row| {
                let namespace = hpa_row.key.namespace.width() + 1;
                hpa_row.key.name.width() + if has_one_namespace { 0 } else { namespace }
            })
            .max()
            .unwrap_or_default()
            .max(LEAST_NAME);
        let mut columns = Self {
            has_one_namespace,
            name: LEAST_NAME,
            replicas: 9,
            bounds: 0,
            ready: 5,
            metric: 13,
            answer: 10,
            sparkline: 0,
            alarms: 3,
            changed: 0,
        };
        if width < 66 {
            columns.ready = 0;
        }
        if width < 57 {
            columns.metric = 0;
        }
        let mut spare = width.saturating_sub(columns.all());
        let mut grow = |column: &mut usize, most: usize| {
            let gap = if *column == 0 { GAP } else { 0 };
            let more = most.saturating_sub(*column).min(spare.saturating_sub(gap));
            if more != 0 {
                *column += more;
                spare -= more + gap;
            }
        };
        grow(&mut columns.answer, 15);
        grow(&mut columns.name, longest.min(14));
        grow(&mut columns.answer, LONGEST_ANSWER);
        if has_sparkline {
            grow(&mut columns.sparkline, 8);
        }
        grow(&mut columns.name, longest.min(24));
        grow(&mut columns.answer, 24);
        if 90 <= width {
            grow(&mut columns.bounds, 7);
            grow(&mut columns.changed, 8);
        }
        if has_sparkline {
            grow(&mut columns.sparkline, 16);
        }
        grow(&mut columns.metric, 22);
        grow(&mut columns.name, longest.min(40));
        if 90 <= width {
            grow(&mut columns.alarms, 21);
        }
        if has_sparkline {
            grow(&mut columns.sparkline, 30);
        }
        grow(&mut columns.metric, 34);
        grow(&mut columns.answer, 32);
        grow(&mut columns.name, longest);
        columns
    }

    fn all(&self) -> usize {
        let widths = self.widths();
        let used = widths.iter().filter(|width| **width != 0);
        MARKS + used.map(|width| width + GAP).sum::<usize>()
    }

    fn widths(&self) -> [usize; 9] {
        [
            self.name,
            self.replicas,
            self.bounds,
            self.ready,
            self.metric,
            self.answer,
            self.sparkline,
            self.alarms,
            self.changed,
        ]
    }

    /// The titles; the sort column has a mark.
    fn heading(&self, cx: &DrawContext<'_>, table: &VisibleRows<'_, '_>) -> [String; 9] {
        let alarms = if self.alarms < 10 { "!" } else { "alarms" };
        let span = rough(cx.seen_span(table.minutes));
        let mut titles = [
            "HPA", "replicas", "min-max", "ready", "metric", "answer", &span, alarms, "changed",
        ]
        .map(str::to_owned);
        let Sorting {
            column,
            is_reversed,
            ..
        } = table.sorting;
        let sorted = match column {
            SortColumn::Name => 0,
            SortColumn::Replicas => 1,
            SortColumn::Ratio => 4,
            SortColumn::Urgency => 7,
            SortColumn::Changed => 8,
        };
        titles[sorted].push_str(cx.glyphs().sorted[usize::from(is_reversed)]);
        titles
    }

    /// Joins the cells of a line.
    fn line(&self, cells: &[String; 9]) -> String {
        let mut line = " ".repeat(MARKS);
        for (cell, width) in cells.iter().zip(self.widths()) {
            if width != 0 {
                line.push_str(&pad(super::text::head(cell, width), width));
                line.push_str(&" ".repeat(GAP));
            }
        }
        line
    }
}

fn line(
    cx: &DrawContext<'_>,
    columns: &ScreenColumns,
    hpa_row: &HpaRow<'_>,
    name: &str,
    is_chosen: bool,
    minutes: i64,
) -> Line<'static> {
    let glyphs = cx.glyphs();
    let text_role = if hpa_row.deleted_at.is_some() || hpa_row.entry.is_none() {
        ScreenRole::Dim
    } else {
        ScreenRole::Text
    };
    let (mark, mark_role) = action_mark(cx, hpa_row);
    let chosen = if is_chosen { glyphs.chosen } else { " " };
    let mut spans = vec![
        cx.span(text_role, &format!("{chosen} ")),
        Span::styled(mark, cx.style(mark_role)),
        Span::raw(" "),
    ];
    let mut push = |role: ScreenRole, text: String, width: usize| {
        if width != 0 {
            let text = pad(&cx.cut(&text, width), width + GAP);
            spans.push(Span::styled(text, cx.style(role)));
        }
    };
    let name = cut_middle(&cx.clean(name), columns.name, glyphs.ellipsis);
    push(text_role, name, columns.name);
    push(
        replicas_role(hpa_row),
        replicas(cx, hpa_row),
        columns.replicas,
    );
    push(text_role, bounds(hpa_row), columns.bounds);
    let (ready_role, ready) = ready(hpa_row);
    push(ready_role, ready, columns.ready);
    let (metric_role, metric) = metric(cx, hpa_row, columns.metric);
    push(metric_role, metric, columns.metric);
    push(hpa_row.severity(), answer(cx, hpa_row), columns.answer);
    if let Ok(width @ 1..) = u16::try_from(columns.sparkline) {
        let text = charts::sparkline(cx, hpa_row, minutes, width);
        push(ScreenRole::Limit, text, columns.sparkline);
    }
    let alarms = alarms(hpa_row, columns.alarms);
    let kinds = hpa_row.alarm_kinds();
    let alarm_role = kinds.min().map_or(ScreenRole::Text, alarm_role);
    if columns.alarms != 0 {
        let text = cx.cut(&alarms, columns.alarms);
        let rest = columns.alarms + GAP - text.width().min(columns.alarms + GAP);
        spans.push(Span::styled(text, cx.style(alarm_role)));
        spans.push(Span::raw(" ".repeat(rest)));
    }
    if columns.changed != 0 {
        let changed = hpa_row.changed_at().map_or_else(String::new, |at| {
            rough(-cx.until(at).min(SignedDuration::ZERO))
        });
        spans.push(cx.span(text_role, &pad(&changed, columns.changed)));
    }
    Line::from(spans)
}

fn action_mark(cx: &DrawContext<'_>, hpa_row: &HpaRow<'_>) -> (&'static str, ScreenRole) {
    let Some(entry) = hpa_row.entry.filter(|_| hpa_row.deleted_at.is_none()) else {
        return (" ", ScreenRole::Dim);
    };
    let role = match entry.action {
        Action::Disabled | Action::Hold => ScreenRole::Dim,
        Action::Failed => ScreenRole::Error,
        Action::Unknown => ScreenRole::Warning,
        Action::ScaleDown | Action::ScaleUp => ScreenRole::Good,
    };
    (cx.glyphs().action(entry.action), role)
}

fn replicas_role(hpa_row: &HpaRow<'_>) -> ScreenRole {
    match hpa_row.entry.map(|entry| entry.action) {
        _ if hpa_row.deleted_at.is_some() => ScreenRole::Dim,
        Some(Action::ScaleDown | Action::ScaleUp) => ScreenRole::Good,
        _ => ScreenRole::Strong,
    }
}

/// As `list` shows them.
fn replicas(cx: &DrawContext<'_>, hpa_row: &HpaRow<'_>) -> String {
    if hpa_row.deleted_at.is_some() {
        return "gone".to_owned();
    }
    let (range, written) = hpa_row
        .entry
        .map_or((None, None), |entry| (entry.range, entry.written));
    replicas_in_a_cell(hpa_row.replicas(), range, written, cx.glyphs().arrow)
}

fn bounds(hpa_row: &HpaRow<'_>) -> String {
    hpa_row
        .entry
        .map_or_else(String::new, |entry| format!("{}-{}", entry.min, entry.max))
}

/// Pods that are not ready may get ready by themselves.
fn ready(hpa_row: &HpaRow<'_>) -> (ScreenRole, String) {
    let Some(entry) = hpa_row.entry else {
        return (ScreenRole::Text, String::new());
    };
    let role = if entry.pods.ready < entry.pods.all {
        ScreenRole::Warning
    } else {
        ScreenRole::Text
    };
    (role, format!("{}/{}", entry.pods.ready, entry.pods.all))
}

/// `cpu 85/60%`, and `+2` for two more metrics.
fn metric(cx: &DrawContext<'_>, hpa_row: &HpaRow<'_>, width: usize) -> (ScreenRole, String) {
    let Some(metric) = hpa_row.winner() else {
        return (ScreenRole::Dim, String::new());
    };
    let others = hpa_row
        .entry
        .map_or(0, |entry| entry.metrics.len().saturating_sub(1));
    let is_failed = metric.failure.is_some();
    let mut text = if is_failed {
        format!("{} failed", cx.glyphs().cross)
    } else {
        short_against(metric)
    };
    if 0 < others && 20 <= width {
        text.push_str(&format!(" +{others}"));
    }
    let room = width.saturating_sub(text.width() + 1).max(5);
    let name = cx.cut(&metric.name, room);
    let role = if is_failed {
        ScreenRole::Error
    } else {
        ScreenRole::Text
    };
    (role, format!("{name} {text}"))
}

/// `85/60%`: the unit once if both have the same.
pub(super) fn against(metric: &MetricPoint) -> String {
    let value = metric.value.as_deref().unwrap_or("?");
    let target = metric.target.as_deref().unwrap_or("?");
    match (value.split_once(' '), target.split_once(' ')) {
        (Some((number, unit)), Some((_, same))) if unit == same => format!("{number}/{target}"),
        _ => format!("{value}/{target}"),
    }
}

/// The same without units of several letters: `4.667/10`.
fn short_against(metric: &MetricPoint) -> String {
    let short = |text: &str| match text.split_once(' ') {
        Some((number, unit)) if 3 < unit.width() => number.to_owned(),
        _ => text.to_owned(),
    };
    against(&MetricPoint {
        value: metric.value.as_deref().map(short),
        target: metric.target.as_deref().map(short),
        ..metric.clone()
    })
}

/// The verdict in the words of `list`.
fn answer(cx: &DrawContext<'_>, hpa_row: &HpaRow<'_>) -> String {
    if let Some(deleted) = hpa_row.deleted_at {
        return format!("since {}", cx.clock().time(deleted));
    }
    hpa_row.entry.map_or_else(
        || "not seen then".to_owned(),
        |entry| entry.answer.at(&cx.clock()),
    )
}

/// `!2`, or with the kinds if there is room.
fn alarms(hpa_row: &HpaRow<'_>, width: usize) -> String {
    let count = hpa_row.alarms().len();
    match hpa_row.alarm_kinds().next() {
        None => String::new(),
        Some(_) if width < 10 => format!("!{count}"),
        Some(first) if count == 1 => format!("! {}", first.as_str()),
        Some(first) => format!("! {} +{}", first.as_str(), count - 1),
    }
}

/// The mark of the chosen row, a blank, the action, a blank.
const MARKS: usize = 4;
const GAP: usize = 1;
const LEAST_NAME: usize = 8;

/// `window until 05:12:32?`.
const LONGEST_ANSWER: usize = 22;

/// Screens with this many columns show a sparkline of the replicas in each row.
const SPARKLINE_FROM: u16 = 120;
