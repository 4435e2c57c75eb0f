//! `HPA7xx`: the cluster.

mod blocked_by_quota;
mod context_drift;
pub(super) mod flags_assumed;
mod many_hpas;
mod maxed_alert_mismatch;
mod metric_not_served;
mod metrics_api_unavailable;
mod metrics_stale;
mod unschedulable;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &metrics_api_unavailable::RULE,
    &metric_not_served::RULE,
    &metrics_stale::RULE,
    &many_hpas::RULE,
    &blocked_by_quota::RULE,
    &unschedulable::RULE,
    &flags_assumed::RULE,
    &maxed_alert_mismatch::RULE,
    &context_drift::RULE,
];
