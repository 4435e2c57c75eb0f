//! Answers where zero, minimum or maximum decide before any metric is asked.

use crate::{
    explain::{ExplainContext, amount::names, ladder::disabled},
    model::{MetricSpec, Provenance, Relation},
    trace::{BoundsBranch, DisabledReason},
};

pub(super) fn above_max(cx: &ExplainContext<'_>) -> Vec<String> {
    vec![
        format!(
            "The target has {} replicas, more than maxReplicas allows: the HPA sets {} at once.",
            cx.facts.current().unwrap_or_default(),
            cx.facts.max()
        ),
        "No metric, window or policy is asked, not even selectPolicy Disabled.".to_owned(),
    ]
}

pub(super) fn below_min(cx: &ExplainContext<'_>) -> Vec<String> {
    vec![
        format!(
            "The target has {} replicas, fewer than minReplicas: the HPA sets {} at once.",
            cx.facts.current().unwrap_or_default(),
            cx.facts.min()
        ),
        "No metric, window or policy is asked.".to_owned(),
    ]
}

pub(super) fn disabled_at_zero(cx: &ExplainContext<'_>) -> Vec<String> {
    let target = &cx.facts.observation.hpa.spec.scale_target;
    let reason = match cx.facts.bounds.map(|bounds| bounds.branch) {
        Some(BoundsBranch::Disabled(reason)) => reason,
        _ => DisabledReason::MinReplicasNotZero,
    };
    let why = disabled(reason, cx.facts.min());
    let mut sentences = vec![format!(
        "{target} is set to 0 replicas, which pauses the HPA."
    )];
    match preconditions(cx) {
        Some(missing) => sentences.extend([
            "From Kubernetes 1.36 on it leaves 0 only where it went there itself.".to_owned(),
            missing,
        ]),
        None => sentences.push(format!("{}.", upper_first(&why))),
    }
    sentences.push(who_wakes(cx));
    sentences
}

/// KEDA starts what it has scaled to 0; else nobody does.
fn who_wakes(cx: &ExplainContext<'_>) -> String {
    let others = &cx.context.surroundings.autoscalers;
    let keda = others
        .iter()
        .find(|other| other.scaled_object.is_some() && other.relation == Relation::Owner);
    match keda {
        Some(keda) => format!(
            "KEDA wakes it when a trigger of ScaledObject {} is active.",
            keda.name
        ),
        None => format!(
            "Scale it to {} or more by hand to wake the HPA.",
            cx.facts.min().max(1)
        ),
    }
}

pub(super) fn raised_from_zero(cx: &ExplainContext<'_>) -> Vec<String> {
    vec![format!(
        "The HPA itself had scaled to 0, and minReplicas is {} now: it is raised to that at once.",
        cx.facts.min()
    )]
}

/// What it takes to leave zero from 1.36 on, and which of it is not there. Upstream:
/// `shouldComputeMetricsForZeroReplicas`.
fn preconditions(cx: &ExplainContext<'_>) -> Option<String> {
    let observation = cx.facts.observation;
    if observation.controller.version.value.minor < 36 {
        return None;
    }
    let gate = observation.controller.feature_gates.hpa_scale_to_zero;
    let condition = observation.hpa.status.condition("ScaledToZero");
    let mut missing = Vec::new();
    match condition {
        Some(condition) if condition.status == "True" => {}
        Some(condition) => missing.push(format!(
            "the condition ScaledToZero is {}",
            condition.status
        )),
        None => missing.push("there is no condition ScaledToZero".to_owned()),
    }
    if !gate.value {
        let assumed = if gate.provenance == Provenance::Assumed {
            " (by default)"
        } else {
            ""
        };
        missing.push(format!("the feature gate HPAScaleToZero is off{assumed}"));
    }
    let is_measurable =
        |metric: &MetricSpec| matches!(metric, MetricSpec::External(_) | MetricSpec::Object(_));
    let metrics = &observation.hpa.spec.metrics;
    if cx.facts.min() == 0 && !metrics.iter().any(is_measurable) {
        missing.push("no metric is of type Object or External".to_owned());
    }
    Some(format!("What stands in the way: {}.", names(&missing, 3)))
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
