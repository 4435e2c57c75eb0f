//! `HPA9xx`: problems that show only over time.

mod external_replica_changes;
mod flapping;
mod memory_floor;
mod metric_gaps;
mod pinned_at_min;
mod request_drift;
mod saturated;
mod slow_reaction;
mod startup_overshoot;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &flapping::RULE,
    &saturated::RULE,
    &pinned_at_min::RULE,
    &memory_floor::RULE,
    &startup_overshoot::RULE,
    &metric_gaps::RULE,
    &slow_reaction::RULE,
    &external_replica_changes::RULE,
    &request_drift::RULE,
];
