//! The objects of a situation, built by chained calls. Defaults are valid; a test mentions only what it is about.

use serde_json::{Value, json};

/// A workload: a Deployment unless said otherwise, with one container `main` that requests 100m CPU and 200Mi.
pub(crate) struct Workload(Value);

/// Starts a Deployment whose pods have the label `app: NAME`.
pub(crate) fn deployment(name: &str, replicas: i32) -> Workload {
    Workload(json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}, "annotations": {}},
                "spec": {"containers": [container("main", json!({"cpu": "100m", "memory": "200Mi"}))]},
            },
        },
    }))
}

impl Workload {
    /// Makes it a StatefulSet.
    pub(crate) fn stateful_set(mut self) -> Self {
        self.0["kind"] = json!("StatefulSet");
        self.0["spec"]["serviceName"] = self.0["metadata"]["name"].clone();
        self.0["spec"]["podManagementPolicy"] = json!("Parallel");
        self
    }

    /// Sets a `testcluster/` annotation of the pods: usage, readiness, age (`tests/cluster/README.md`).
    pub(crate) fn pods(mut self, annotation: &str, value: &str) -> Self {
        self.0["spec"]["template"]["metadata"]["annotations"]
            [format!("testcluster/{annotation}")] = json!(value);
        self
    }

    /// Adds a container.
    pub(crate) fn container(mut self, name: &str, requests: Value) -> Self {
        let containers = &mut self.0["spec"]["template"]["spec"]["containers"];
        containers
            .as_array_mut()
            .unwrap()
            .push(container(name, requests));
        self
    }

    /// Returns the object.
    pub(crate) fn object(self) -> Value {
        self.0
    }
}

fn container(name: &str, requests: Value) -> Value {
    json!({"name": name, "image": "example.com/image", "resources": {"requests": requests}})
}

/// A pod that no workload owns but that has the labels of `app`'s pods.
pub(crate) fn stray_pod(name: &str, app: &str, annotations: &[(&str, &str)]) -> Value {
    let annotations = annotations
        .iter()
        .map(|(name, value)| (format!("testcluster/{name}"), json!(value)));
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": {"app": app}, "annotations": Value::Object(annotations.collect())},
        "spec": {"containers": [container("main", json!({"cpu": "100m", "memory": "200Mi"}))]},
    })
}

/// An HPA of API version `autoscaling/v2`.
#[derive(Clone)]
pub(crate) struct Hpa(Value);

/// Starts an HPA of 1 to 10 replicas on the Deployment of the same name.
pub(crate) fn hpa(name: &str) -> Hpa {
    Hpa(json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
            "minReplicas": 1,
            "maxReplicas": 10,
            "metrics": [],
        },
    }))
}

impl Hpa {
    /// Sets the scale target.
    pub(crate) fn target(mut self, api_version: &str, kind: &str, name: &str) -> Self {
        self.0["spec"]["scaleTargetRef"] =
            json!({"apiVersion": api_version, "kind": kind, "name": name});
        self
    }

    /// Sets `minReplicas` and `maxReplicas`.
    pub(crate) fn bounds(mut self, min: i32, max: i32) -> Self {
        self.0["spec"]["minReplicas"] = json!(min);
        self.0["spec"]["maxReplicas"] = json!(max);
        self
    }

    /// Adds a Resource metric: cpu in percent of requests.
    pub(crate) fn cpu(self, percent: i32) -> Self {
        self.resource(
            "cpu",
            json!({"type": "Utilization", "averageUtilization": percent}),
        )
    }

    /// Adds a Resource metric.
    pub(crate) fn resource(self, name: &str, target: Value) -> Self {
        self.metric(
            "Resource",
            "resource",
            json!({"name": name, "target": target}),
        )
    }

    /// Adds a metric of the type, whose field has the name.
    pub(crate) fn metric(mut self, metric_type: &str, field: &str, source: Value) -> Self {
        let metrics = self.0["spec"]["metrics"].as_array_mut().unwrap();
        metrics.push(json!({"type": metric_type, field: source}));
        self
    }

    /// Adds an External metric.
    pub(crate) fn external(self, name: &str, target: Value) -> Self {
        self.metric(
            "External",
            "external",
            json!({"metric": {"name": name}, "target": target}),
        )
    }

    /// Sets `behavior`.
    pub(crate) fn behavior(mut self, behavior: Value) -> Self {
        self.0["spec"]["behavior"] = behavior;
        self
    }

    /// Lets it scale down immediately: `behavior` without a window.
    pub(crate) fn down_at_once(self) -> Self {
        self.behavior(json!({"scaleDown": {"stabilizationWindowSeconds": 0}}))
    }

    /// Returns the object.
    pub(crate) fn object(self) -> Value {
        self.0
    }
}

/// `target` of a metric: an average per pod.
pub(crate) fn average(value: &str) -> Value {
    json!({"type": "AverageValue", "averageValue": value})
}

/// `target` of a metric: a value.
pub(crate) fn value(value: &str) -> Value {
    json!({"type": "Value", "value": value})
}

/// Two kinds with a scale subresource: `Widget` shows a selector, `Gadget` doesn't.
pub(crate) fn widget_definitions() -> [Value; 2] {
    let mut widget = scalable_kind("Widget", "widgets");
    widget["spec"]["versions"][0]["subresources"]["scale"]["labelSelectorPath"] =
        json!(".status.selector");
    [widget, scalable_kind("Gadget", "gadgets")]
}

fn scalable_kind(kind: &str, plural: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural},
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
                "subresources": {
                    "status": {},
                    "scale": {
                        "specReplicasPath": ".spec.replicas",
                        "statusReplicasPath": ".status.replicas",
                    },
                },
            }],
        },
    })
}

/// Kinds of other autoscalers: the controller learns of them as of any kind.
pub(crate) fn autoscaler_definitions() -> [Value; 3] {
    let mut rollout = kind("Rollout", "rollouts", "argoproj.io", "v1alpha1");
    rollout["spec"]["versions"][0]["subresources"] = json!({"scale": {
        "specReplicasPath": ".spec.replicas",
        "statusReplicasPath": ".status.HPAReplicas",
        "labelSelectorPath": ".status.selector",
    }});
    let mut vertical = kind(
        "VerticalPodAutoscaler",
        "verticalpodautoscalers",
        "autoscaling.k8s.io",
        "v1",
    );
    vertical["metadata"]["annotations"] =
        json!({"api-approved.kubernetes.io": "unapproved, stands for the real one"});
    [
        kind("ScaledObject", "scaledobjects", "keda.sh", "v1alpha1"),
        rollout,
        vertical,
    ]
}

/// A kind of which the API server checks nothing.
pub(crate) fn kind(kind: &str, plural: &str, group: &str, version: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}")},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural},
            "versions": [{
                "name": version,
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
            }],
        },
    })
}
