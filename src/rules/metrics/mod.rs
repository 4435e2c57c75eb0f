//! `HPA2xx`: metrics and their targets.

mod averagevalue_above_limit;
mod blended_utilization;
mod ceiling;
mod container_not_found;
mod duplicate_metric;
mod entry;
mod external_no_selector;
mod injected_container_no_request;
mod injection;
mod memory_only;
mod metrics_defaulted;
mod missing_request;
mod oom_before_scale;
mod quantity_scale;
mod saturated_before_scale;
mod target_pod;
mod unreachable_cpu_target;
mod value_on_backlog;
mod words;
mod zero_request;

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &metrics_defaulted::RULE,
    &missing_request::RULE,
    &zero_request::RULE,
    &injected_container_no_request::RULE,
    &blended_utilization::RULE,
    &container_not_found::RULE,
    &unreachable_cpu_target::RULE,
    &saturated_before_scale::RULE,
    &oom_before_scale::RULE,
    &memory_only::RULE,
    &duplicate_metric::RULE,
    &value_on_backlog::RULE,
    &external_no_selector::RULE,
    &quantity_scale::RULE,
    &averagevalue_above_limit::RULE,
];
