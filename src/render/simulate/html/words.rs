//! Headline and charts in words.

use super::super::{VariantReport, span};

/// The headline, how it looks, and its mark.
pub(super) fn headline(variant: &VariantReport) -> (String, &'static str, &'static str) {
    match variant.summary.met_after {
        None => ("NOT MET".to_owned(), "bad", "✗"),
        Some(met) if met.high < 1.0 => ("MET ALL THE TIME".to_owned(), "up", "●"),
        Some(met) => {
            let time = span(met.median);
            (format!("MET AFTER {time}"), "down", "▲")
        }
    }
}

/// Replicas of the first run at its start and end, `6 → 20 replicas`.
pub(super) fn replicas(variant: &VariantReport) -> String {
    let points = variant.runs.first().map_or(&[][..], |run| &run.points);
    match (points.first(), points.last()) {
        (Some(first), Some(last)) if first.replicas != last.replicas => {
            format!("{} → {} replicas", first.replicas, last.replicas)
        }
        (Some(first), _) => format!("{} replicas at the start and at the end", first.replicas),
        (None, _) => String::new(),
    }
}
