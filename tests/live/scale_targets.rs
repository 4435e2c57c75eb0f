//! What an HPA scales: any kind with a scale subresource; and HPAs of the older API version.

use serde_json::{Value, json};

use crate::{
    manifest::{deployment, hpa, stray_pod},
    namespace::{Namespace, namespace},
};

#[test]
fn stateful_set_scales_down_at_once() {
    let namespace = namespace("stateful-set");
    namespace.apply([
        deployment("db", 4)
            .stateful_set()
            .pods("cpu", "20m")
            .object(),
        hpa("db")
            .target("apps/v1", "StatefulSet", "db")
            .cpu(60)
            .down_at_once()
            .object(),
    ]);
    namespace.decides_for(
        "db",
        "4 → 2: SucceededRescale ValidMetricFound !DesiredWithinRange",
    );
}

#[test]
fn custom_resource_scales_through_its_subresource() {
    let namespace = namespace("custom-resource");
    scalable(&namespace, "Widget");
    let decision =
        namespace.decides("2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
    decision.page_says(["Widget"]);
}

#[test]
fn custom_resource_without_a_selector_cannot_be_scaled() {
    let namespace = namespace("no-selector");
    scalable(&namespace, "Gadget");
    let decision = namespace.decides("2 → 2: SucceededGetScale !InvalidSelector");
    decision.page_says(["selector"]);
}

#[test]
fn hpa_of_version_1_is_read_as_version_2() {
    let namespace = namespace("version-1");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        json!({
            "apiVersion": "autoscaling/v1",
            "kind": "HorizontalPodAutoscaler",
            "metadata": {"name": "web"},
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "maxReplicas": 10,
            },
        }),
    ]);
    // The API server fills in a target of 80%: 90 / 80 × 4 pods.
    namespace.decides("4 → 5: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

/// Two pods at 90% of their request, an object of that kind that has them, and its HPA.
fn scalable(namespace: &Namespace, kind: &str) {
    let metadata = json!({"name": "web"});
    let object = |status: Value| json!({"apiVersion": "example.com/v1", "kind": kind, "metadata": metadata, "spec": {"replicas": 2}, "status": status});
    namespace.apply([
        stray_pod("web-0", "web", &[("cpu", "90m")]),
        stray_pod("web-1", "web", &[("cpu", "90m")]),
        object(json!({})),
        hpa("web")
            .target("example.com/v1", kind, "web")
            .cpu(60)
            .object(),
    ]);
    let patch = json!({"status": {"replicas": 2, "selector": "app=web"}}).to_string();
    namespace.run([
        "patch",
        &format!("{kind}.example.com"),
        "web",
        "--subresource=status",
        "--type=merge",
        "-p",
        &patch,
    ]);
}
