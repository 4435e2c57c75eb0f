//! docs/dev/controller.md 12.6: scaling from and to zero. Upstream: `TestScaleUpFromZero…` and
//! `TestScaledToZeroConditionHandledOnNormalRescale`.

use hpa_engine::trace::{Decision, Trace};

use crate::support::{all_versions, outcome, since, until};
use hpa_testing::{World, hpa, pod, value};

/// Type, status and reason of all conditions after the reconcile.
fn conditions(trace: &Trace) -> Vec<(&str, &str, &str)> {
    let conditions = outcome(trace).status.conditions.iter();
    conditions
        .map(|condition| {
            (
                condition.condition_type.as_str(),
                condition.status.as_str(),
                condition.reason.as_str(),
            )
        })
        .collect()
}

fn object() -> World {
    hpa("web").object(value("15")).max(6)
}

fn scaled_to_zero(hpa: World) -> World {
    hpa.condition("ScaledToZero", "True", "ScaledToZero")
}

fn with_gate(situation: &World, minor: u32, is_on: bool) -> Trace {
    situation
        .clone()
        .kube(minor)
        .gate("HPAScaleToZero", is_on)
        .decide()
}

#[test]
fn workload_that_someone_else_scaled_to_zero_stays_there_from_1_36_on() {
    let situation = object().min(0).with_replicas(0).hits("20");
    for minor in since(36) {
        for is_on in [true, false] {
            let trace = with_gate(&situation, minor, is_on);
            assert_eq!(trace.decision, Decision::Disabled);
            assert_eq!(
                conditions(&trace),
                [
                    ("AbleToScale", "True", "SucceededGetScale"),
                    ("ScalingActive", "False", "ScalingDisabled"),
                ]
            );
        }
    }
    for minor in until(35) {
        let trace = situation.clone().kube(minor).decide();
        assert_eq!(outcome(&trace).scale_to, Some(2), "1.{minor}");
    }
}

#[test]
fn workload_that_the_hpa_scaled_to_zero_is_raised_to_a_new_minimum() {
    let situation = scaled_to_zero(object().min(2)).with_replicas(0).hits("10");
    for minor in since(36) {
        let trace = with_gate(&situation, minor, true);
        assert_eq!(outcome(&trace).scale_to, Some(2));
        assert_eq!(
            conditions(&trace),
            [
                ("ScaledToZero", "False", "NotScaledToZero"),
                ("AbleToScale", "True", "SucceededRescale"),
                ("ScalingActive", "True", "ValidMetricFound"),
                ("ScalingLimited", "True", "TooFewReplicas"),
            ]
        );
        let trace = with_gate(&situation, minor, false);
        assert_eq!(trace.decision, Decision::Disabled);
        assert_eq!(
            conditions(&trace),
            [
                ("AbleToScale", "True", "SucceededGetScale"),
                ("ScalingActive", "False", "ScalingDisabled"),
            ]
        );
    }
}

#[test]
fn tolerance_does_not_hold_at_zero() {
    let close = scaled_to_zero(object().min(0))
        .with_replicas(0)
        .hits("15.5");
    for minor in since(36) {
        assert_eq!(outcome(&with_gate(&close, minor, true)).scale_to, Some(2));
    }
}

#[test]
fn minimum_above_zero_and_manual_zero_pause_the_hpa_in_every_version() {
    let situation = object().min(1).with_replicas(0).hits("20");
    for minor in all_versions() {
        let trace = situation.clone().kube(minor).decide();
        assert_eq!(trace.decision, Decision::Disabled, "1.{minor}");
    }
}

#[test]
fn condition_scaled_to_zero_follows_every_rescale() {
    let down = object()
        .min(0)
        .with_replicas(1)
        .hits("0")
        .pods([pod("web")])
        .remembering(&[]);
    for minor in since(36) {
        let trace = with_gate(&down, minor, true);
        let last = conditions(&trace).pop();
        assert_eq!(last, Some(("ScaledToZero", "True", "ScaledToZero")));
        let trace = with_gate(&down, minor, false);
        assert_eq!(outcome(&trace).scale_to, Some(0));
        assert_eq!(conditions(&trace).len(), 3);
    }
}
