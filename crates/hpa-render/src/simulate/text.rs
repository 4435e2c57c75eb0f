//! Text output: the answer, the course, the comparison, and the parameters.

use hpa_engine::model::Provenance;
use hpa_simulation::{
    Millis, NotModeled, Point, RescaleReport, SimulationReport, TimedEvent, VariantReport, answer,
};
use hpa_words::{amount::upper_first, clock::span};

use super::{clock, event::happening, replicas, specs};
use crate::{
    style::{Role, Style},
    styled::StyledText,
    table::Table,
    wrap::wrap_indented,
};

/// The report as text. `is_wide` shows every rescale.
pub fn text(report: &SimulationReport, style: Style, is_wide: bool) -> String {
    styled(report, style, is_wide).paint(style)
}

/// The report before it is colored.
pub fn styled(report: &SimulationReport, style: Style, is_wide: bool) -> StyledText {
    let mut text = StyledText::default();
    let replicas = report.variants.first().map_or_else(String::new, replicas);
    let runs = if report.runs == 1 {
        "1 run".to_owned()
    } else {
        format!("{} runs", report.runs)
    };
    let what = format!("{} → {}   {replicas}", report.hpa, report.target);
    let length = span(report.length as f64 / 1000.0);
    let how = format!("Kubernetes {} · {runs} of {length}", report.version);
    text.push_heading(&what, &how, style);
    text.push_wrapped(Role::Strong, &answer(report).join(" "), style);
    for expectation in &report.expectations {
        let (mark, role, verb) = if expectation.holds {
            ("●", Role::Good, "holds")
        } else {
            ("✗", Role::Error, "does not hold")
        };
        let (count, of) = (expectation.holds_in, expectation.of);
        let line = format!(
            "{mark} {} {verb}: in {count} of {of} runs",
            expectation.text
        );
        text.push_line(role, style.clean(&line));
    }
    if let Some(of) = report.interrupted_of {
        let line = format!("Interrupted after {} of {of} runs.", report.runs);
        text.push_line(Role::Warning, line);
    }
    if let Some(first) = report.variants.first() {
        text.push_blank();
        course(first, style, &mut text);
        if !(first.rescales.is_empty() && report.events.is_empty()) {
            text.push_blank();
            happenings(&first.rescales, &report.events, style, is_wide, &mut text);
        }
    }
    text.push_blank();
    specs(report).write(style, &mut text);
    text.push_blank();
    basis(report, style, &mut text);
    text
}

/// The course of the first run as rows of bars.
fn course(variant: &VariantReport, style: Style, out: &mut StyledText) {
    let Some(points) = variant
        .runs
        .first()
        .map(|run| &run.points)
        .filter(|points| !points.is_empty())
    else {
        return;
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
        style.clean(&format!("{name:<label$} {value:<value_width$} {bars}"))
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
    for line in lines {
        out.push_line(Role::Text, line);
    }
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
    let indent = " ".repeat(label + 1);
    for line in wrap_indented(&remarks.join(" "), style.width, &indent, &indent) {
        out.push_line(Role::Text, style.clean(&line));
    }
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
    out: &mut StyledText,
) {
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
    let mut table = Table::new(style).with_numbers(0..1);
    for (at, change, why) in &all[..visible] {
        table.push(Role::Text, [&clock(*at), change, why]);
    }
    table.write_with_text(LEAST_TEXT, INDENT, out);
    if visible < all.len() {
        let more = format!("… {} more (-o wide)", all.len() - visible);
        out.push_line(Role::Dim, style.clean(&more));
    }
}

/// The parameters with their sources, and what is left out.
fn basis(report: &SimulationReport, style: Style, out: &mut StyledText) {
    let mut table = Table::new(style);
    for assumption in &report.assumptions {
        let (name, value) = assumption.parameter.words(assumption.provenance);
        let known = match assumption.provenance {
            Provenance::AtLeast => "at least",
            known => known.as_str(),
        };
        let role = if assumption.provenance == Provenance::Assumed {
            Role::Text
        } else {
            Role::Dim
        };
        table.push(role, [known, &name, &value]);
    }
    table.write_with_text(LEAST_TEXT, INDENT, out);
    let left_out: Vec<String> = (report.not_modeled.iter())
        .map(NotModeled::sentence)
        .collect();
    let left_out = left_out.join(" ");
    for line in wrap_indented(&left_out, style.width, "left out: ", "          ") {
        out.push_line(Role::Dim, style.clean(&line));
    }
}

/// Columns that a sentence needs next to what it is about.
const LEAST_TEXT: usize = 20;

/// Indent of a sentence below what it is about.
const INDENT: usize = 4;
