//! The series that `export` serves for each HPA, built from the events of `watch`.
//!
//! [`Board`] holds the state and alone decides whether an HPA is visible. An HPA that is not visible has no series
//! with a verdict: they are absent, because a stale value or a zero would be false.

mod alert_rules;
mod board;
mod catalogue;
mod dashboard;
mod decision;
mod exposition;
mod held;
mod record;
#[cfg(test)]
mod tests;

pub use alert_rules::{operator_rules, rules};
pub use board::{Board, Readiness, SharedBoard};
pub use catalogue::{SERIES, Series, SeriesKind};
pub use dashboard::dashboard;
pub use decision::VERDICTS;
pub use exposition::locked;
pub use exposition::{Exposition, ProcessNumbers, TextFormat};
pub use held::Holder;
