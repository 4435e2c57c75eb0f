//! `kubectl hpa lint` of targets and pods: what a rule says of a situation is what the controller does in it.

use hpa_lint::Severity;
use serde_json::{Value, json};

use crate::{
    cluster::eventually,
    lint_metrics::worst,
    manifest::{deployment, hpa, stray_pod},
    namespace::{Namespace, free_namespace},
};

/// One namespace has all situations: the controller goes on freely, and none of them disturbs another.
#[test]
fn targets_that_lint_flags_are_those_that_the_controller_cannot_scale() {
    let namespace = free_namespace("lint-target");
    let with_labels = |name: &str, labels: Value| {
        let mut object = deployment(name, 2).pods("cpu", "50m").object();
        object["spec"]["selector"]["matchLabels"] = labels.clone();
        object["spec"]["template"]["metadata"]["labels"] = labels;
        object
    };
    namespace.apply([
        deployment("web", 2).pods("cpu", "60m").object(),
        deployment("twin", 2).pods("cpu", "50m").object(),
        with_labels("left", json!({"app": "shared"})),
        with_labels("right", json!({"app": "shared"})),
        deployment("front", 2).pods("cpu", "60m").object(),
        stray_pod("stray", "front", &[("cpu", "300m")]),
        deployment("damped", 4).pods("cpu", "90m").object(),
        stray_pod("report-a", "damped", &[("phase", "Succeeded")]),
        stray_pod("report-b", "damped", &[("phase", "Succeeded")]),
        json!({
            "apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "gadget"},
            "spec": {"replicas": 2},
        }),
    ]);
    namespace.stop_settling();
    let on = |name: &str, api_version: &str, kind: &str, target: &str| {
        hpa(name).target(api_version, kind, target).cpu(60).object()
    };
    namespace.apply([
        hpa("web").cpu(60).object(),
        on("missing", "apps/v1", "Deployment", "nothing"),
        on("group", "extensions/v1beta1", "Deployment", "web"),
        on("kind", "apps/v1", "deployments", "web"),
        on("daemon", "apps/v1", "DaemonSet", "web"),
        on("gadget", "example.com/v1", "Gadget", "gadget"),
        on("twin-a", "apps/v1", "Deployment", "twin"),
        on("twin-b", "apps/v1", "Deployment", "twin"),
        hpa("left").cpu(60).object(),
        hpa("right").cpu(60).object(),
        hpa("front").cpu(60).object(),
        hpa("damped").cpu(60).object(),
    ]);

    // What the controller does.
    is_same_message(&namespace, "web", "ScalingActive", "ValidMetricFound");
    for (hpa, text) in [
        ("missing", "\"nothing\" not found"),
        (
            "group",
            "no matches for kind \"Deployment\" in group \"extensions\"",
        ),
        (
            "kind",
            "no matches for kind \"deployments\" in group \"apps\"",
        ),
        ("daemon", "the server could not find the requested resource"),
    ] {
        let condition = is_same_message(&namespace, hpa, "AbleToScale", "FailedGetScale");
        let message = condition["message"].as_str().unwrap();
        assert!(message.contains(text), "{hpa}: {message}");
    }
    is_same_message(&namespace, "gadget", "ScalingActive", "InvalidSelector");
    for hpa in ["twin-a", "twin-b", "left", "right"] {
        is_same_message(&namespace, hpa, "ScalingActive", "AmbiguousSelector");
    }
    // 60 min of each of its own pods are the target; the foreign one makes more of them.
    eventually("the foreign pod's usage scales up", || {
        let front = namespace.get("deployment", "front");
        (front["spec"]["replicas"].as_i64()? > 2).then_some(())
    });
    // 90% of four pods against 60% would be six, if two finished ones did not count as idle.
    is_same_message(&namespace, "damped", "ScalingActive", "ValidMetricFound");
    let damped = namespace.get("hpa", "damped");
    assert_eq!(damped["status"]["desiredReplicas"], 4, "{damped:#}");
    let current = &damped["status"]["currentMetrics"][0]["resource"]["current"];
    assert_eq!(current["averageUtilization"], 90, "{damped:#}");

    // The same if it is named so in another namespace.
    let mut elsewhere = deployment("nothing", 2).object();
    elsewhere["metadata"]["namespace"] = json!("elsewhere");
    let mut missing = on("missing", "apps/v1", "Deployment", "nothing");
    missing["metadata"]["namespace"] = json!("lint-target");
    let severity = worst("HPA422", &elsewhere, &missing);
    assert_eq!(severity, Some(Severity::Error));

    // What the plugin says of it.
    let findings = lint(&namespace);
    for (hpa, code, message) in [
        (
            "missing",
            "HPA401",
            "Deployment/nothing does not exist in namespace lint-target, so the HPA scales nothing",
        ),
        (
            "group",
            "HPA402",
            "kind Deployment is not in API group extensions, so the controller cannot find the target",
        ),
        (
            "kind",
            "HPA403",
            "kind deployments is not in API group apps, so the controller cannot find the target",
        ),
        (
            "daemon",
            "HPA404",
            "DaemonSet has no scale subresource, so the HPA cannot scale it",
        ),
        (
            "gadget",
            "HPA405",
            "the scale subresource of Gadget/gadget has no selector, so the HPA computes no metric",
        ),
        (
            "twin-a",
            "HPA410",
            "2 HPAs (twin-a and twin-b) scale Deployment/twin, so the controller computes no metric for any of them",
        ),
        (
            "twin-b",
            "HPA410",
            "2 HPAs (twin-a and twin-b) scale Deployment/twin, so the controller computes no metric for any of them",
        ),
        (
            "left",
            "HPA411",
            "the targets of HPAs left and right select the same pods, so the controller computes no metric for either",
        ),
        (
            "right",
            "HPA411",
            "the targets of HPAs right and left select the same pods, so the controller computes no metric for either",
        ),
        (
            "front",
            "HPA501",
            "the selector of Deployment/front also matches pods of Pod/stray, so metrics include them",
        ),
        (
            "damped",
            "HPA502",
            "2 finished pods (report-a and report-b) match the selector of Deployment/damped, so metrics still count them",
        ),
    ] {
        let found: Vec<&Value> = findings
            .iter()
            .filter(|finding| finding["object"]["name"] == hpa && finding["code"] == code)
            .collect();
        let [finding] = &found[..] else {
            panic!("{code} of {hpa}: {found:#?} of {findings:#?}");
        };
        assert_eq!(finding["message"], message);
        let is_warning = matches!(code, "HPA408" | "HPA502");
        let severity = if is_warning { "warning" } else { "error" };
        assert_eq!(finding["severity"], severity, "{code}");
    }
    // One mistake is one finding, and what works has none.
    let codes = |hpa: &str| -> Vec<&str> {
        let of_hpa = findings
            .iter()
            .filter(|finding| finding["object"]["name"] == hpa);
        let codes = of_hpa.filter_map(|finding| finding["code"].as_str());
        // The tests apply workloads with spec.replicas, and HPA408 rightly says so.
        codes
            .filter(|code| code.starts_with("HPA4") && *code != "HPA408")
            .collect()
    };
    for (hpa, expected) in [
        ("missing", "HPA401"),
        ("group", "HPA402"),
        ("kind", "HPA403"),
        ("daemon", "HPA404"),
        ("gadget", "HPA405"),
    ] {
        assert_eq!(codes(hpa), [expected], "{hpa}");
    }
    assert!(codes("web").is_empty(), "{:?}", codes("web"));
}

/// Waits until the controller has given that reason for a condition.
#[track_caller]
fn is_same_message(namespace: &Namespace, hpa: &str, condition_type: &str, reason: &str) -> Value {
    eventually(&format!("{hpa}: {condition_type} {reason}"), || {
        let object = namespace.get("hpa", hpa);
        let conditions = object["status"]["conditions"].as_array()?;
        conditions
            .iter()
            .find(|one| one["type"] == condition_type && one["reason"] == reason)
            .cloned()
    })
}

/// The findings of the whole namespace.
#[track_caller]
fn lint(namespace: &Namespace) -> Vec<Value> {
    let output = namespace
        .kubectl(["hpa", "lint", "--output=json"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let mut document: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!(
            "{error}: {text}\n{}",
            String::from_utf8_lossy(&output.stderr)
        )
    });
    serde_json::from_value(document["findings"].take()).unwrap()
}
