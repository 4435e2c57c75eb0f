//! A small world: namespace `shop` with the HPA `web` on the Deployment `web`, two pods at 50% of their CPU requests.

use serde_json::{Value, json};

/// Path of the HPAs of `shop`.
pub(crate) const HPAS: &str = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers";
/// Path of the pods of `shop`.
pub(crate) const PODS: &str = "/api/v1/namespaces/shop/pods";
/// Path of the usages of the pods of `shop`.
pub(crate) const POD_METRICS: &str = "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods";
/// Path of the Deployments of `shop`.
pub(crate) const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/shop/deployments";
/// Path of the Deployment.
pub(crate) const TARGET: &str = "/apis/apps/v1/namespaces/shop/deployments/web";
/// Path of its scale.
pub(crate) const SCALE: &str = "/apis/apps/v1/namespaces/shop/deployments/web/scale";
/// Path of the quotas of `shop`.
pub(crate) const QUOTAS: &str = "/api/v1/namespaces/shop/resourcequotas";
/// Path of the disruption budgets of `shop`.
pub(crate) const BUDGETS: &str = "/apis/policy/v1/namespaces/shop/poddisruptionbudgets";
/// Path of the events of `shop`.
pub(crate) const EVENTS: &str = "/api/v1/namespaces/shop/events";

/// Path of the external metric `queue_depth` of `shop`.
pub(crate) const EXTERNAL_METRICS: &str =
    "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue_depth";
/// Path of the API services.
pub(crate) const API_SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";

/// All answers of the world, by path.
pub(crate) fn answers() -> Vec<(&'static str, Value)> {
    vec![
        (
            "/version",
            json!({"gitVersion": "v1.36.3", "platform": "linux/amd64"}),
        ),
        (HPAS, list(vec![hpa("web")])),
        (TARGET, deployment()),
        (
            SCALE,
            json!({"spec": {"replicas": 2}, "status": {"replicas": 2, "selector": "app=web"}}),
        ),
        (PODS, list(vec![pod("web-a"), pod("web-b")])),
        (
            POD_METRICS,
            list(vec![usage("web-a", "50m"), usage("web-b", "50m")]),
        ),
        (EVENTS, list(vec![])),
        ("/apis", json!({"groups": []})),
        (API_SERVICES, list(vec![])),
        ("/api/v1/namespaces/kube-system/pods", list(vec![])),
        ("/apis/apps/v1/namespaces/shop/replicasets", list(vec![])),
        (QUOTAS, list(vec![])),
        (BUDGETS, list(vec![])),
    ]
}

/// A list of `items`.
pub(crate) fn list(items: Vec<Value>) -> Value {
    json!({"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": items})
}

/// An HPA with a target of 50% of the CPU requests.
pub(crate) fn hpa(name: &str) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop", "labels": {"tier": "front"}, "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": 1,
            "maxReplicas": 10,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}],
        },
        "status": {"currentReplicas": 2, "desiredReplicas": 2, "currentMetrics": null, "conditions": []},
    })
}

/// A running and ready pod, with everything that a recording must not contain.
pub(crate) fn pod(name: &str) -> Value {
    json!({
        "metadata": {
            "name": name, "namespace": "shop", "labels": {"app": "web"}, "creationTimestamp": "2026-01-01T00:00:00Z",
            "annotations": {"example.com/password": "hunter2"},
        },
        "spec": {"containers": [{
            "name": "main", "image": "example.com/web", "args": ["--password=hunter2"],
            "env": [{"name": "PASSWORD", "value": "hunter2"}],
            "resources": {"requests": {"cpu": "100m"}},
        }]},
        "status": {
            "phase": "Running", "startTime": "2026-01-01T00:00:00Z",
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:10Z"}],
        },
    })
}

/// Usage of a pod.
pub(crate) fn usage(name: &str, cpu: &str) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop", "labels": {"app": "web"}},
        "timestamp": "2026-01-02T00:00:00Z", "window": "15s",
        "containers": [{"name": "main", "usage": {"cpu": cpu}}],
    })
}

/// The answer to a user without permission.
pub(crate) fn forbidden(what: &str) -> Value {
    status(
        403,
        "Forbidden",
        &format!("{what} is forbidden: User \"eve\" cannot do that"),
    )
}

/// A `metav1.Status`.
pub(crate) fn status(code: u16, reason: &str, message: &str) -> Value {
    json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "reason": reason, "code": code})
}

/// The Deployment.
pub(crate) fn deployment() -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop", "managedFields": [
            {"manager": "argocd", "operation": "Apply", "time": "2026-01-01T00:00:00Z", "fieldsV1": {"f:spec": {"f:replicas": {}}}},
        ]},
        "spec": {
            "replicas": 2, "selector": {"matchLabels": {"app": "web"}},
            "template": {"spec": {"containers": [{"name": "main"}]}},
        },
        "status": {"replicas": 2, "readyReplicas": 2, "updatedReplicas": 2},
    })
}
