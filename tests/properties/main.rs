//! Properties for every input: those that docs/dev/controller.md guarantees, and only those.
//!
//! Upstream does not guarantee that more load never means fewer replicas, so it is not tested.
#![expect(clippy::unwrap_used, reason = "test code")]

mod advice;
mod alarms;
mod bounds;
mod counterfactuals;
mod generate;
#[cfg(feature = "cli")]
mod lint_autoscalers;
#[cfg(feature = "cli")]
mod lint_behavior;
#[cfg(feature = "cli")]
mod lint_bounds;
#[cfg(feature = "cli")]
mod lint_cluster;
#[cfg(feature = "cli")]
mod lint_history;
mod lint_metrics;
#[cfg(feature = "cli")]
mod lint_pods;
#[cfg(feature = "cli")]
mod lint_target;
#[cfg(feature = "cli")]
mod lint_thresholds;
#[cfg(feature = "cli")]
mod linted;
mod memory;
mod reach;
mod robustness;
mod tolerance;
