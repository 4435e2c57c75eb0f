//! `HPA1xx`: `minReplicas` and `maxReplicas`.

mod bounds_force_jump;
mod capacity;
mod headroom_low;
mod max_exceeds_capacity;
mod max_exceeds_quota;
mod max_implausible;
mod min_below_ha;
mod min_equals_max;
mod min_gt_max;
mod min_unset;
mod pods;
mod replicas_zero_deadlock;
mod single_extra_pod;
mod sum_of_max_exceeds_capacity;
mod traffic;
mod wide_range_unlimited;
mod zero_behind_service;
mod zero_needs_object_or_external;
mod zero_with_resource_metrics;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &min_gt_max::RULE,
    &min_equals_max::RULE,
    &min_unset::RULE,
    &min_below_ha::RULE,
    &zero_needs_object_or_external::RULE,
    &zero_with_resource_metrics::RULE,
    &zero_behind_service::RULE,
    &replicas_zero_deadlock::RULE,
    &headroom_low::RULE,
    &wide_range_unlimited::RULE,
    &max_exceeds_quota::RULE,
    &max_exceeds_capacity::RULE,
    &sum_of_max_exceeds_capacity::RULE,
    &bounds_force_jump::RULE,
    &single_extra_pod::RULE,
    &max_implausible::RULE,
];
