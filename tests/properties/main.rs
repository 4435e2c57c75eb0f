//! Properties for every input: those that docs/dev/controller.md guarantees, and only those.
//!
//! Upstream does not guarantee that more load never means fewer replicas, so it is not tested.
#![expect(clippy::unwrap_used, reason = "test code")]

mod advice;
mod alarms;
mod bounds;
mod counterfactuals;
mod effects;
mod first_lines;
mod generate;
mod lint_autoscalers;
mod lint_behavior;
mod lint_bounds;
mod lint_cluster;
mod lint_history;
mod lint_metrics;
mod lint_pods;
mod lint_target;
mod lint_thresholds;
mod linted;
mod memory;
mod reach;
mod robustness;
mod tolerance;
