//! A metric is invalid.

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext, without_numbers},
};
use crate::{
    explain::{MetricFacts, failure_cause},
    model::MetricStatus,
    trace::Choice,
};

/// Holds for each metric that is invalid, with what follows from it.
pub(super) fn check(cx: &AlarmContext<'_>) -> Vec<AlarmCondition> {
    let effect = match cx.facts.choice.map(|choice| choice.choice) {
        Some(Choice::AllInvalid) => ": without it nothing is scaled",
        _ => ": nothing is scaled down",
    };
    cx.facts
        .metrics
        .iter()
        .filter_map(|metric| condition(cx, metric, effect))
        .collect()
}

fn condition(
    cx: &AlarmContext<'_>,
    metric: &MetricFacts<'_>,
    effect: &str,
) -> Option<AlarmCondition> {
    let cause = failure_cause(metric.failure()?);
    let name = metric.full_name();
    let status = &cx.facts.observation.hpa.status;
    let is_written = matches!(
        status.current_metrics.get(metric.evaluation.index),
        Some(MetricStatus::Failed)
    );
    // The condition is false for as long as nothing can be scaled, for whatever metric.
    let active = cx
        .condition("ScalingActive")
        .filter(|active| active.status == "False" && active.reason != "ScalingDisabled");
    Some(AlarmCondition {
        since: active.and_then(|active| cx.since(active)),
        gist: without_numbers(&cause),
        subject: name.clone(),
        ..cx.of_decision(
            AlarmKind::InvalidMetric,
            format!("{name} is invalid{effect} ({cause})"),
            is_written || active.is_some(),
        )
    })
}
