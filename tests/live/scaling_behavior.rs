//! What limits the metrics' proposal: tolerance, windows, policies.

use std::time::Duration;

use serde_json::json;

use crate::{
    manifest::{deployment, hpa},
    namespace::namespace,
    releases::{is_too_old_for, version},
};

#[test]
fn usage_within_the_tolerance_holds() {
    let namespace = namespace("tolerance");
    namespace.apply([
        deployment("web", 4).pods("cpu", "55m").object(),
        hpa("web").cpu(50).object(),
    ]);
    let decision = namespace.decision("web");
    // Up to 1.32 a ratio of 1.1 is outside, by the rounding of 1 − 1.1.
    let made = if version().minor < 33 {
        "4 → 5: SucceededRescale ValidMetricFound !DesiredWithinRange"
    } else {
        "4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange"
    };
    assert_eq!(decision.made(), made);
    decision.page_says(["55%", "50%"]);
}

#[test]
fn tolerance_of_one_direction_leaves_the_other() {
    if is_too_old_for("scaling_behavior::tolerance_of_one_direction_leaves_the_other") {
        return;
    }
    let namespace = namespace("tolerances");
    let behavior = json!({
        "scaleUp": {"tolerance": "0.5"},
        "scaleDown": {"tolerance": "0.05", "stabilizationWindowSeconds": 0},
    });
    namespace.apply([
        deployment("web", 10).pods("cpu", "70m").object(),
        hpa("web").bounds(1, 20).cpu(50).behavior(behavior).object(),
    ]);
    namespace.decides("10 → 10: ReadyForNewScale ValidMetricFound !DesiredWithinRange");

    namespace.annotate_pods("web", "cpu", "47m");
    namespace.pass();
    namespace.annotate_pods("web", "cpu", "45m");
    namespace.decides("10 → 9: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn load_that_falls_waits_for_the_window() {
    let namespace = namespace("window-down");
    namespace.apply([
        deployment("web", 4).pods("cpu", "80m").object(),
        hpa("web").cpu(80).object(),
    ]);
    namespace.pass();
    namespace.annotate_pods("web", "cpu", "20m");
    let decision =
        namespace.decides("4 → 4: ScaleDownStabilized ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "STAYS AT 4",
        "and asks for 1 replica (20 / 80 × 4 pods = 1), but the 30 s scale-down window holds 4",
    ]);
}

#[test]
fn surplus_without_a_recent_recommendation_goes_at_once() {
    let namespace = namespace("window-over");
    namespace.apply([
        deployment("web", 4).pods("cpu-total", "200m").object(),
        hpa("web").cpu(50).object(),
    ]);
    namespace.passes_for(Duration::from_secs(33));
    namespace.scale("web", 8);
    namespace.decides("8 → 4: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn load_that_rises_waits_for_the_scale_up_window() {
    let namespace = namespace("window-up");
    namespace.apply([
        deployment("web", 4).pods("cpu", "50m").object(),
        hpa("web")
            .cpu(50)
            .behavior(json!({"scaleUp": {"stabilizationWindowSeconds": 120}}))
            .object(),
    ]);
    namespace.pass();
    namespace.annotate_pods("web", "cpu", "100m");
    namespace.decides("4 → 4: ScaleUpStabilized ValidMetricFound !DesiredWithinRange");
}

#[test]
fn scale_up_policy_is_used_up_for_its_period() {
    let namespace = namespace("policy-up");
    let policies = json!([{"type": "Pods", "value": 2, "periodSeconds": 120}]);
    namespace.apply([
        deployment("web", 4).pods("cpu", "100m").object(),
        hpa("web")
            .cpu(50)
            .behavior(json!({"scaleUp": {"policies": policies}}))
            .object(),
    ]);
    namespace.decides("4 → 6: SucceededRescale ValidMetricFound ScaleUpLimit");
    namespace.decides("6 → 6: ReadyForNewScale ValidMetricFound ScaleUpLimit");
}

#[test]
fn scale_down_policy_is_used_up_for_its_period() {
    let namespace = namespace("policy-down");
    let policies = json!([{"type": "Percent", "value": 20, "periodSeconds": 120}]);
    let behavior = json!({"scaleDown": {"stabilizationWindowSeconds": 0, "policies": policies}});
    namespace.apply([
        deployment("web", 6).pods("cpu", "10m").object(),
        hpa("web").cpu(50).behavior(behavior).object(),
    ]);
    namespace.decides("6 → 4: SucceededRescale ValidMetricFound ScaleDownLimit");
    namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound ScaleDownLimit");
}

#[test]
fn disabled_direction_holds() {
    let namespace = namespace("disabled");
    let behavior =
        json!({"scaleDown": {"selectPolicy": "Disabled", "stabilizationWindowSeconds": 0}});
    namespace.apply([
        deployment("web", 4).pods("cpu", "10m").object(),
        hpa("web").cpu(50).behavior(behavior).object(),
    ]);
    let decision = namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound ScaleDownLimit");
    decision.page_says(["Disabled"]);
}

#[test]
fn one_step_at_most_doubles_without_behavior() {
    let namespace = namespace("doubling");
    namespace.apply([
        deployment("web", 2).pods("cpu", "515m").object(),
        hpa("web").cpu(20).object(),
    ]);
    namespace.decides("2 → 4: SucceededRescale ValidMetricFound ScaleUpLimit");
    namespace.decides("4 → 8: SucceededRescale ValidMetricFound ScaleUpLimit");
}

#[test]
fn edit_of_the_spec_counts_from_the_next_pass() {
    let namespace = namespace("edit");
    namespace.apply([
        deployment("web", 4).pods("cpu", "50m").object(),
        hpa("web").cpu(50).object(),
    ]);
    namespace.pass();
    namespace.apply([hpa("web").cpu(25).object()]);
    namespace.pass_begun_before_the_edit();
    namespace.decides("4 → 8: SucceededRescale ValidMetricFound !DesiredWithinRange");
}
