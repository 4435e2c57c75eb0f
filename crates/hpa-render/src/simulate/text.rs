//! Text output: the answer, the course, the comparison, and the parameters.

use hpa_engine::model::Provenance;
use hpa_simulation::{
    Millis, NotModeled, Point, RescaleReport, SimulationReport, TimedEvent, VariantReport, answer,
    met_after,
};
use hpa_words::{
    amount::{number, upper_first},
    clock::span,
};

use super::{clock, event::happening, replicas, time_above};
use crate::{
    style::{Role, Style},
    styled::StyledText,
    wrap::{wrap, wrap_indented},
};

/// A line of one role.
type StyledLine = (Role, String);

/// The report as text. `is_wide` shows every rescale.
pub fn text(report: &SimulationReport, style: Style, is_wide: bool) -> String {
    styled(report, style, is_wide).paint(style)
}

/// The report before it is colored.
pub fn styled(report: &SimulationReport, style: Style, is_wide: bool) -> StyledText {
    let mut text = StyledText::default();
    for (role, line) in lines(report, style, is_wide) {
        text.push_line(role, line);
    }
    text
}

fn lines(report: &SimulationReport, style: Style, is_wide: bool) -> Vec<StyledLine> {
    let mut lines: Vec<StyledLine> = head(report, style)
        .into_iter()
        .map(|line| (Role::Text, line))
        .collect();
    for line in wrap(&answer(report).join(" "), style.width) {
        lines.push((Role::Strong, style.clean(&line)));
    }
    for expectation in &report.expectations {
        let (mark, role, verb) = if expectation.holds {
            ("●", Role::Good, "holds")
        } else {
            ("✗", Role::Error, "does not hold")
        };
        let (count, of) = (expectation.holds_in, expectation.of);
        let text = format!(
            "{mark} {} {verb}: in {count} of {of} runs",
            expectation.text
        );
        lines.push((role, style.clean(&text)));
    }
    if let Some(of) = report.interrupted_of {
        let text = format!("Interrupted after {} of {of} runs.", report.runs);
        lines.push((Role::Warning, text));
    }
    if let Some(first) = report.variants.first() {
        lines.push((Role::Text, String::new()));
        lines.extend(course(first, style));
        if !(first.rescales.is_empty() && report.events.is_empty()) {
            lines.push((Role::Text, String::new()));
            lines.extend(happenings(&first.rescales, &report.events, style, is_wide));
        }
    }
    lines.push((Role::Text, String::new()));
    lines.extend(comparison(report, style));
    lines.push((Role::Text, String::new()));
    lines.extend(basis(report, style));
    lines
}

/// The heading in one line, or in two if it does not fit.
fn head(report: &SimulationReport, style: Style) -> Vec<String> {
    let replicas = report.variants.first().map_or_else(String::new, replicas);
    let runs = if report.runs == 1 {
        "1 run".to_owned()
    } else {
        format!("{} runs", report.runs)
    };
    let what = format!("{} → {}   {replicas}", report.hpa, report.target);
    let how = format!(
        "Kubernetes {} · {runs} of {}",
        report.version,
        span(report.length as f64 / 1000.0),
    );
    let one = format!("{what}   {how}");
    let lines = if one.chars().count() <= style.width {
        vec![one]
    } else {
        vec![what, how]
    };
    lines.iter().map(|line| style.clean(line)).collect()
}

/// The course of the first run as rows of bars.
fn course(variant: &VariantReport, style: Style) -> Vec<StyledLine> {
    let Some(points) = variant
        .runs
        .first()
        .map(|run| &run.points)
        .filter(|points| !points.is_empty())
    else {
        return Vec::new();
    };
    let (label, value_width) = (10, 27);
    let columns = style
        .width
        .saturating_sub(label + value_width + 2)
        .clamp(10, 60)
        .min(points.len());
    let pick = |column: usize| &points[(column * points.len() / columns).min(points.len() - 1)];
    let picked: Vec<&Point> = (0..columns).map(pick).collect();
    let extent = |of: &dyn Fn(&Point) -> f64| {
        let values = points.iter().map(of);
        (
            values.clone().fold(f64::INFINITY, f64::min),
            values.fold(0.0, f64::max),
        )
    };
    let replicas_most =
        extent(&|point| f64::from(point.replicas.max(point.needed.unwrap_or_default()))).1;
    let row = |name: &str, value: &str, most: f64, of: &dyn Fn(&Point) -> f64| {
        let bars: String = picked
            .iter()
            .map(|point| bar(of(point), most, style))
            .collect();
        let text = format!("{name:<label$} {value:<value_width$} {bars}");
        (Role::Text, style.clean(&text))
    };
    let from_to = |of: &dyn Fn(&Point) -> f64, amount: &dyn Fn(f64) -> String| {
        let (low, high) = extent(of);
        let (low, high) = (amount(low), amount(high));
        if low == high {
            high
        } else {
            format!("{low} … {high}")
        }
    };
    let count = |value: f64| format!("{value:.0}");
    let mut lines = vec![row(
        "load",
        &from_to(&|point| point.load, &|value| {
            variant.load_unit.amount(value)
        }),
        extent(&|point| point.load).1,
        &|point| point.load,
    )];
    let needed = |point: &Point| point.needed.map_or(0.0, f64::from);
    let goal = variant
        .goal
        .filter(|_| replicas_most > 0.0 && variant.is_need_known());
    if let Some(goal) = goal {
        let value = from_to(&needed, &count);
        lines.push(row(
            "wanted",
            &format!("{value} at {}", variant.unit.amount(goal)),
            replicas_most,
            &needed,
        ));
    }
    lines.push(row(
        "replicas",
        &from_to(&|point| f64::from(point.replicas), &count),
        replicas_most,
        &|point| f64::from(point.replicas),
    ));
    lines.push(row(
        "ready",
        &from_to(&|point| f64::from(point.ready), &count),
        replicas_most,
        &|point| f64::from(point.ready),
    ));
    let per_pod = from_to(&|point| point.per_pod, &|value| variant.unit.amount(value));
    lines.push(row(
        "per pod",
        &per_pod,
        extent(&|point| point.per_pod).1,
        &|point| point.per_pod,
    ));
    let mut remarks = Vec::new();
    if let Some(most) = variant.most_per_pod {
        remarks.push(format!(
            "A pod can use {} at most.",
            variant.unit.amount(most)
        ));
    }
    let above_max = variant.runs.first().and_then(|run| run.summary.above_max);
    if let Some(at) = above_max {
        remarks.push(format!(
            "From {} on the load needs more than maxReplicas {}.",
            clock(at),
            variant.bounds.1
        ));
    }
    if !remarks.is_empty() {
        let indent = " ".repeat(label + 1);
        lines.extend(
            wrap_indented(&remarks.join(" "), style.width, &indent, &indent)
                .iter()
                .map(|line| (Role::Text, style.clean(line))),
        );
    }
    lines
}

pub(crate) fn bar(value: f64, most: f64, style: Style) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const PLAIN: [char; 8] = ['_', '.', '-', '-', '=', '=', '#', '#'];
    let bars = if style.has_unicode { BARS } else { PLAIN };
    if most <= 0.0 {
        return bars[0];
    }
    let level = (value / most * 7.0).round().clamp(0.0, 7.0) as usize;
    bars[level]
}

/// The number of rescales and events shown by default.
const FEW: usize = 8;

/// The rescales and the events in chronological order.
fn happenings(
    rescales: &[RescaleReport],
    events: &[TimedEvent],
    style: Style,
    is_wide: bool,
) -> Vec<StyledLine> {
    let of_rescale = |rescale: &RescaleReport| {
        let change = format!("{} → {}", rescale.from, rescale.to);
        let why = if is_wide {
            rescale.reason.sentences.join(" ")
        } else {
            rescale
                .reason
                .sentences
                .first()
                .cloned()
                .unwrap_or_default()
        };
        (rescale.at, change, why)
    };
    let of_event = |event: &TimedEvent| {
        let what = format!("{}.", upper_first(&happening(event.event)));
        (event.at, "event".to_owned(), what)
    };
    let mut all: Vec<(Millis, String, String)> = events
        .iter()
        .map(of_event)
        .chain(rescales.iter().map(of_rescale))
        .collect();
    all.sort_by_key(|(at, ..)| *at);
    let visible = if is_wide {
        all.len()
    } else {
        FEW.min(all.len())
    };
    let widest = |text: &dyn Fn(&(Millis, String, String)) -> usize, rows: &[_]| {
        rows.iter().map(text).max().unwrap_or_default()
    };
    let time_width = widest(&|(at, ..)| clock(*at).len(), &all[..visible]);
    let change_width = widest(&|(_, change, _)| change.chars().count(), &all);
    let mut lines = Vec::new();
    for (at, change, why) in &all[..visible] {
        let first = format!("{:>time_width$}  {change:<change_width$}  ", clock(*at));
        let rest = " ".repeat(first.chars().count());
        for line in wrap_indented(why, style.width, &first, &rest) {
            lines.push((Role::Text, style.clean(&line)));
        }
    }
    if visible < all.len() {
        let more = all.len() - visible;
        lines.push((Role::Dim, style.clean(&format!("… {more} more (-o wide)"))));
    }
    lines
}

/// A line for each variant.
fn comparison(report: &SimulationReport, style: Style) -> Vec<StyledLine> {
    let above = time_above(report);
    let head = ["met after", "not served", "pod hours", "rescales", &above].map(str::to_owned);
    let row = |variant: &VariantReport| {
        let summary = &variant.summary;
        [
            met_after(variant),
            summary.not_served.map_or_else(
                || "unknown".to_owned(),
                |lost| format!("{}%", number(lost.median * 100.0)),
            ),
            number(summary.pod_hours.median),
            number(summary.rescales.median),
            span(summary.seconds_above.median),
        ]
    };
    let rows: Vec<(String, [String; 5])> = report
        .variants
        .iter()
        .map(|variant| (variant.name.clone(), row(variant)))
        .collect();
    let width = |column: usize| {
        let cells = rows
            .iter()
            .map(|(_, cells)| &cells[column])
            .chain([&head[column]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..5).map(width).collect();
    let numbers: usize = widths.iter().map(|width| width + 2).sum();
    let names = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let line = |name: &str, cells: &[String; 5], name_width: usize| {
        let cells = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("  {cell:>width$}"));
        format!("{name:<name_width$}{}", cells.collect::<String>())
    };
    let is_narrow = style.width < names + numbers;
    let name_width = if is_narrow { 5 } else { names };
    let mut lines = vec![(Role::Dim, style.clean(&line("", &head, name_width)))];
    for (name, cells) in &rows {
        if is_narrow && name_width < name.chars().count() {
            // A long name takes a line of its own.
            lines.push((Role::Text, style.clean(name)));
            lines.push((Role::Text, style.clean(&line("", cells, name_width))));
        } else {
            lines.push((Role::Text, style.clean(&line(name, cells, name_width))));
        }
    }
    lines
}

/// The parameters with their sources, and what is left out.
fn basis(report: &SimulationReport, style: Style) -> Vec<StyledLine> {
    let rows: Vec<(String, String, Provenance)> = report
        .assumptions
        .iter()
        .map(|assumption| {
            let (name, value) = assumption.parameter.words(assumption.provenance);
            (name, value, assumption.provenance)
        })
        .collect();
    let names = rows
        .iter()
        .map(|(name, ..)| name.chars().count())
        .max()
        .unwrap_or(0);
    let mut lines = Vec::new();
    for (name, value, provenance) in &rows {
        let known = match provenance {
            Provenance::AtLeast => "at least",
            known => known.as_str(),
        };
        let text = style.clean(&format!("{known:<8}  {name:<names$}  {value}"));
        let role = if *provenance == Provenance::Assumed {
            Role::Text
        } else {
            Role::Dim
        };
        lines.push((role, text));
    }
    if !report.not_modeled.is_empty() {
        let sentences: Vec<String> = report
            .not_modeled
            .iter()
            .map(NotModeled::sentence)
            .collect();
        for line in wrap_indented(
            &sentences.join(" "),
            style.width,
            "left out: ",
            "          ",
        ) {
            lines.push((Role::Dim, style.clean(&line)));
        }
    }
    lines
}
