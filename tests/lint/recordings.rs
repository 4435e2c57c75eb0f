//! Recordings: rules about the past use them, and say so where they are too short.

use std::process::Command;

use serde_json::{Value, json};

/// The findings and notes of a recording of `examples`.
fn lint(name: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args([
            "lint",
            "-o",
            "json",
            "-f",
            &format!("examples/{name}.jsonl"),
        ])
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn only_metric_that_fails_in_a_recording_keeps_the_hpa_from_scaling_at_all() {
    let report = lint("questions/02-missing-request");
    let findings = report["findings"].as_array().expect("a list");
    let gaps = findings.iter().find(|one| one["code"] == "HPA906").unwrap();
    assert_eq!(
        gaps["message"],
        "metric cpu could not be computed in 15 s of 15 s (100.0%), so the HPA could not scale then"
    );
}

#[test]
fn a_metric_that_fails_in_a_recording_is_found_with_its_share() {
    let report = lint("broken-metric");
    let findings = report["findings"].as_array().expect("a list");
    let gaps = findings
        .iter()
        .find(|finding| finding["code"] == "HPA906")
        .unwrap_or_else(|| panic!("no HPA906 in {findings:#?}"));
    assert_eq!(
        gaps["message"],
        "metric cpu could not be computed in 2 min 25 s of 3 min 15 s (74.4%), so the HPA could not scale down then"
    );
    assert_eq!(gaps["path"], "spec.metrics[0]");
    assert_eq!(gaps["basis"], "history");
    // The other metric was valid all the time.
    let all = findings
        .iter()
        .filter(|finding| finding["code"] == "HPA906");
    assert_eq!(all.count(), 1);
}

#[test]
fn a_recording_shorter_than_a_window_says_what_it_shows() {
    let report = lint("more-than-max").to_string();
    assert!(
        report.contains(
            "the recording covers 3 min of 7 d, and in it the metrics asked for more than maxReplicas 74.4% of the time"
        ),
        "{report}"
    );
}

/// The advice for a recording in which the metrics ask for more than `maxReplicas`, with this change to its last line.
fn advice_at_max(change: impl Fn(&mut Value)) -> String {
    let text = std::fs::read_to_string("examples/more-than-max.jsonl").unwrap();
    let mut lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    change(lines.last_mut().unwrap());
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let text = lines.join("\n");
    let folder = tempfile::tempdir().unwrap();
    let [recording, config] = ["api.jsonl", "lint.yaml"].map(|name| folder.path().join(name));
    std::fs::write(&recording, text).unwrap();
    std::fs::write(&config, "rules: {HPA902: {window: 1m}}").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(["lint", "-o", "json", "--select=HPA902", "-f"])
        .arg(&recording)
        .arg("--config")
        .arg(&config)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    report["findings"][0]["help"].as_str().unwrap().to_owned()
}

#[test]
fn a_higher_maximum_is_no_advice_where_wanted_pods_do_not_exist_at_the_end() {
    let advice = advice_at_max(|_| {});
    assert!(advice.starts_with("raise maxReplicas if "), "{advice}");
    let lacking = |last: &mut Value| {
        last["pods"].as_array_mut().unwrap().truncate(15);
        last["scale"]["status"]["replicas"] = json!(15);
    };
    assert_eq!(
        advice_at_max(lacking),
        "find out why only 15 of the 20 wanted pods exist: a higher maxReplicas adds none"
    );
    // They may still be on their way.
    let advice = advice_at_max(|last| {
        lacking(last);
        last["hpa"]["status"]["lastScaleTime"] = last["time"].clone();
    });
    assert!(advice.starts_with("raise maxReplicas if "), "{advice}");
}

/// A recording with wanted pods that a full quota has refused, as the condition of the ReplicaSet still says, and a quota
/// that allows `hard` pods now.
fn with_refusal(hard: Option<i32>) -> String {
    let text = std::fs::read_to_string("examples/held-by-window.jsonl").unwrap();
    let mut snapshot: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let pods = snapshot["pods"].as_array().unwrap().len();
    snapshot["scale"]["spec"]["replicas"] = json!(pods + 2);
    snapshot["target"] = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "name": "web",
        "intermediateOwners": [{
            "kind": "ReplicaSet", "name": "web-7d5cd6b9b8", "ownerKind": "Deployment", "ownerName": "web",
            "failure": format!(
                "pods \"web-x\" is forbidden: exceeded quota: compute, requested: pods=1, used: pods={pods}, limited: \
                 pods={pods}"
            ),
        }],
    });
    if let Some(hard) = hard {
        snapshot["surroundings"]["downstream"]["resourceQuotas"] = json!([{
            "metadata": {"name": "compute", "namespace": "news"},
            "spec": {"hard": {"pods": hard.to_string()}},
            "status": {"hard": {"pods": hard.to_string()}, "used": {"pods": pods.to_string()}},
        }]);
    }
    snapshot.to_string() + "\n"
}

/// The target's controller tries again later and later: the condition is about the quota of then.
#[test]
fn a_quota_that_was_raised_since_it_refused_pods_is_no_finding_in_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let found = |hard| {
        let path = folder.path().join("refused.jsonl");
        std::fs::write(&path, with_refusal(hard)).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["lint", "-o", "json", "--select=HPA705", "-f"])
            .arg(&path)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let findings = report["findings"].as_array().unwrap();
        let notes = report["notes"].to_string();
        (findings.len(), notes.contains("HPA705"))
    };
    assert_eq!(found(Some(1)), (1, false));
    assert_eq!(found(Some(1000)), (0, false));
    // Without the quotas it is not known.
    assert_eq!(found(None), (0, true));
}
