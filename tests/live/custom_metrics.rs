//! `Pods`, `Object` and `External` metrics.

use serde_json::{Value, json};

use crate::{
    manifest::{average, deployment, hpa, value},
    namespace::namespace,
};

#[test]
fn pods_metric_above_its_average_scales_up() {
    let namespace = namespace("pods-metric");
    let source = json!({"metric": {"name": "http_requests"}, "target": average("100")});
    namespace.apply([
        deployment("web", 2)
            .pods("metric.http_requests", "150")
            .object(),
        hpa("web").metric("Pods", "pods", source).object(),
    ]);
    namespace.decides("2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn pods_metric_with_a_selector_reads_the_selected_series() {
    let namespace = namespace("pods-series");
    let metric = json!({"name": "http_requests", "selector": {"matchLabels": {"verb": "GET"}}});
    let source = json!({"metric": metric, "target": average("100")});
    namespace.metrics(&json!({"custom": [
        {"metric": "http_requests", "selector": "app=web", "labels": {"verb": "GET"}, "value": "50"},
        {"metric": "http_requests", "selector": "app=web", "labels": {"verb": "PUT"}, "value": "900"},
    ]}));
    namespace.apply([
        deployment("web", 4).object(),
        hpa("web")
            .metric("Pods", "pods", source)
            .down_at_once()
            .object(),
    ]);
    namespace.decides("4 → 2: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn object_value_is_multiplied_by_the_ready_pods() {
    let namespace = namespace("object-value");
    namespace.metrics(
        &json!({"custom": [{"metric": "hits", "object": "services/frontend", "value": "3k"}]}),
    );
    namespace.apply([
        deployment("web", 3).pods("ready", "false").object(),
        hpa("web")
            .metric("Object", "object", hits(value("2k")))
            .down_at_once()
            .object(),
    ]);
    let pods = namespace.list("pods");
    for pod in &pods[..2] {
        namespace.annotate_pod(pod, "ready", "true");
    }
    // Two of three pods are ready: ceil(1.5 × 2) is no more than there are.
    namespace.decides("3 → 3: ReadyForNewScale ValidMetricFound !DesiredWithinRange");

    namespace.metrics(
        &json!({"custom": [{"metric": "hits", "object": "services/frontend", "value": "6k"}]}),
    );
    namespace.decides("3 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn object_average_is_divided_by_the_target() {
    let namespace = namespace("object-average");
    namespace.metrics(
        &json!({"custom": [{"metric": "hits", "object": "services/frontend", "value": "200"}]}),
    );
    namespace.apply([
        deployment("web", 4).object(),
        hpa("web")
            .metric("Object", "object", hits(average("100")))
            .down_at_once()
            .object(),
    ]);
    let decision =
        namespace.decides("4 → 2: SucceededRescale ValidMetricFound !DesiredWithinRange");
    assert_eq!(
        decision.status("/currentMetrics/0/object/current/averageValue"),
        "50"
    );
}

#[test]
fn external_value_above_its_target_scales_up() {
    let namespace = namespace("external-value");
    let metric = json!({"name": "queue_depth", "selector": {"matchLabels": {"queue": "mail"}}});
    let source = json!({"metric": metric, "target": value("20")});
    namespace.metrics(&json!({"external": [
        {"metric": "queue_depth", "labels": {"queue": "mail"}, "value": "30"},
        {"metric": "queue_depth", "labels": {"queue": "spam"}, "value": "1000"},
    ]}));
    namespace.apply([
        deployment("web", 2).object(),
        hpa("web").metric("External", "external", source).object(),
    ]);
    namespace.decides("2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn external_average_adds_up_all_series() {
    let namespace = namespace("external-average");
    namespace.metrics(&json!({"external": [
        {"metric": "queue_depth", "labels": {"queue": "mail"}, "value": "15500m"},
        {"metric": "queue_depth", "labels": {"queue": "spam"}, "value": "2"},
    ]}));
    namespace.apply([
        deployment("web", 4).object(),
        hpa("web")
            .external("queue_depth", average("10"))
            .down_at_once()
            .object(),
    ]);
    let decision =
        namespace.decides("4 → 2: SucceededRescale ValidMetricFound !DesiredWithinRange");
    assert_eq!(
        decision.status("/currentMetrics/0/external/current/averageValue"),
        "4375m"
    );
}

fn hits(target: Value) -> Value {
    json!({
        "metric": {"name": "hits"},
        "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "frontend"},
        "target": target,
    })
}
