//! Properties of all rules, on objects drawn at random.

mod mistakes;
mod names;

use hpa_engine::model::{Input, KubeVersion};
use serde_json::{Value, json};

use super::{LintInput, LintSettings, Report, run};
use crate::rules;

/// Runs all rules, also those that are off by default, on objects of one file.
fn report(objects: &[Value], is_complete: bool, is_live: bool) -> Report {
    let texts: Vec<String> = objects.iter().map(Value::to_string).collect();
    let mut input = LintInput::default();
    input.add_text("drawn.yaml", &texts.join("\n---\n"), true);
    if is_live {
        input.world.set_live();
    }
    let version = KubeVersion {
        minor: 36,
        patch: None,
    };
    let mut settings = LintSettings::new(Input::given(version));
    settings.enabled = rules::catalogue().map(|rule| rule.code).collect();
    settings.is_complete = is_complete;
    run(&input, &settings)
}

/// An HPA with a metric of each type, rate limits in both directions, and tolerances.
fn hpa() -> Value {
    let metric = |name: &str| json!({"name": name, "selector": {"matchLabels": {"queue": "mail"}}});
    let average = json!({"type": "AverageValue", "averageValue": "30"});
    let rules = |value: i32| {
        json!({
            "stabilizationWindowSeconds": 300,
            "selectPolicy": "Max",
            "tolerance": "0.2",
            "policies": [{"type": "Percent", "value": value, "periodSeconds": 60}]
        })
    };
    json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": 3,
            "maxReplicas": 12,
            "metrics": [
                {"type": "Resource", "resource": {
                    "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}
                }},
                {"type": "ContainerResource", "containerResource": {
                    "name": "cpu", "container": "main", "target": {"type": "Utilization", "averageUtilization": 60}
                }},
                {"type": "Pods", "pods": {"metric": metric("orders"), "target": average}},
                {"type": "External", "external": {"metric": metric("waiting"), "target": average}},
                {"type": "Object", "object": {
                    "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "web"},
                    "metric": metric("hits"),
                    "target": {"type": "Value", "value": "100"}
                }}
            ],
            "behavior": {"scaleUp": rules(100), "scaleDown": rules(50)}
        }
    })
}

/// A workload of `apps` with a container `main`.
fn workload(kind: &str, name: &str) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {
            "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}},
                "spec": {"containers": [{
                    "name": "main",
                    "image": "example.com/main:1",
                    "resources": {
                        "requests": {"cpu": "100m", "memory": "64Mi"},
                        "limits": {"cpu": "1", "memory": "128Mi"}
                    },
                    "readinessProbe": {"httpGet": {"path": "/", "port": 80}}
                }]}
            }
        }
    })
}
