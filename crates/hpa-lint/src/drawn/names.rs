//! No text has a hole where a name should be.

use std::collections::BTreeSet;

use proptest::{prelude::*, sample::Index};
use serde_json::{Map, Value, json};

use super::{hpa, report, workload};
use crate::Report;

/// Objects that rules compare with each other.
fn objects() -> Vec<Value> {
    let metadata = json!({"name": "web", "namespace": "shop"});
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
    let scaled = |name: &str| {
        json!({
            "apiVersion": "keda.sh/v1alpha1",
            "kind": "ScaledObject",
            "metadata": {"name": name, "namespace": "shop"},
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "minReplicaCount": 0,
                "advanced": {"horizontalPodAutoscalerConfig": {"name": "web-scaled"}},
                "triggers": [
                    {"type": "cpu", "name": "use", "metadata": {"value": "70", "containerName": "main"}},
                    {"type": "cron", "metadata": {"start": "0 6 * * *", "end": "0 8 * * *", "desiredReplicas": "4"}}
                ]
            }
        })
    };
    let mut second = hpa();
    second["metadata"]["name"] = json!("second");
    second["spec"]["minReplicas"] = json!(20);
    second["spec"]["maxReplicas"] = json!(30);
    let old = json!({
        "apiVersion": "autoscaling/v2beta1",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "old", "namespace": "shop"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web"},
            "minReplicas": 0,
            "maxReplicas": 3,
            "metrics": [
                {"type": "Object", "object": {
                    "metricName": "hits", "target": {"kind": "Ingress", "name": "web"}, "targetValue": 5
                }},
                {"type": "Pods", "pods": {"metricName": "orders", "targetAverageValue": 5}},
                {"type": "Resource", "resource": {"name": "memory", "targetAverageUtilization": 80}}
            ]
        }
    });
    let mut without_requests = workload("StatefulSet", "web");
    without_requests["spec"]["template"]["spec"]["containers"][0]["resources"] = json!({});
    without_requests["spec"]["replicas"] = json!(3);
    vec![
        hpa(),
        second,
        old,
        workload("Deployment", "web"),
        workload("Deployment", "api"),
        without_requests,
        scaled("web"),
        scaled("queue"),
        json!({"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"selector": {"app": "web"}}}),
        json!({
            "apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": metadata,
            "spec": {"defaultBackend": {"service": {"name": "web"}}}
        }),
        json!({
            "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata,
            "spec": {"minAvailable": 3, "selector": {"matchLabels": {"app": "web"}}}
        }),
        json!({
            "apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata,
            "spec": {"hard": {"pods": "2", "requests.cpu": "1", "limits.memory": "1Gi"}}
        }),
        json!({
            "apiVersion": "autoscaling.k8s.io/v1", "kind": "VerticalPodAutoscaler", "metadata": metadata,
            "spec": {"targetRef": target}
        }),
        json!({
            "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "roll", "namespace": "shop"},
            "spec": {"replicas": 2, "workloadRef": target}
        }),
        json!({
            "apiVersion": "flagger.app/v1beta1", "kind": "Canary", "metadata": metadata,
            "spec": {"targetRef": target, "autoscalerRef": target}
        }),
        json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "job", "namespace": "shop"},
            "spec": {"template": {
                "metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "main"}]}
            }}
        }),
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {"group": "example.com", "names": {"kind": "Widget", "plural": "widgets"}, "versions": []}
        }),
    ]
}

/// Keys whose values name something.
const NAMING: [&str; 8] = [
    "name",
    "kind",
    "apiVersion",
    "namespace",
    "container",
    "containerName",
    "metricName",
    "type",
];

/// Pointers to all values that name something, but not what an object is.
fn names(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let below = format!("{pointer}/{key}");
                let is_identity =
                    pointer.is_empty() && matches!(key.as_str(), "kind" | "apiVersion");
                if value.is_string() && NAMING.contains(&key.as_str()) && !is_identity {
                    found.push(below);
                } else {
                    names(value, &below, found);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                names(item, &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// Leaves a name empty, blank, null, or out.
fn empty(object: &mut Value, pointer: &str, how: u8) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    let Some(Value::Object(fields)) = object.pointer_mut(parent) else {
        return;
    };
    let fields: &mut Map<String, Value> = fields;
    match how {
        0 => fields.insert(key.to_owned(), json!("")),
        1 => fields.insert(key.to_owned(), Value::Null),
        _ => fields.remove(key),
    };
}

/// All texts of a report.
fn texts(report: &Report) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for one in &report.findings {
        let finding = &one.finding;
        let mut add = |text: &str| texts.push((one.rule.code.to_owned(), text.to_owned()));
        add(&finding.message);
        add(&finding.help);
        finding.labels.iter().for_each(|(_, text)| add(text));
        finding
            .related
            .iter()
            .for_each(|related| add(&related.note));
    }
    for note in &report.notes {
        texts.push((note.code.to_owned(), note.message.clone()));
    }
    texts
}

/// What a text has where a name is missing.
fn hole(text: &str) -> Option<&'static str> {
    const HOLES: [&str; 16] = [
        "  ", "/ ", " /", "//", "/,", "/.", "/:", "\"\"", "''", "``", "()", " ,", " ;", " :", "(,",
        ", ,",
    ];
    const ENDS: [&str; 8] = ["/", " ", ":", ",", " of", " in", " named", " kind"];
    let is_held = |hole: &&&str| text.contains(**hole);
    HOLES
        .iter()
        .find(is_held)
        .or_else(|| ENDS.iter().find(|end| text.ends_with(**end)))
        .copied()
        .filter(|_| !text.contains("://"))
}

/// The texts of a report with a hole.
fn with_holes(report: &Report) -> BTreeSet<String> {
    texts(report)
        .into_iter()
        .filter_map(|(code, text)| Some(format!("{:?} in {code}: {text}", hole(&text)?)))
        .collect()
}

#[test]
fn no_text_has_a_hole_where_one_name_is_missing() {
    let objects = objects();
    let mut found = BTreeSet::new();
    for (index, object) in objects.iter().enumerate() {
        let mut pointers = Vec::new();
        names(object, "", &mut pointers);
        for (pointer, how) in pointers.iter().zip([0, 2].into_iter().cycle()) {
            let mut objects = objects.clone();
            empty(&mut objects[index], pointer, how);
            found.extend(with_holes(&report(&objects, false, false)));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_has_a_hole_where_names_are_missing(
        emptied in prop::collection::vec((any::<Index>(), any::<Index>(), 0..3_u8), 1..8),
        left_out in prop::collection::vec(any::<Index>(), 0..8),
        is_complete in any::<bool>(),
        is_live in prop::bool::weighted(0.2),
    ) {
        let mut objects = objects();
        for (object, name, how) in &emptied {
            let object = object.index(objects.len());
            let object = &mut objects[object];
            let mut pointers = Vec::new();
            names(object, "", &mut pointers);
            if !pointers.is_empty() {
                empty(object, &pointers[name.index(pointers.len())], *how);
            }
        }
        for one in &left_out {
            if 1 < objects.len() {
                let index = one.index(objects.len());
                objects.remove(index);
            }
        }
        let found = with_holes(&report(&objects, is_complete, is_live));
        prop_assert!(found.is_empty(), "{:#?}", found);
    }
}

#[test]
fn an_hpa_without_a_target_has_one_finding_and_is_compared_with_none() {
    let mut one = hpa();
    one["spec"]
        .as_object_mut()
        .expect("an object")
        .remove("scaleTargetRef");
    let mut other = one.clone();
    other["metadata"]["name"] = json!("other");
    let report = report(&[one, other, workload("Deployment", "web")], false, false);
    let about_target = report
        .findings
        .iter()
        .filter(|one| one.finding.path.starts_with("spec.scaleTargetRef"));
    let codes: Vec<&str> = about_target.map(|one| one.rule.code).collect();
    assert_eq!(codes, ["HPA004", "HPA004"]);
}
