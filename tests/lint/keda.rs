//! What lint says of ScaledObjects, and what the real KEDA made of them: its operator and webhook, as `tests/keda/record.sh`
//! recorded them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use serde_json::Value;

/// ScaledObjects that KEDA refuses for something that their file does not show, or that lint does not read.
const UNSEEN: [(&str, &str); 4] = [
    ("external-unreachable", "the scaler does not answer"),
    ("no-such-target", "the target is not in the cluster"),
    ("no-such-kind", "the kind is not in the cluster"),
    ("formula-of-unknown-name", "formulas are not read"),
];

/// The first of the two ScaledObjects that have one target.
const FIRST: &str = "cpu-only";

#[test]
fn lint_finds_an_error_in_each_scaled_object_that_the_real_keda_refuses_and_in_no_other() {
    let recorded: Vec<Value> = serde_json::from_str(&text_of("recorded.json")).unwrap();
    assert!(40 <= recorded.len(), "{}", recorded.len());
    let mut refused = BTreeMap::new();
    for object in &recorded {
        let name = object["name"].as_str().unwrap();
        let failed = object["failed"].as_str();
        if object["refused"] == true || failed.is_some() {
            let said = failed.or_else(|| object["said"].as_str());
            refused.insert(name, said.unwrap_or_default());
        }
    }
    let found = found();
    for (name, why) in UNSEEN {
        assert!(
            refused.remove(name).is_some(),
            "{name} is not refused: {why}"
        );
        assert!(!found.contains_key(name), "lint finds {name}: {why}");
    }
    let wrong: Vec<String> = refused
        .iter()
        .filter(|(name, _)| !found.contains_key(**name))
        .map(|(name, said)| format!("{name}: KEDA refuses it: {said}"))
        .chain(
            found
                .iter()
                .filter(|(name, _)| !refused.contains_key(name.as_str()))
                .map(|(name, findings)| format!("{name}: KEDA takes it: {findings:?}")),
        )
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(20 < refused.len(), "{}", refused.len());
}

/// The errors by the name of the object. Of two ScaledObjects of one target KEDA takes the first one.
fn found() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(["lint", "-o", "json", "-f"])
        .arg(folder().join("scaledobjects.yaml"))
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    for finding in report["findings"].as_array().unwrap() {
        let is_first = finding["name"] == "two-scaledobjects" && finding["object"]["name"] == FIRST;
        if finding["severity"] == "error" && !is_first {
            let name = finding["object"]["name"].as_str().unwrap().to_owned();
            let message = finding["message"].as_str().unwrap().to_owned();
            found.entry(name).or_default().insert(message);
        }
    }
    found
}

fn text_of(file: &str) -> String {
    fs::read_to_string(folder().join(file)).unwrap()
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/keda")
}
