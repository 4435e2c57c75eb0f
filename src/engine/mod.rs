//! The controller's algorithm: pure, integer and float arithmetic exactly as in Go, function by function as upstream.
//!
//! The specification is `docs/controller.md`. Nothing here fails from outside: a metric that cannot be read is a step
//! with an outcome, and [`decide`] always returns a trace.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]
// Ratios are float64 upstream; their operations cannot overflow.

mod after_metrics;
mod bounds;
mod context;
mod go_format;
mod go_math;
mod metric;
mod metric_names;
mod metrics;
mod outcome;
mod pods;
mod reach;
mod reconcile;
mod replica_calculator;
mod requests;
mod rescale;
mod samples;
mod scale_events;
mod scaling_policies;
mod selector_check;
mod stabilization;
mod switches;
mod tolerance;
mod usage_ratio;

pub use after_metrics::AfterMetrics;
pub use reach::{Reach, utilization_percent, utilization_step};
pub use reconcile::{decide, decide_with};
pub use requests::effective_container_request;
pub use requests::{Request, RequestGap, counted_containers, pod_request};
pub use switches::{Switches, TextVersion};
