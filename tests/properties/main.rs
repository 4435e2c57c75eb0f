//! What holds for every input: properties that docs/controller.md guarantees, and only those.
//!
//! Not among them, because upstream doesn't guarantee it: that more load never means fewer replicas.
#![expect(clippy::unwrap_used, reason = "test code")]

mod bounds;
mod counterfactuals;
mod generate;
#[cfg(feature = "cli")]
mod lint_behavior;
mod lint_metrics;
mod memory;
mod reach;
mod robustness;
mod tolerance;
