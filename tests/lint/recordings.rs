//! Recordings: rules about the past use them, and say so where they are too short.

use std::process::Command;

use serde_json::Value;

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
        "metric cpu could not be computed in 100.0% of syncs, so the HPA could not scale then"
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
        "metric cpu could not be computed in 74.4% of syncs, so the HPA could not scale down then"
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
