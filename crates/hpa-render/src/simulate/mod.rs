//! The result of a simulation, in every format.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "numbers for people: none is so large"
)]

mod csv;
mod event;
mod html;
mod json;
mod text;

use hpa_simulation::{Millis, SimulationReport, VariantReport};
use hpa_words::clock::elapsed;
use jiff::SignedDuration;

pub use csv::csv;
pub use html::document;
pub(crate) use html::ranged;
pub(super) use json::rounded;
pub use json::{BandItem, SimulateOutput, SummaryItem, json};
pub(crate) use text::bar;
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
