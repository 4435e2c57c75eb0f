//! `HPA2xx`: metrics and their targets.

mod additive;
mod api;
mod averagevalue_above_limit;
mod averagevalue_on_ratio;
mod blended_utilization;
mod ceiling;
mod coarse_percent_step;
mod container_not_found;
mod container_rename_rollout;
mod duplicate_metric;
pub(super) mod entry;
mod external_no_selector;
mod injected_container_no_request;
mod injection;
mod memory_only;
mod memory_present;
mod metric_order_drift;
mod metrics_defaulted;
mod missing_request;
mod mixed_metrics_freeze;
mod object_ref_invalid;
mod oom_before_scale;
mod pods_metric_is_counter;
mod quantity_scale;
mod request_implicit;
mod same_resource_two_forms;
mod saturated_before_scale;
mod single_adapter_dependency;
mod target_high;
mod target_low;
mod target_pod;
#[cfg(test)]
mod testing;
mod tiny_denominator;
mod unreachable_cpu_target;
mod unsupported_resource;
mod value_on_backlog;
mod value_with_readiness;
mod words;
mod zero_request;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &metrics_defaulted::RULE,
    &missing_request::RULE,
    &request_implicit::RULE,
    &zero_request::RULE,
    &injected_container_no_request::RULE,
    &blended_utilization::RULE,
    &container_not_found::RULE,
    &container_rename_rollout::RULE,
    &unreachable_cpu_target::RULE,
    &saturated_before_scale::RULE,
    &oom_before_scale::RULE,
    &target_high::RULE,
    &target_low::RULE,
    &memory_only::RULE,
    &memory_present::RULE,
    &duplicate_metric::RULE,
    &same_resource_two_forms::RULE,
    &single_adapter_dependency::RULE,
    &mixed_metrics_freeze::RULE,
    &value_on_backlog::RULE,
    &value_with_readiness::RULE,
    &external_no_selector::RULE,
    &quantity_scale::RULE,
    &averagevalue_above_limit::RULE,
    &coarse_percent_step::RULE,
    &tiny_denominator::RULE,
    &pods_metric_is_counter::RULE,
    &metric_order_drift::RULE,
    &object_ref_invalid::RULE,
    &unsupported_resource::RULE,
    &averagevalue_on_ratio::RULE,
];
