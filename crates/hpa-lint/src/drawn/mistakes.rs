//! One mistake is one finding.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{hpa, report, workload};
use crate::{Reported, Severity};

/// A value in place of the right one. None: the field is left out.
type Wrong = Option<Value>;

/// Fields of [`hpa`], each with values that the API server rejects.
fn mistakes() -> Vec<(&'static str, Vec<Wrong>)> {
    let of = |values: Value| -> Vec<Wrong> {
        values
            .as_array()
            .expect("a list")
            .iter()
            .cloned()
            .map(Some)
            .collect()
    };
    let or_absent = |values: Value| [of(values), vec![None]].concat();
    let averages = json!(["0", 0, "-1", "much", true, [], ""]);
    let targets = json!(["", "utilization", "averagevalue", "Absolute", 5, null]);
    let names = json!(["", "a/b", null, 5]);
    let windows = json!([-1, 3601, "long", "300", 1.5, true]);
    let policies = json!([[], {}, "x"]);
    let amounts = json!([0, -1, "x", 1.5, null]);
    let periods = json!([0, 1801, -5, "x", null]);
    vec![
        (
            "/spec/minReplicas",
            of(json!([
                -1,
                -2_147_483_648_i64,
                13,
                "two",
                "3",
                2.5,
                [],
                true
            ])),
        ),
        (
            "/spec/maxReplicas",
            or_absent(json!([0, -1, 2, "ten", "12", 1.5, true, null])),
        ),
        (
            "/spec/scaleTargetRef",
            or_absent(json!([null, {}, "Deployment/web", []])),
        ),
        (
            "/spec/scaleTargetRef/kind",
            or_absent(json!(["", "a/b", null, 1, true])),
        ),
        (
            "/spec/scaleTargetRef/name",
            or_absent(json!(["", "a/b", null, 1, true])),
        ),
        ("/spec/metrics", of(json!([{}, "cpu", 5]))),
        (
            "/spec/metrics/0/type",
            or_absent(json!([
                "",
                "resource",
                "RESOURCE",
                "Resources",
                "Memory",
                5,
                null
            ])),
        ),
        (
            "/spec/metrics/0/resource",
            or_absent(json!([null, {}, "cpu"])),
        ),
        (
            "/spec/metrics/0/resource/name",
            or_absent(json!(["", null, 5])),
        ),
        (
            "/spec/metrics/0/resource/target",
            or_absent(json!([null, {}, "70%"])),
        ),
        (
            "/spec/metrics/0/resource/target/type",
            or_absent(targets.clone()),
        ),
        (
            "/spec/metrics/0/resource/target/averageUtilization",
            or_absent(json!([0, -5, "70", "x", 1.5, true, null])),
        ),
        (
            "/spec/metrics/1/containerResource/container",
            or_absent(names.clone()),
        ),
        (
            "/spec/metrics/1/containerResource/name",
            or_absent(json!(["", "CPU", "disk", null])),
        ),
        (
            "/spec/metrics/1/containerResource/target/type",
            of(targets.clone()),
        ),
        (
            "/spec/metrics/1/containerResource/target/averageUtilization",
            or_absent(json!([0, -5, "x"])),
        ),
        ("/spec/metrics/2/pods", or_absent(json!([null, {}]))),
        (
            "/spec/metrics/2/pods/metric",
            or_absent(json!([null, {}, "orders"])),
        ),
        ("/spec/metrics/2/pods/metric/name", or_absent(names.clone())),
        (
            "/spec/metrics/2/pods/target",
            or_absent(json!([null, {}, "30"])),
        ),
        ("/spec/metrics/2/pods/target/type", of(targets.clone())),
        (
            "/spec/metrics/2/pods/target/averageValue",
            or_absent(averages.clone()),
        ),
        (
            "/spec/metrics/3/external/metric/name",
            or_absent(names.clone()),
        ),
        (
            "/spec/metrics/3/external/target/averageValue",
            or_absent(averages.clone()),
        ),
        (
            "/spec/metrics/4/object/describedObject",
            or_absent(json!([null, {}, "Service/web"])),
        ),
        (
            "/spec/metrics/4/object/describedObject/kind",
            or_absent(names.clone()),
        ),
        (
            "/spec/metrics/4/object/describedObject/name",
            or_absent(names),
        ),
        ("/spec/metrics/4/object/target/type", of(targets)),
        ("/spec/metrics/4/object/target/value", or_absent(averages)),
        (
            "/spec/behavior/scaleUp/stabilizationWindowSeconds",
            of(windows.clone()),
        ),
        (
            "/spec/behavior/scaleUp/selectPolicy",
            of(json!(["max", "MIN", "Fastest", "", 1])),
        ),
        (
            "/spec/behavior/scaleUp/tolerance",
            of(json!([-1, "-0.1", "x", []])),
        ),
        ("/spec/behavior/scaleUp/policies", of(policies.clone())),
        (
            "/spec/behavior/scaleUp/policies/0/type",
            or_absent(json!(["", "percent", "Pod", "Other", 1])),
        ),
        (
            "/spec/behavior/scaleUp/policies/0/value",
            or_absent(amounts.clone()),
        ),
        (
            "/spec/behavior/scaleUp/policies/0/periodSeconds",
            or_absent(periods.clone()),
        ),
        (
            "/spec/behavior/scaleDown/stabilizationWindowSeconds",
            of(windows),
        ),
        (
            "/spec/behavior/scaleDown/selectPolicy",
            of(json!(["disabled", "Slowest"])),
        ),
        ("/spec/behavior/scaleDown/policies", of(policies)),
        (
            "/spec/behavior/scaleDown/policies/0/value",
            or_absent(amounts),
        ),
        (
            "/spec/behavior/scaleDown/policies/0/periodSeconds",
            or_absent(periods),
        ),
    ]
}

fn apply(hpa: &mut Value, pointer: &str, wrong: &Wrong) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    let parent = hpa.pointer_mut(parent).expect("the field is there");
    match wrong {
        Some(value) => parent[key] = value.clone(),
        None => {
            parent.as_object_mut().expect("an object").remove(key);
        }
    }
}

/// Objects around an HPA, about which many rules have something to say.
fn around() -> Vec<Value> {
    let metadata = json!({"name": "web", "namespace": "shop"});
    vec![
        workload("Deployment", "web"),
        json!({"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"selector": {"app": "web"}}}),
        json!({
            "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata,
            "spec": {"minAvailable": 3, "selector": {"matchLabels": {"app": "web"}}}
        }),
        json!({
            "apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata,
            "spec": {"hard": {"pods": "2", "requests.cpu": "1"}}
        }),
        json!({
            "apiVersion": "autoscaling.k8s.io/v1", "kind": "VerticalPodAutoscaler", "metadata": metadata,
            "spec": {"targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}
        }),
    ]
}

fn found(hpa: &Value, others: &[Value]) -> Vec<Reported> {
    let objects = [&[hpa.clone()][..], others].concat();
    report(&objects, false, false).findings
}

/// Code and message of each finding.
fn known(findings: &[Reported]) -> BTreeSet<(&'static str, String)> {
    findings.iter().map(identity).collect()
}

fn identity(one: &Reported) -> (&'static str, String) {
    (one.rule.code, one.finding.message.to_string())
}

/// The findings that a mistake adds, if they are not the one error about it.
fn more_than_one_error(
    pointer: &str,
    wrong: &Wrong,
    others: &[Value],
    before: &BTreeSet<(&'static str, String)>,
) -> Option<String> {
    let mut hpa = hpa();
    apply(&mut hpa, pointer, wrong);
    let findings = found(&hpa, others);
    let new: Vec<&Reported> = findings
        .iter()
        .filter(|one| !before.contains(&identity(one)))
        .collect();
    let is_one_error = matches!(&new[..], [one] if one.finding.severity == Severity::Error);
    let texts: Vec<String> = new
        .iter()
        .map(|one| {
            format!(
                "{} {} {}: {}",
                one.finding.severity, one.rule.code, one.finding.path, one.finding.message
            )
        })
        .collect();
    (!is_one_error).then(|| format!("{pointer} = {wrong:?}: {texts:#?}"))
}

#[test]
fn a_value_that_is_rejected_is_one_finding_and_nothing_else_is_said_of_it() {
    let mut wrong = Vec::new();
    for others in [Vec::new(), around()] {
        let before = known(&found(&hpa(), &others));
        for (pointer, values) in mistakes() {
            wrong.extend(
                values
                    .iter()
                    .filter_map(|value| more_than_one_error(pointer, value, &others, &before)),
            );
        }
    }
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_in_another_case_are_fixed() {
    for (pointer, wrong, right) in [
        ("/spec/metrics/0/type", "resource", "Resource"),
        (
            "/spec/metrics/1/type",
            "containerresource",
            "ContainerResource",
        ),
        ("/spec/metrics/0/resource/name", "CPU", "cpu"),
        ("/spec/metrics/1/containerResource/name", "Memory", "memory"),
        (
            "/spec/metrics/0/resource/target/type",
            "utilization",
            "Utilization",
        ),
        ("/spec/metrics/4/object/target/type", "VALUE", "Value"),
        ("/spec/behavior/scaleUp/selectPolicy", "max", "Max"),
        (
            "/spec/behavior/scaleDown/policies/0/type",
            "percent",
            "Percent",
        ),
        ("/spec/behavior/scaleDown/policies/0/type", "Pod", "Pods"),
    ] {
        let mut hpa = hpa();
        apply(&mut hpa, pointer, &Some(json!(wrong)));
        let findings = found(&hpa, &[]);
        let fixes: Vec<&Reported> = findings
            .iter()
            .filter(|one| {
                one.finding.severity == Severity::Error
                    && one.finding.help == format!("write {right}")
            })
            .collect();
        assert_eq!(fixes.len(), 1, "{pointer} {wrong}");
        assert!(!fixes[0].finding.fix.is_empty(), "{pointer} {wrong}");
    }
}

/// A field with one letter too few, or in another case, is missing.
#[test]
fn a_misspelled_required_field_is_one_finding_with_its_fix() {
    for pointer in [
        "/spec/scaleTargetRef",
        "/spec/scaleTargetRef/kind",
        "/spec/scaleTargetRef/name",
        "/spec/maxReplicas",
        "/spec/metrics/0/resource",
        "/spec/metrics/0/resource/name",
        "/spec/metrics/0/resource/target",
        "/spec/metrics/0/resource/target/averageUtilization",
        "/spec/metrics/1/containerResource/container",
        "/spec/metrics/2/pods/metric",
        "/spec/metrics/2/pods/metric/name",
        "/spec/metrics/4/object/describedObject",
        "/spec/behavior/scaleUp/policies/0/periodSeconds",
        "/spec/behavior/scaleUp/policies/0/value",
    ] {
        let (_, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
        for other in [key[..key.len() - 1].to_owned(), key.to_uppercase()] {
            let mut hpa = hpa();
            let value = hpa.pointer(pointer).cloned();
            apply(&mut hpa, pointer, &None);
            let (parent, _) = pointer.rsplit_once('/').expect("a pointer has a slash");
            hpa.pointer_mut(parent).expect("it is there")[&*other] = value.expect("it is there");
            let before = known(&found(&super::hpa(), &[]));
            let findings = found(&hpa, &[]);
            let new: Vec<&Reported> = findings
                .iter()
                .filter(|one| !before.contains(&identity(one)))
                .collect();
            let texts: Vec<String> = new
                .iter()
                .map(|one| format!("{} {}", one.rule.code, one.finding.message))
                .collect();
            assert_eq!(new.len(), 1, "{pointer} as {other}: {texts:#?}");
            assert_eq!(
                new[0].finding.help,
                format!("write {key}"),
                "{pointer} as {other}"
            );
            assert!(!new[0].finding.fix.is_empty(), "{pointer} as {other}");
        }
    }
}
