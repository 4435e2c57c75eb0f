//! `kubectl hpa lint` of a cluster: it finds the planted mistakes, and says what it may not read.

use std::{collections::BTreeSet, process::Command};

use serde_json::{Value, json};

use crate::{
    cluster::eventually,
    manifest::{average, deployment, hpa},
    namespace::{Namespace, namespace},
};

/// Codes of the errors, each with the HPA that it is about.
fn errors(report: &Value) -> BTreeSet<(String, String)> {
    findings(report, |finding| finding["severity"] == "error")
}

/// Codes of the findings that are meant, each with the HPA that it is about.
pub(crate) fn findings(
    report: &Value,
    is_selected: impl Fn(&Value) -> bool,
) -> BTreeSet<(String, String)> {
    let findings = report["findings"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    findings
        .iter()
        .filter(|finding| is_selected(finding))
        .map(|finding| (text(&finding["object"]["name"]), text(&finding["code"])))
        .collect()
}

pub(crate) fn set<const N: usize>(expected: [(&str, &str); N]) -> BTreeSet<(String, String)> {
    expected
        .map(|(name, code)| (name.to_owned(), code.to_owned()))
        .into()
}

#[test]
fn planted_mistakes_are_found_and_nothing_else_is_an_error() {
    let namespace = namespace("lint-troubles");
    namespace.metrics(&json!({"external": []}));
    namespace.apply([
        deployment("fine", 2).pods("cpu", "50m").object(),
        hpa("fine").cpu(50).object(),
        hpa("orphan").cpu(50).object(),
        deployment("shared", 2).pods("cpu", "50m").object(),
        hpa("shared").cpu(50).object(),
        hpa("rival")
            .target("apps/v1", "Deployment", "shared")
            .cpu(50)
            .object(),
        deployment("bare", 2)
            .container("sidecar", json!({}))
            .pods("cpu", "50m")
            .object(),
        hpa("bare").cpu(50).object(),
        deployment("queue", 2).pods("cpu", "50m").object(),
        hpa("queue").external("queue_depth", average("30")).object(),
    ]);
    namespace.pass();
    namespace.pass();
    let report = namespace.lint([]);
    assert_eq!(
        errors(&report),
        set([
            ("bare", "HPA202"),
            ("orphan", "HPA401"),
            ("queue", "HPA702"),
            ("rival", "HPA410"),
            ("shared", "HPA410"),
        ]),
        "{report:#}"
    );
    // One HPA by its name: the others are still known.
    let report = namespace.lint(["shared"]);
    assert_eq!(errors(&report), set([("shared", "HPA410")]), "{report:#}");
}

#[test]
fn without_permissions_it_says_which_rules_did_not_run_and_which_permission_is_missing() {
    let namespace = namespace("lint-rights");
    namespace.apply([
        deployment("web", 2).pods("cpu", "50m").object(),
        // Events matter where replicas were changed.
        hpa("web").cpu(25).object(),
    ]);
    namespace.pass();
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["list"]},
        {"apiGroups": ["apps"], "resources": ["deployments", "replicasets"], "verbs": ["list"]},
    ]));
    let report = namespace.lint([]);
    assert_eq!(errors(&report), set([]), "{report:#}");
    assert_not_checked(
        &report,
        "HPA706",
        r#"{apiGroups: [""], resources: ["pods"], verbs: ["list"]}"#,
    );
    assert_not_checked(
        &report,
        "HPA901",
        r#"{apiGroups: [""], resources: ["events"], verbs: ["list"]}"#,
    );
    assert_not_checked(
        &report,
        "HPA701",
        r#"{apiGroups: ["apiregistration.k8s.io"], resources: ["apiservices"], verbs: ["list"]}"#,
    );
}

#[test]
fn compared_with_the_cluster_a_manifest_has_what_its_change_will_do() {
    let namespace = namespace("lint-compare");
    let contained = |name: &str| {
        let target = json!({"type": "Utilization", "averageUtilization": 60});
        let source = json!({"name": "cpu", "container": "main", "target": target});
        hpa(name).metric("ContainerResource", "containerResource", source)
    };
    let workload = |name: &str| deployment(name, 4).pods("cpu", "60m").object();
    let both = |name: &str| hpa(name).cpu(60).resource("memory", average("1Gi"));
    namespace.apply([
        workload("same"),
        hpa("same").cpu(60).object(),
        workload("jump"),
        hpa("jump").cpu(60).object(),
        workload("renamed"),
        contained("renamed").object(),
        workload("order"),
        both("order").object(),
    ]);
    namespace.pass();
    let mut renamed = workload("renamed");
    renamed["spec"]["template"]["spec"]["containers"][0]["name"] = json!("server");
    let mut order = both("order").object();
    let metrics = order["spec"]["metrics"].as_array_mut().unwrap();
    metrics.reverse();
    let changed = [
        workload("same"),
        hpa("same").cpu(60).object(),
        workload("jump"),
        hpa("jump").bounds(1, 3).cpu(60).object(),
        renamed,
        contained("renamed").object(),
        workload("order"),
        order,
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.yaml");
    let list = json!({"apiVersion": "v1", "kind": "List", "items": changed});
    std::fs::write(&path, list.to_string()).unwrap();
    let compare = |flag: &str| {
        let path = path.to_str().unwrap();
        let words = ["hpa", "lint", "--compare", "-f", path, "-o", "json", flag];
        report(&mut namespace.kubectl(words))
    };
    let compared = compare("--select=HPA114,HPA208,HPA228");
    assert_eq!(
        findings(&compared, |_| true),
        set([
            ("jump", "HPA114"),
            ("order", "HPA228"),
            ("renamed", "HPA208"),
        ]),
        "{compared:#}"
    );
    let notes = compared["notes"].as_array().unwrap();
    assert!(
        notes.iter().all(|note| note["code"] != "HPA013"),
        "{notes:#?}"
    );
    let messages = compared["findings"].to_string();
    assert!(
        messages
            .contains("the new range 1–3 excludes the current 4 replicas, so the next sync sets 3"),
        "{messages}"
    );
    // What is off by default is not asked for; nothing else compares.
    let usual = findings(&compare("--extend-select=HPA114"), |finding| {
        ["HPA114", "HPA208", "HPA228"].contains(&finding["code"].as_str().unwrap())
    });
    assert_eq!(usual, set([("jump", "HPA114"), ("renamed", "HPA208")]));

    // What the change does then.
    namespace.apply(changed);
    namespace.pass();
    namespace.pass();
    let replicas = |name| namespace.get("deployment", name)["spec"]["replicas"].take();
    assert_eq!(["same", "jump", "order"].map(replicas), [4, 3, 4]);
    let conditions = namespace.get("hpa", "renamed")["status"]["conditions"].take();
    let conditions = conditions.to_string();
    assert!(
        conditions.contains("FailedGetContainerResourceMetric"),
        "{conditions}"
    );
}

#[test]
fn replicas_that_a_quota_or_the_maximum_refuses_are_found() {
    let namespace = namespace("lint-refused");
    namespace.apply([json!({
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "compute"},
        "spec": {"hard": {"requests.cpu": "600m"}},
    })]);
    eventually("the quota is measured", || {
        let quota = namespace.get("resourcequota", "compute");
        quota["status"]["used"].is_object().then_some(())
    });
    namespace.apply([
        deployment("hungry", 2).pods("cpu", "90m").object(),
        hpa("hungry").bounds(1, 6).cpu(60).object(),
        deployment("capped", 4).pods("cpu", "90m").object(),
        hpa("capped").bounds(1, 4).cpu(60).object(),
    ]);
    namespace.stop_settling();
    namespace.pass();
    eventually("a ReplicaSet says why it has too few pods", || {
        let sets = Value::from(namespace.list("replicasets")).to_string();
        sets.contains("exceeded quota").then_some(())
    });
    let select = "--select=HPA111,HPA705,HPA804";
    let report = namespace.lint([select]);
    // The maximum is not reached for long enough to be worth a word.
    let by_quota = [("hungry", "HPA111"), ("hungry", "HPA705")];
    assert_eq!(findings(&report, |_| true), set(by_quota), "{report:#}");
    let messages = report["findings"].to_string();
    for message in [
        "4 more pods need 400m requests.cpu, but quota compute leaves 0",
        "exceeded quota: compute, requested: requests.cpu=100m, used: requests.cpu=600m, limited: requests.cpu=600m",
    ] {
        assert!(messages.contains(message), "{messages}");
    }
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("impatient.yaml");
    std::fs::write(&config, "rules: {HPA804: {duration: 0s}}").unwrap();
    let report = namespace.lint([select, "--config", config.to_str().unwrap(), "capped"]);
    assert_eq!(
        findings(&report, |_| true),
        set([("capped", "HPA804")]),
        "{report:#}"
    );
    assert_eq!(
        report["findings"][0]["message"],
        "the metrics ask for 6 replicas but maxReplicas is 4, so the load is not met"
    );
}

/// Checks that a note names the rule as not checked, and the right that it takes.
#[track_caller]
pub(crate) fn assert_not_checked(report: &Value, code: &str, right: &str) {
    let notes = report["notes"].as_array().unwrap();
    let is_selected = |note: &&Value| {
        let message = note["message"].as_str().unwrap();
        message.contains(code) && message.contains(right)
    };
    assert!(notes.iter().any(|note| is_selected(&note)), "{notes:#?}");
}

impl Namespace {
    /// Returns what `kubectl hpa lint -o json` prints. Which exit code it has is not checked.
    pub(crate) fn lint<const N: usize>(&self, words: [&str; N]) -> Value {
        let mut command = self.kubectl(["hpa", "lint", "--output=json"]);
        if let Some(kubeconfig) = self.reader() {
            command.env("KUBECONFIG", kubeconfig);
        }
        report(command.args(words))
    }
}

/// What a command prints as JSON. Which exit code it has is not checked.
pub(crate) fn report(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}
