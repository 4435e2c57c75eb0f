//! `kubectl hpa lint` of a cluster: it finds what was planted, and says what it may not read.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    manifest::{average, deployment, hpa},
    namespace::{Namespace, namespace},
};

/// Codes of the errors, each with the HPA that it is about.
fn errors(report: &Value) -> BTreeSet<(String, String)> {
    let findings = report["findings"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    findings
        .iter()
        .filter(|finding| finding["severity"] == "error")
        .map(|finding| (text(&finding["object"]["name"]), text(&finding["code"])))
        .collect()
}

fn set<const N: usize>(wanted: [(&str, &str); N]) -> BTreeSet<(String, String)> {
    wanted
        .map(|(name, code)| (name.to_owned(), code.to_owned()))
        .into()
}

#[test]
fn planted_troubles_are_found_and_nothing_else_is_an_error() {
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
fn without_rights_it_says_which_rules_did_not_run_and_which_right_is_missing() {
    let namespace = namespace("lint-rights");
    namespace.apply([
        deployment("web", 2).pods("cpu", "50m").object(),
        hpa("web").cpu(50).object(),
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

/// Checks that a note names the rule as not checked, and the right that it takes.
#[track_caller]
fn assert_not_checked(report: &Value, code: &str, right: &str) {
    let notes = report["notes"].as_array().unwrap();
    let is_meant = |note: &&Value| {
        let message = note["message"].as_str().unwrap();
        message.contains(code) && message.contains(right)
    };
    assert!(notes.iter().any(|note| is_meant(&note)), "{notes:#?}");
}

impl Namespace {
    /// Returns what `kubectl hpa lint -o json` prints. Which exit code it has is not checked.
    fn lint<const N: usize>(&self, names: [&str; N]) -> Value {
        let mut command = self.kubectl(["hpa", "lint", "--output=json"]);
        if let Some(kubeconfig) = self.reader() {
            command.env("KUBECONFIG", kubeconfig);
        }
        let output = command.args(names).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}
