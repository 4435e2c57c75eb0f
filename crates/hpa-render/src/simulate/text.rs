//! Text output: the answer, the course, the comparison, and the parameters.

use hpa_engine::model::Provenance;
use hpa_simulation::{
    NotModeled, Point, RescaleReport, SimulationReport, TimedEvent, VariantReport, answer,
};
use hpa_words::{amount::upper_first, wrap::wrap_indented};

use super::{clock, event::happening, held, how_run, replicas, specs};
use crate::{
    chart::{BarRows, range},
    style::{Role, Style},
    styled::StyledText,
    table::{INDENT, LEAST_TEXT, Table},
};

/// The report as text. `is_wide` shows every rescale.
pub fn text(report: &SimulationReport, style: Style, is_wide: bool) -> String {
    styled(report, style, is_wide).paint(style)
}

/// The report before it is colored.
pub fn styled(report: &SimulationReport, style: Style, is_wide: bool) -> StyledText {
    let mut text = StyledText::default();
    let replicas = report.variants.first().map_or_else(String::new, replicas);
    let what = format!("{} → {}   {replicas}", report.hpa, report.target);
    text.push_heading(&what, &how_run(report), style);
    text.push_wrapped(Role::Strong, &answer(report).join(" "), style);
    for expectation in &report.expectations {
        let (mark, role, verb) = held(expectation);
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
    let points = variant.runs.first().map_or(&[][..], |run| &run.points);
    if points.is_empty() {
        return;
    }
    let bars = BarRows::new(style, NAME, 27, points.len().min(60));
    let pick = |bar: usize| &points[(bar * points.len() / bars.columns).min(points.len() - 1)];
    let picked: Vec<&Point> = (0..bars.columns).map(pick).collect();
    let mut row = |name: &str,
                   of: &dyn Fn(&Point) -> f64,
                   amount: &dyn Fn(f64) -> String,
                   (at, most): (&str, Option<f64>)| {
        let (range, highest) = range(points.iter().map(of), amount);
        let values = picked.iter().map(|point| Some(of(point)));
        let most = most.unwrap_or(highest);
        bars.push((name, &format!("{range}{at}")), most, values, out);
    };
    let of_load = |value| variant.load_unit.amount(value);
    let of_pod = |value| variant.unit.amount(value);
    let count = |value: f64| format!("{value:.0}");
    let highest = |point: &Point| point.replicas.max(point.needed.unwrap_or_default());
    let most = points.iter().map(highest).max().map_or(0.0, f64::from);
    row("load", &|point| point.load, &of_load, ("", None));
    let goal = variant
        .goal
        .filter(|_| 0.0 < most && variant.is_need_known());
    if let Some(goal) = goal {
        let needed = |point: &Point| point.needed.map_or(0.0, f64::from);
        let at = format!(" at {}", of_pod(goal));
        row("wanted", &needed, &count, (&at, Some(most)));
    }
    let of_most = ("", Some(most));
    row(
        "replicas",
        &|point| f64::from(point.replicas),
        &count,
        of_most,
    );
    row("ready", &|point| f64::from(point.ready), &count, of_most);
    row("per pod", &|point| point.per_pod, &of_pod, ("", None));
    let mut remarks = Vec::new();
    if let Some(most) = variant.most_per_pod {
        remarks.push(format!("A pod can use {} at most.", of_pod(most)));
    }
    let above_max = variant.runs.first().and_then(|run| run.summary.above_max);
    if let Some(at) = above_max {
        remarks.push(format!(
            "From {} on the load needs more than maxReplicas {}.",
            clock(at),
            variant.bounds.1
        ));
    }
    let indent = " ".repeat(NAME + 1);
    for line in wrap_indented(&remarks.join(" "), style.width, &indent, &indent) {
        out.push_line(Role::Text, style.clean(&line));
    }
}

/// The width of the names of rows of bars.
const NAME: usize = 10;

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
        let sentences = &rescale.reason.sentences;
        let shown = if is_wide { sentences.len() } else { 1 };
        let why = sentences[..shown.min(sentences.len())].join(" ");
        (
            rescale.at,
            format!("{} → {}", rescale.from, rescale.to),
            why,
        )
    };
    let of_event = |event: &TimedEvent| {
        let what = format!("{}.", upper_first(&happening(event.event)));
        (event.at, "event".to_owned(), what)
    };
    let events = events.iter().map(of_event);
    let mut all: Vec<_> = events.chain(rescales.iter().map(of_rescale)).collect();
    all.sort_by_key(|(at, ..)| *at);
    let visible = if is_wide { all.len() } else { FEW };
    let hidden = all.len().saturating_sub(visible);
    let mut table = Table::new(style).with_numbers(0..1);
    for (at, change, why) in all.into_iter().take(visible) {
        table.push(Role::Text, [clock(at), change, why]);
    }
    table.write_with_text(LEAST_TEXT, INDENT, out);
    if 0 < hidden {
        let more = format!("… {hidden} more (-o wide)");
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
