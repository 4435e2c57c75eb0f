//! `HPA6xx`: other autoscalers.

mod beside;
mod cron_scaler;
mod keda_and_hpa;
mod keda_cooldown_irrelevant;
mod keda_missing_request;
mod keda_owned_edited;
mod keda_paused;
mod keda_refused;
mod keda_zero_cpu_only;
mod other_owner;
mod target_rewritten;
mod two_scaledobjects;
mod vpa_same_resource;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &keda_and_hpa::RULE,
    &two_scaledobjects::RULE,
    &keda_owned_edited::RULE,
    &keda_zero_cpu_only::RULE,
    &keda_cooldown_irrelevant::RULE,
    &keda_paused::RULE,
    &keda_missing_request::RULE,
    &vpa_same_resource::RULE,
    &cron_scaler::RULE,
    &other_owner::RULE,
    &target_rewritten::RULE,
    &keda_refused::RULE,
];
