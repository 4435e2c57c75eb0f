//! What `export` serves: the series of each HPA, from the events of `watch`.
//!
//! [`Board`] holds what is known and is the only one to say whether an HPA can be seen. What cannot be seen has no series that judge:
//! they are absent, because a stale or a zero one would be false.

mod board;
mod catalogue;
mod dashboard;
mod decision;
mod exposition;
mod held;
mod record;
mod rules;
#[cfg(test)]
mod tests;

pub use board::{Board, Readiness, SharedBoard};
pub use catalogue::{SERIES, Series, SeriesKind};
pub use dashboard::dashboard;
pub use decision::VERDICTS;
pub use exposition::locked;
pub use exposition::{Exposition, TextFormat};
pub use held::Holder;
pub use rules::{operator_rules, rules};
