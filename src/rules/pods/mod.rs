//! `HPA5xx`: the pods behind the target.

mod cpu;
mod finished_pods_selected;
mod no_readiness_probe;
mod selector_foreign_pods;
mod start;
mod startup_exceeds_cpu_init;
mod unready_share_high;
mod usage_outlier;

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &selector_foreign_pods::RULE,
    &finished_pods_selected::RULE,
    &no_readiness_probe::RULE,
    &startup_exceeds_cpu_init::RULE,
    &unready_share_high::RULE,
    &usage_outlier::RULE,
];
