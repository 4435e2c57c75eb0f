//! Zero replicas turn the HPA off.

use hpa_engine::{
    model::{MetricSpec, Provenance},
    trace::{BoundsBranch, DisabledReason},
};
use hpa_words::amount::{names, upper_first};

use super::{NOT_SCALING, RuleWords};
use crate::{
    ExplainContext, StepKind, command::of_target, context::autoscalers::keda, ladder::disabled,
};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("off at zero replicas"),
    needed_first: Some("after the replicas are set to 1 or more"),
    failed: NOT_SCALING,
    label: |_| "off_at_zero",
    short: |_, _| Some("not scaling at 0".into()),
    sentences: |cx, _| sentences(cx),
    recovers: |_| false,
    why_nothing: |_| "",
    advice: |_| None,
    command: |cx| {
        let replicas = format!("--replicas={}", cx.facts.min().max(1));
        let scale = || of_target(cx, "kubectl scale").arg(replicas);
        keda::owner(cx).is_none().then(scale)
    },
    before_command: |_| None,
    steps: |_| &[(StepKind::CompareBounds, false)],
    what_ifs: &[],
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let target = &cx.facts.observation.hpa.spec.scale_target;
    let reason = match cx.facts.bounds.map(|bounds| bounds.branch) {
        Some(BoundsBranch::Disabled(reason)) => reason,
        _ => DisabledReason::MinReplicasNotZero,
    };
    let why = disabled(reason, cx.facts.min());
    let mut sentences = vec![
        format!("{target} has 0 replicas, which turns the HPA off."),
        match preconditions(cx) {
            Some(missing) => format!(
                "Since Kubernetes 1.36 an HPA leaves 0 only if it scaled to 0 itself. {missing}"
            ),
            None => format!("{}.", upper_first(&why)),
        },
    ];
    sentences.push(match keda::owner(cx) {
        Some(keda) => format!(
            "KEDA scales it up when a trigger of ScaledObject {} is active.",
            keda.name
        ),
        None => format!("If 0 is not intended, scale {target} up:"),
    });
    sentences
}

/// The preconditions for leaving zero replicas from 1.36 on, and which of them is not met. Upstream:
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
        Some(condition) => missing.push(format!("condition ScaledToZero is {}", condition.status)),
        None => missing.push("condition ScaledToZero is missing".to_owned()),
    }
    if !gate.value {
        let assumed = if gate.provenance == Provenance::Assumed {
            " (default)"
        } else {
            ""
        };
        missing.push(format!("feature gate HPAScaleToZero is off{assumed}"));
    }
    let metrics = &observation.hpa.spec.metrics;
    if cx.facts.min() == 0 && !metrics.iter().any(MetricSpec::is_total) {
        missing.push("no metric is of type Object or External".to_owned());
    }
    Some(format!("Here {}.", names(&missing, 3)))
}
