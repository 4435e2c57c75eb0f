//! minReplicas, maxReplicas and zero.

use crate::{
    manifest::{deployment, hpa},
    namespace::namespace,
};

#[test]
fn demand_above_max_stays_at_max() {
    let namespace = namespace("max");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").bounds(1, 6).cpu(30).object(),
    ]);
    namespace.decides("4 → 6: SucceededRescale ValidMetricFound TooManyReplicas");
    let decision = namespace.decides("6 → 6: ReadyForNewScale ValidMetricFound TooManyReplicas");
    decision.page_says(["max 6", "18"]);
}

#[test]
fn idle_workload_stays_at_min() {
    let namespace = namespace("min");
    namespace.apply([
        deployment("web", 4).pods("cpu", "1m").object(),
        hpa("web").bounds(3, 10).cpu(50).down_at_once().object(),
    ]);
    namespace.decides("4 → 3: SucceededRescale ValidMetricFound TooFewReplicas");
    namespace.decides("3 → 3: ReadyForNewScale ValidMetricFound TooFewReplicas");
}

#[test]
fn lowered_max_counts_at_once_whatever_the_metrics_say() {
    let namespace = namespace("max-lowered");
    namespace.apply([
        deployment("web", 6).pods("cpu", "50m").object(),
        hpa("web").cpu(50).object(),
    ]);
    namespace.pass();
    namespace.apply([hpa("web").bounds(1, 4).cpu(50).object()]);
    namespace.pass_begun_before_the_edit();
    let decision =
        namespace.decides("6 → 4: SucceededRescale ValidMetricFound !DesiredWithinRange");
    assert!(decision.status("/currentMetrics/0").is_null());
}

#[test]
fn workload_below_min_is_raised_to_min() {
    let namespace = namespace("below-min");
    namespace.apply([
        deployment("web", 2).pods("cpu", "1m").object(),
        hpa("web").bounds(5, 10).cpu(50).object(),
    ]);
    namespace.decides("2 → 5: SucceededRescale");
}

#[test]
fn hpa_of_a_target_at_zero_is_off() {
    let namespace = namespace("zero");
    namespace.apply([
        deployment("web", 2).pods("cpu", "50m").object(),
        hpa("web").cpu(50).object(),
    ]);
    namespace.pass();
    namespace.scale("web", 0);
    let decision =
        namespace.decides("0 → 0: SucceededGetScale !ScalingDisabled !DesiredWithinRange");
    decision.page_says(["NOT SCALING"]);
}
