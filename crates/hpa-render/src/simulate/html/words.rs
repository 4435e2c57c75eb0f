//! Headline and charts in words.

use hpa_simulation::{VariantReport, capped};
use hpa_words::clock::span;

/// The headline, its CSS class, and its symbol.
pub(super) fn headline(variant: &VariantReport) -> (String, &'static str, &'static str) {
    match variant.summary.met_after {
        None => ("NOT MET".to_owned(), "bad", "✗"),
        // `maxReplicas` keeps the pods above the target.
        Some(met) if met.high < 1.0 && capped(variant).is_some() => {
            ("ABOVE THE TARGET".to_owned(), "down", "▲")
        }
        Some(met) if met.high < 1.0 => ("MET ALL THE TIME".to_owned(), "up", "●"),
        Some(met) => {
            let time = span(met.median);
            (format!("MET AFTER {time}"), "down", "▲")
        }
    }
}
