//! The table of HPAs: one line each.

use super::text::draw_line;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use super::{
    palette::Role,
    scene::{Scene, Shown},
    text::{cut_middle, pad},
};
use crate::{
    explain::{Action, clock::rough},
    model::HpaKey,
    watch::MetricPoint,
};

/// Draws the table: its heading, and below it `rows` from `top` on.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    rows: &[Shown<'_>],
    top: usize,
    chosen: Option<&HpaKey>,
) {
    let columns = Columns::new(area.width.into(), rows);
    let heading = columns.line(&columns.heading());
    let style = scene.style(Role::Title);
    draw_line(buffer, area, 0, &Line::styled(heading, style));
    let visible = usize::from(area.height.saturating_sub(1));
    for (row, shown) in (1..).zip(rows.iter().skip(top).take(visible)) {
        let is_chosen = chosen == Some(shown.key);
        let line = line(&scene.of(shown), &columns, shown, is_chosen);
        draw_line(buffer, area, row, &line);
        if is_chosen {
            let whole = Rect::new(area.x, area.y + row, area.width, 1);
            buffer.set_style(whole.intersection(buffer.area), scene.style(Role::Chosen));
        }
    }
}

/// Columns of the screen that the columns of the table have.
struct Columns {
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

impl Columns {
    /// Divides `width`. Where it is too narrow for all, the least important columns go; what is left over goes to those
    /// that have most to say.
    fn new(width: usize, rows: &[Shown<'_>]) -> Self {
        let mut namespaces = rows.iter().map(|shown| &shown.key.namespace);
        let first = namespaces.next();
        let has_one_namespace = namespaces.all(|namespace| Some(namespace) == first);
        let longest = rows
            .iter()
            .map(|shown| {
                let namespace = shown.key.namespace.width() + 1;
                shown.key.name.width() + if has_one_namespace { 0 } else { namespace }
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

fn line(scene: &Scene<'_>, columns: &Columns, shown: &Shown<'_>, is_chosen: bool) -> Line<'static> {
    let glyphs = scene.glyphs();
    let text_role = if shown.gone_at.is_some() || shown.moment.is_none() {
        Role::Dim
    } else {
        Role::Text
    };
    let (mark, mark_role) = action_mark(scene, shown);
    let chosen = if is_chosen { glyphs.chosen } else { " " };
    let mut spans = vec![
        scene.span(text_role, &format!("{chosen} ")),
        Span::styled(mark, scene.style(mark_role)),
        Span::raw(" "),
    ];
    let mut push = |role: Role, text: String, width: usize| {
        if width != 0 {
            let text = pad(&scene.cut(&text, width), width + GAP);
            spans.push(Span::styled(text, scene.style(role)));
        }
    };
    let name = if columns.has_one_namespace {
        shown.key.name.clone()
    } else {
        shown.key.to_string()
    };
    let name = cut_middle(&scene.clean(&name), columns.name, glyphs.ellipsis);
    push(text_role, name, columns.name);
    push(
        replicas_role(shown),
        replicas(scene, shown),
        columns.replicas,
    );
    push(text_role, bounds(shown), columns.bounds);
    push(text_role, ready(shown), columns.ready);
    let (metric_role, metric) = metric(scene, shown, columns.metric);
    push(metric_role, metric, columns.metric);
    push(text_role, rule(scene, shown), columns.rule);
    let alarms = alarms(shown, columns.alarms);
    let alarm_role = if alarms.is_empty() {
        Role::Text
    } else {
        Role::Badge
    };
    if columns.alarms != 0 {
        let text = scene.cut(&alarms, columns.alarms);
        let rest = columns.alarms + GAP - text.width().min(columns.alarms + GAP);
        spans.push(Span::styled(text, scene.style(alarm_role)));
        spans.push(Span::raw(" ".repeat(rest)));
    }
    if columns.changed != 0 {
        let changed = shown.changed_at().map_or_else(String::new, |at| {
            rough(-scene.until(at).min(jiff::SignedDuration::ZERO))
        });
        spans.push(scene.span(text_role, &pad(&changed, columns.changed)));
    }
    Line::from(spans)
}

fn action_mark(scene: &Scene<'_>, shown: &Shown<'_>) -> (&'static str, Role) {
    let Some(moment) = shown.moment.filter(|_| shown.gone_at.is_none()) else {
        return (" ", Role::Dim);
    };
    let role = match moment.action {
        Action::Disabled | Action::Hold => Role::Dim,
        Action::Failed => Role::Error,
        Action::ScaleDown | Action::Unknown => Role::Warning,
        Action::ScaleUp => Role::Good,
    };
    (scene.glyphs().action(moment.action), role)
}

fn replicas_role(shown: &Shown<'_>) -> Role {
    match shown.moment.map(|moment| moment.action) {
        _ if shown.gone_at.is_some() => Role::Dim,
        Some(Action::ScaleUp) => Role::Good,
        Some(Action::ScaleDown) => Role::Warning,
        _ => Role::Strong,
    }
}

/// `8`, `8→12`, `?→12`.
fn replicas(scene: &Scene<'_>, shown: &Shown<'_>) -> String {
    if shown.gone_at.is_some() {
        return "gone".to_owned();
    }
    let number =
        |replicas: Option<i32>| replicas.map_or_else(|| "?".to_owned(), |it| it.to_string());
    match shown.replicas() {
        (None, None) => "?".to_owned(),
        (Some(current), Some(desired)) if current == desired => current.to_string(),
        (current, desired) => format!(
            "{}{}{}",
            number(current),
            scene.glyphs().arrow,
            number(desired)
        ),
    }
}

fn bounds(shown: &Shown<'_>) -> String {
    shown.moment.map_or_else(String::new, |moment| {
        format!("{}-{}", moment.min, moment.max)
    })
}

fn ready(shown: &Shown<'_>) -> String {
    shown.moment.map_or_else(String::new, |moment| {
        format!("{}/{}", moment.pods.ready, moment.pods.all)
    })
}

/// `cpu 85/60 %`, and `+2` for two more metrics.
fn metric(scene: &Scene<'_>, shown: &Shown<'_>, width: usize) -> (Role, String) {
    let Some(metric) = shown.winner() else {
        return (Role::Dim, String::new());
    };
    let others = shown
        .moment
        .map_or(0, |moment| moment.metrics.len().saturating_sub(1));
    let is_failed = metric.failure.is_some();
    let mut text = if is_failed {
        format!("{} failed", scene.glyphs().cross)
    } else {
        short_against(metric)
    };
    if 0 < others && 20 <= width {
        text.push_str(&format!(" +{others}"));
    }
    let room = width.saturating_sub(text.width() + 1).max(5);
    let name = scene.cut(&metric.name, room);
    let role = if is_failed { Role::Error } else { Role::Text };
    (role, format!("{name} {text}"))
}

/// `85/60 %`: the unit once if it is the same.
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

fn rule(scene: &Scene<'_>, shown: &Shown<'_>) -> String {
    if let Some(gone) = shown.gone_at {
        return format!("since {}", scene.clock().time(gone));
    }
    shown.moment.map_or_else(
        || "not seen then".to_owned(),
        |moment| moment.rule.as_str().to_owned(),
    )
}

/// `!2`, or with the kinds if there is room.
fn alarms(shown: &Shown<'_>, width: usize) -> String {
    let count = shown.alarms().len();
    match shown.alarm_kinds().next() {
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
