//! `kubectl hpa list`: its lines against what the real controller then does, and against `lint`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::{
    cluster::succeed,
    manifest::{deployment, hpa},
    namespace::{Namespace, namespace},
};

#[test]
fn each_line_says_what_the_controller_then_does_and_what_lint_finds() {
    let namespace = namespace("list");
    let workload = |name: &str, replicas, cpu| deployment(name, replicas).pods("cpu", cpu).object();
    namespace.apply([
        workload("calm", 2, "60m"),
        hpa("calm").cpu(60).object(),
        workload("rising", 2, "90m"),
        hpa("rising").cpu(60).object(),
        workload("full", 4, "90m"),
        hpa("full").bounds(1, 4).cpu(60).object(),
        workload("held", 4, "10m"),
        hpa("held").cpu(60).object(),
        hpa("lost").cpu(60).object(),
        deployment("bare", 2)
            .container("sidecar", json!({}))
            .pods("cpu", "50m")
            .object(),
        hpa("bare").cpu(60).object(),
        workload("shared", 2, "60m"),
        hpa("shared").cpu(60).object(),
        hpa("rival")
            .target("apps/v1", "Deployment", "shared")
            .cpu(60)
            .object(),
    ]);
    // Only then the controller knows all selectors, and the HPAs have a status.
    namespace.pass();
    namespace.pass();
    let listed = namespace.listed();
    let items = listed["items"].as_array().unwrap();
    let words: BTreeMap<&str, &str> = items
        .iter()
        .map(|item| (text(&item["name"]), text(&item["words"])))
        .collect();
    let expected = [
        ("bare", "cpu cannot be computed"),
        ("calm", "within tolerance"),
        ("full", "at max, 2 short"),
        ("held", "window"),
        ("lost", "target not found"),
        ("rising", "up by cpu"),
        ("rival", "shares pods with shared"),
        ("shared", "shares pods with rival"),
    ];
    assert_eq!(words, BTreeMap::from(expected), "{listed:#}");
    let full = items.iter().find(|item| item["name"] == "full").unwrap();
    assert_eq!(
        full["unmet"],
        json!({"aboveMax": 2, "complete": true, "notReady": 0, "total": 2})
    );
    assert_eq!(listed["summary"]["failed"], 4);
    assert_eq!(listed["notRead"], json!([]), "{listed:#}");

    let errors = |findings: &Value| -> BTreeSet<String> {
        let findings = findings.as_array().unwrap().iter();
        findings.map(|one| text(&one["code"]).to_owned()).collect()
    };
    let report = namespace.lint([]);
    for item in items {
        let of_item = |finding: &&Value| {
            finding["severity"] == "error" && finding["object"]["name"] == item["name"]
        };
        let findings = report["findings"].as_array().unwrap().iter();
        let by_lint: Vec<&Value> = findings.filter(of_item).collect();
        assert_eq!(
            errors(&item["errors"]),
            errors(&json!(by_lint)),
            "{}",
            item["name"]
        );
    }

    let table = succeed(&mut namespace.kubectl(["hpa", "list", "--sort-by", "urgency"]));
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines[0].starts_with("NAME    VERDICT                  REPLICAS  MIN-MAX  METRIC"),
        "{table}"
    );
    assert!(lines[1].starts_with("full    at max, 2 short"), "{table}");

    namespace.pass();
    for item in items {
        let Some(desired) = item["desired"].as_i64() else {
            continue;
        };
        let target = namespace.get("deployment", text(&item["scaleTarget"]["name"]));
        assert_eq!(target["spec"]["replicas"], desired, "{item:#}");
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

impl Namespace {
    /// Returns what `kubectl hpa list -o json` prints.
    pub(crate) fn listed(&self) -> Value {
        let mut command = self.kubectl(["hpa", "list", "--output=json"]);
        if let Some(kubeconfig) = self.reader() {
            command.env("KUBECONFIG", kubeconfig);
        }
        serde_json::from_str(&succeed(&mut command)).unwrap()
    }
}
