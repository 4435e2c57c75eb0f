//! `HPA1xx`: `minReplicas` and `maxReplicas`.

mod headroom_low;
mod max_implausible;
mod min_equals_max;
mod min_gt_max;
mod min_unset;
mod wide_range_unlimited;
mod zero_needs_object_or_external;
mod zero_with_resource_metrics;

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &min_gt_max::RULE,
    &min_equals_max::RULE,
    &min_unset::RULE,
    &zero_needs_object_or_external::RULE,
    &zero_with_resource_metrics::RULE,
    &headroom_low::RULE,
    &wide_range_unlimited::RULE,
    &max_implausible::RULE,
];
