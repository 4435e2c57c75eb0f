//! The result of a simulation, in every format.
#![expect(
    clippy::cast_precision_loss,
    reason = "numbers for people: none is so large"
)]

mod csv;
mod event;
mod html;
mod json;
mod text;

use hpa_simulation::{
    ExpectationReport, Millis, SimulationReport, VariantReport, longest, met_after,
};
use hpa_words::{
    amount::{count, number},
    clock::{elapsed, span},
};
use jiff::SignedDuration;

use crate::{
    chart::variant_class,
    spec_table::{Figure, LINE, SpecRow, SpecTable},
    style::{FAILED, Role},
};

pub use csv::csv;
pub use html::document;
pub(super) use json::rounded;
pub use json::{BandItem, SimulateOutput, SummaryItem, json};
pub use text::styled;
pub use text::text;

/// Replicas of the first run at its start and end, `6 → 20 replicas`.
fn replicas(variant: &VariantReport) -> String {
    let points = variant.runs.first().map_or(&[][..], |run| &run.points);
    match (points.first(), points.last()) {
        (Some(first), Some(last)) if first.replicas != last.replicas => {
            format!("{} → {} replicas", first.replicas, last.replicas)
        }
        (Some(first), _) => format!("{} replicas at the start and at the end", first.replicas),
        (None, _) => String::new(),
    }
}

/// `Kubernetes 1.34 · 8 runs of 20 min`.
fn how_run(report: &SimulationReport) -> String {
    let runs = count(report.runs, "run");
    let length = span(report.length as f64 / 1000.0);
    format!("Kubernetes {} · {runs} of {length}", report.version)
}

/// Mark, role and verb of an expectation.
fn held(expectation: &ExpectationReport) -> (&'static str, Role, &'static str) {
    if expectation.holds {
        ("●", Role::Good, "holds")
    } else {
        (FAILED, Role::Error, "does not hold")
    }
}

/// The key figures of each variant.
fn specs(report: &SimulationReport) -> SpecTable {
    let row = |(index, variant): (usize, &VariantReport)| {
        let summary = &variant.summary;
        let met = summary.met_after.as_ref();
        let met = Figure {
            median: met_after(variant),
            range: met.and_then(|met| Figure::of(met, longest).range),
        };
        let percent = |share: f64| format!("{}%", number(share * 100.0));
        let lost = summary.not_served.as_ref();
        let lost = lost.map_or_else(|| Figure::only("unknown"), |lost| Figure::of(lost, percent));
        SpecRow {
            name: variant.name.clone(),
            legend: (1 < report.variants.len()).then_some((variant_class(index), LINE)),
            figures: vec![
                met,
                lost,
                Figure::of(&summary.pod_hours, number),
                Figure::of(&summary.rescales, number),
                Figure::of(&summary.seconds_above, span),
            ],
        }
    };
    let above = time_above(report);
    let columns = ["met after", "not served", "pod hours", "rescales", &above];
    SpecTable {
        columns: columns.map(str::to_owned).to_vec(),
        rows: report.variants.iter().enumerate().map(row).collect(),
        has_ranges: false,
    }
}

/// The heading of the time in which the value per pod is above the limit: `time > 66%`.
fn time_above(report: &SimulationReport) -> String {
    let first = report.variants.first();
    match first.filter(|variant| variant.above.is_finite()) {
        Some(variant) => format!("time > {}", variant.unit.amount(variant.above)),
        None => "time above".to_owned(),
    }
}

/// A time since the start: `1:15`, `2:03:00`.
pub(crate) fn clock(at: Millis) -> String {
    elapsed(SignedDuration::from_millis(at))
}
