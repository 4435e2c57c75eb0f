//! `HPA8xx`: the status of an HPA in a cluster.

mod ambiguous_selector;
mod empty_metric_slot;
mod limited_at_max;
mod limited_at_min;
mod never_scaled;
mod not_able_to_scale;
mod orphan;
mod rate_limited;
mod scaling_inactive;
mod status_disagrees;
mod status_stale;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &not_able_to_scale::RULE,
    &scaling_inactive::RULE,
    &ambiguous_selector::RULE,
    &limited_at_max::RULE,
    &limited_at_min::RULE,
    &rate_limited::RULE,
    &status_disagrees::RULE,
    &status_stale::RULE,
    &empty_metric_slot::RULE,
    &never_scaled::RULE,
    &orphan::RULE,
];
