//! `HPA5xx`: the pods of the target.

mod cpu;
mod finished_pods_selected;
mod grace_too_long;
mod inplace_resize_pending;
mod missing_request;
mod no_readiness_probe;
mod non_cpu_startup;
mod pod_level_resources;
mod selector_foreign_pods;
mod start;
mod startup_exceeds_cpu_init;
mod uneven_load;
mod unready_share_high;
mod usage_outlier;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &selector_foreign_pods::RULE,
    &finished_pods_selected::RULE,
    &no_readiness_probe::RULE,
    &startup_exceeds_cpu_init::RULE,
    &non_cpu_startup::RULE,
    &unready_share_high::RULE,
    &grace_too_long::RULE,
    &inplace_resize_pending::RULE,
    &pod_level_resources::RULE,
    &usage_outlier::RULE,
    &uneven_load::RULE,
];
