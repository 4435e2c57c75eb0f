//! The table of HPAs: one line each.

use super::text::draw_line;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use super::{
    cx::{DrawContext, HpaRow},
    palette::ScreenRole,
    text::{cut_middle, pad},
};
use crate::{
    explain::{Action, clock::rough},
    model::HpaKey,
    watch::MetricPoint,
};

/// Draws the table: its heading, and below it `rows` from `top` on.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    rows: &[HpaRow<'_>],
    top: usize,
    chosen: Option<&HpaKey>,
) {
    let columns = ScreenColumns::new(area.width.into(), rows);
    let heading = columns.line(&columns.heading());
    let style = cx.style(ScreenRole::Title);
    draw_line(buffer, area, 0, &Line::styled(heading, style));
    let visible = usize::from(area.height.saturating_sub(1));
    for (row, hpa_row) in (1..).zip(rows.iter().skip(top).take(visible)) {
        let is_chosen = chosen == Some(hpa_row.key);
        let line = line(&cx.of(hpa_row), &columns, hpa_row, is_chosen);
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

/// Columns of the screen that the columns of the table have.
struct ScreenColumns {
    has_one_namespace: bool,
    name: usize,
    replicas: usize,
    bounds: usize,
    ready: usize,
    metric: usize,
    rule: usize,
    alarms: usize,
    changed: usize,
}

impl ScreenColumns {
    /// Divides `width`. Where it is too narrow for all, the least important columns go; what is left over goes to those
    /// that have most to say.
    fn new(width: usize, rows: &[HpaRow<'_>]) -> Self {
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
            replicas: 8,
            bounds: 7,
            ready: 5,
            metric: 14,
            rule: 14,
            alarms: 3,
            changed: 0,
        };
        if width < 66 {
            columns.rule = 0;
        }
        if width < 54 {
            columns.bounds = 0;
            columns.ready = 0;
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
        grow(&mut columns.name, longest.min(24));
        if 80 < width {
            grow(&mut columns.changed, 7);
        }
        if 66 <= width {
            grow(&mut columns.rule, 20);
        }
        grow(&mut columns.metric, 22);
        grow(&mut columns.name, longest.min(40));
        if 80 < width {
            grow(&mut columns.alarms, 21);
        }
        grow(&mut columns.rule, 32);
        grow(&mut columns.metric, 34);
        grow(&mut columns.name, longest);
        columns
    }

    fn all(&self) -> usize {
        let widths = self.widths();
        let used = widths.iter().filter(|width| **width != 0);
        MARKS + used.map(|width| width + GAP).sum::<usize>()
    }

    fn widths(&self) -> [usize; 8] {
        [
            self.name,
            self.replicas,
            self.bounds,
            self.ready,
            self.metric,
            self.rule,
            self.alarms,
            self.changed,
        ]
    }

    fn heading(&self) -> [String; 8] {
        let alarms = if self.alarms < 10 { "!" } else { "alarms" };
        [
            "HPA",
            "replicas",
            "min-max",
            "ready",
            "metric",
            "decided by",
            alarms,
            "changed",
        ]
        .map(str::to_owned)
    }

    /// Puts cells beside each other.
    fn line(&self, cells: &[String; 8]) -> String {
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
    is_chosen: bool,
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
    let name = if columns.has_one_namespace {
        hpa_row.key.name.clone()
    } else {
        hpa_row.key.to_string()
    };
    let name = cut_middle(&cx.clean(&name), columns.name, glyphs.ellipsis);
    push(text_role, name, columns.name);
    push(
        replicas_role(hpa_row),
        replicas(cx, hpa_row),
        columns.replicas,
    );
    push(text_role, bounds(hpa_row), columns.bounds);
    push(text_role, ready(hpa_row), columns.ready);
    let (metric_role, metric) = metric(cx, hpa_row, columns.metric);
    push(metric_role, metric, columns.metric);
    push(text_role, rule(cx, hpa_row), columns.rule);
    let alarms = alarms(hpa_row, columns.alarms);
    let alarm_role = if alarms.is_empty() {
        ScreenRole::Text
    } else {
        ScreenRole::Badge
    };
    if columns.alarms != 0 {
        let text = cx.cut(&alarms, columns.alarms);
        let rest = columns.alarms + GAP - text.width().min(columns.alarms + GAP);
        spans.push(Span::styled(text, cx.style(alarm_role)));
        spans.push(Span::raw(" ".repeat(rest)));
    }
    if columns.changed != 0 {
        let changed = hpa_row.changed_at().map_or_else(String::new, |at| {
            rough(-cx.until(at).min(jiff::SignedDuration::ZERO))
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
        Action::ScaleDown | Action::Unknown => ScreenRole::Warning,
        Action::ScaleUp => ScreenRole::Good,
    };
    (cx.glyphs().action(entry.action), role)
}

fn replicas_role(hpa_row: &HpaRow<'_>) -> ScreenRole {
    match hpa_row.entry.map(|entry| entry.action) {
        _ if hpa_row.deleted_at.is_some() => ScreenRole::Dim,
        Some(Action::ScaleUp) => ScreenRole::Good,
        Some(Action::ScaleDown) => ScreenRole::Warning,
        _ => ScreenRole::Strong,
    }
}

/// `8`, `8→12`, `?→12`.
fn replicas(cx: &DrawContext<'_>, hpa_row: &HpaRow<'_>) -> String {
    if hpa_row.deleted_at.is_some() {
        return "gone".to_owned();
    }
    let number =
        |replicas: Option<i32>| replicas.map_or_else(|| "?".to_owned(), |it| it.to_string());
    match hpa_row.replicas() {
        (None, None) => "?".to_owned(),
        (Some(current), Some(desired)) if current == desired => current.to_string(),
        (current, desired) => format!(
            "{}{}{}",
            number(current),
            cx.glyphs().arrow,
            number(desired)
        ),
    }
}

fn bounds(hpa_row: &HpaRow<'_>) -> String {
    hpa_row
        .entry
        .map_or_else(String::new, |entry| format!("{}-{}", entry.min, entry.max))
}

fn ready(hpa_row: &HpaRow<'_>) -> String {
    hpa_row.entry.map_or_else(String::new, |entry| {
        format!("{}/{}", entry.pods.ready, entry.pods.all)
    })
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

/// `85/60%`: the unit once if it is the same.
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

fn rule(cx: &DrawContext<'_>, hpa_row: &HpaRow<'_>) -> String {
    if let Some(deleted) = hpa_row.deleted_at {
        return format!("since {}", cx.clock().time(deleted));
    }
    hpa_row.entry.map_or_else(
        || "not seen then".to_owned(),
        |entry| entry.rule.as_str().to_owned(),
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

/// The chosen mark, a blank, the action, a blank.
const MARKS: usize = 4;
const GAP: usize = 1;
const LEAST_NAME: usize = 8;
