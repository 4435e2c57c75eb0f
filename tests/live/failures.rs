//! Metrics, targets and selectors that can't be read.

use serde_json::json;

use crate::{
    manifest::{average, deployment, hpa},
    namespace::namespace,
};

#[test]
fn broken_metrics_api_stops_scaling() {
    let namespace = namespace("metrics-broken");
    namespace.metrics(&json!({"apis": {"metrics.k8s.io": "500"}}));
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.decides("4 → 4: SucceededGetScale !FailedGetResourceMetric");
}

#[test]
fn absent_metrics_api_stops_scaling() {
    let namespace = namespace("metrics-absent");
    namespace.metrics(&json!({"apis": {"metrics.k8s.io": "absent"}}));
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    let decision = namespace.decides("4 → 4: SucceededGetScale !FailedGetResourceMetric");
    decision
        .page_says(["the server could not find the requested resource (get pods.metrics.k8s.io)"]);
}

#[test]
fn metrics_api_that_is_down_stops_scaling() {
    let namespace = namespace("metrics-down");
    namespace.apply([
        deployment("web", 4).pods("cpu", "60m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    namespace.metrics(&json!({"apis": {"metrics.k8s.io": "down"}}));
    let decision =
        namespace.decides("4 → 4: SucceededGetScale !FailedGetResourceMetric !DesiredWithinRange");
    decision.page_says([
        "the server is currently unable to handle the request (get pods.metrics.k8s.io)",
    ]);
}

#[test]
fn custom_and_external_metrics_that_do_not_exist_fail() {
    let namespace = namespace("metrics-unknown");
    let source = json!({"metric": {"name": "http_requests"}, "target": average("100")});
    namespace.apply([
        deployment("web", 2).object(),
        hpa("web")
            .metric("Pods", "pods", source)
            .external("queue_depth", average("10"))
            .object(),
    ]);
    namespace.decides("2 → 2: SucceededGetScale !FailedGetPodsMetric");
}

#[test]
fn failing_metric_blocks_scale_down_but_not_scale_up() {
    let namespace = namespace("failing-metric");
    namespace.apply([
        deployment("web", 4).pods("cpu", "20m").object(),
        hpa("web")
            .cpu(60)
            .external("queue_depth", average("10"))
            .down_at_once()
            .object(),
    ]);
    let decision = namespace.decides("4 → 4: SucceededGetScale !FailedGetExternalMetric");
    assert_eq!(decision.status("/currentMetrics/1/type"), "");
    decision.page_says(["queue_depth", "does not scale down while a metric fails"]);

    namespace.annotate_pods("web", "cpu", "90m");
    namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn two_hpas_on_one_target_stop_each_other() {
    let namespace = namespace("ambiguous");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(90).object(),
    ]);
    namespace.pass();
    let other = hpa("web-too").target("apps/v1", "Deployment", "web");
    namespace.apply([other.cpu(90).object()]);
    // The controller learns of an HPA's pods when it first looks at it.
    namespace.pass();
    let decision =
        namespace.decides("4 → 4: SucceededGetScale !AmbiguousSelector !DesiredWithinRange");
    decision.page_says(["web-too"]);
}

#[test]
fn deleted_target_fails() {
    let namespace = namespace("target-deleted");
    namespace.apply([
        deployment("web", 2).pods("cpu", "50m").object(),
        hpa("web").cpu(50).object(),
    ]);
    namespace.pass();
    namespace.run(["delete", "deployment", "web"]);
    let decision = namespace
        .decides("no target → no target: !FailedGetScale ValidMetricFound !DesiredWithinRange");
    decision.page_says(["\"web\" not found"]);
}

#[test]
fn target_of_an_unknown_kind_fails() {
    let namespace = namespace("target-unknown");
    namespace.apply([hpa("web")
        .target("example.com/v1", "Gizmo", "web")
        .cpu(50)
        .object()]);
    let decision = namespace.decision_without_a_gate("web");
    assert_eq!(decision.made(), "no target → no target: !FailedGetScale");
    decision.page_says(["no matches for kind \"Gizmo\" in group \"example.com\""]);
}
