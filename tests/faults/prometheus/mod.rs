//! Faults of a monitoring server, and their effect: a clear error, never a hang, a panic or a zero.

mod answers;
mod cluster_labels;
mod edited;
#[path = "../../../crates/hpa-history/tests/syncs/edited_series.rs"]
mod edited_series;
mod fake;
pub(crate) mod history;
mod hostile_labels;
mod impossible;
#[cfg(unix)]
mod interrupted;
mod metric_queries;
mod places;
#[cfg(unix)]
mod progress;
mod queue;
mod recorded;
mod rollout;
mod secrets;
mod spans;
mod what_if;
mod zeros;
