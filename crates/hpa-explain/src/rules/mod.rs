//! What is said of each rule: a file for each.

pub(super) mod above_max;
pub(super) mod below_min;
pub(super) mod disabled_direction;
pub(super) mod inputs_not_readable;
pub(super) mod invalid_metrics;
pub(super) mod max_replicas;
pub(super) mod metric;
pub(super) mod min_replicas;
pub(super) mod no_behavior_limit;
pub(super) mod old_recommendation;
pub(super) mod policy;
pub(super) mod raised_from_zero;
pub(super) mod rounding;
pub(super) mod scale_not_readable;
pub(super) mod scaling_disabled_at_zero;
pub(super) mod second_pass;
pub(super) mod selector;
pub(super) mod stabilization_window;
pub(super) mod within_tolerance;
