//! Folders of many small files.

use std::fs;

use super::above;
use crate::plugin::Plugin;

/// A folder of files, each with what `object` makes of its number, and the length of all.
fn folder(plugin: &Plugin, folder: &str, count: usize, object: impl Fn(usize) -> String) -> usize {
    fs::create_dir(plugin.path(folder)).unwrap();
    let written = (0..count).map(|number| {
        let text = object(number);
        fs::write(plugin.path(&format!("{folder}/{number}.yaml")), &text).unwrap();
        text.len()
    });
    written.sum()
}

/// An HPA and its Deployment in a file: both are found by name, by label and by what they select.
fn pair(number: usize) -> String {
    let name = format!("{{name: web-{number}, namespace: shop-{}}}", number % 50);
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name}\nspec:\n  selector: {{matchLabels: {{app: web-{number}}}}}\n  template:\n    metadata: {{labels: {{app: web-{number}}}}}\n    spec: {{containers: [{{name: web, image: web:1, resources: {{requests: {{cpu: 100m}}}}}}]}}\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name}\nspec:\n  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web-{number}}}\n  minReplicas: 2\n  maxReplicas: 10\n  metrics:\n  - type: Resource\n    resource: {{name: cpu, target: {{type: Utilization, averageUtilization: 60}}}}\n"
    )
}

/// An HPA with as many mistakes as fit.
fn rejected(number: usize) -> String {
    format!(
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web-{number}, namespace: shop}}\nspec:\n  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web-{number}}}\n  minReplicas: 20\n  maxReplicas: 2\n  metrics:\n  - type: Resource\n    resource: {{name: CPU, target: {{type: utilization, averageUtilization: 0}}}}\n  behavior: {{scaleUp: {{policies: []}}, scaleDown: {{stabilizationWindowSeconds: 99999}}}}\n"
    )
}

/// One document with as many of them as the folder has.
fn list(_: usize) -> String {
    let items =
        (0..5_000).map(|number| format!("- {}", rejected(number).trim_end().replace('\n', "\n  ")));
    let items: Vec<String> = items.collect();
    format!("apiVersion: v1\nkind: List\nitems:\n{}\n", items.join("\n"))
}

/// A ScaledObject, of which KEDA makes an HPA.
fn scaled_object(number: usize) -> String {
    format!(
        "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {{name: web-{number}, namespace: shop}}\nspec:\n  scaleTargetRef: {{name: web-{number}}}\n  minReplicaCount: 2\n  maxReplicaCount: 10\n  triggers:\n  - {{type: cpu, metricType: Utilization, metadata: {{value: '60'}}}}\n  - {{type: prometheus, metadata: {{serverAddress: http://prometheus:9090, query: 'sum(rate(requests[1m]))', threshold: '100'}}}}\n"
    )
}

#[test]
fn folders_of_many_small_files_take_no_more_whatever_is_in_them() {
    let plugin = Plugin::bare();
    let mut failed = Vec::new();
    for (name, format, length) in [
        ("pairs", "concise", folder(&plugin, "pairs", 5_000, pair)),
        (
            "rejected",
            "junit",
            folder(&plugin, "rejected", 5_000, rejected),
        ),
        ("list", "github", folder(&plugin, "list", 1, list)),
        (
            "scaled",
            "concise",
            folder(&plugin, "scaled", 6_000, scaled_object),
        ),
        (
            "others",
            "concise",
            folder(&plugin, "others", 10_000, |number| {
                pair(number).split("---\n").next().unwrap().to_owned()
            }),
        ),
    ] {
        let words = ["lint", "-f", name, "-o", format];
        failed.extend(above(&plugin, &words, "", length));
    }
    assert_eq!(failed, [""; 0]);
}
