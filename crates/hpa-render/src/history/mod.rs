//! The past of HPAs, in every format.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "numbers for people: none is so large"
)]

mod csv;
mod happened;
mod html;
mod json;
mod overview;
mod specs;
mod text;

use hpa_history::WhatIfReport;

pub use csv::csv;
pub use html::document;
pub use json::{HistoryOutput, json};
pub use overview::{HistoryOverviewOutput, overview_csv, overview_json, overview_text};
pub use text::{how_recorded, text};

/// How well the model does.
fn control(what_if: &WhatIfReport) -> String {
    format!(
        "Control run: today's spec in the same model gives {:.1}% of the replicas that there were.",
        what_if.control * 100.0
    )
}
