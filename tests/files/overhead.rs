//! The overhead of pods with a pod-level request: it is part of the request in 1.34 to 1.37 alone.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

/// Pods with a pod-level request, whose RuntimeClass added as much overhead again to each.
fn recording(folder: &Path) {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/not-ready-pods.jsonl");
    let text = fs::read_to_string(example).unwrap();
    let mut line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    for pod in line["pods"].as_array_mut().unwrap() {
        let request = pod["spec"]["containers"][0]["resources"]["requests"]["cpu"].clone();
        pod["spec"]["resources"] = json!({"requests": {"cpu": request}});
        pod["spec"]["overhead"] = json!({"cpu": request});
    }
    line.as_object_mut().unwrap().remove("outcome");
    fs::write(folder.join("hpa.jsonl"), format!("{line}\n")).unwrap();
}

fn explain(folder: &Path, version: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .current_dir(folder)
        .args([
            "explain",
            "-f",
            "hpa.jsonl",
            "-o",
            "json",
            "--kube-version",
            version,
        ])
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The note on overhead and the percentage that the controller computes.
fn note_and_percentage(folder: &Path, version: &str) -> (Option<String>, i64) {
    let page = explain(folder, version);
    let notes = page["around"].as_array().unwrap();
    let note = notes.iter().find(|note| note["title"] == "overhead");
    let text = note.map(|note| note["text"].as_str().unwrap().to_owned());
    let steps = page["steps"].as_array().unwrap();
    let ratio = steps.iter().find(|step| step["kind"] == "usage-ratio");
    let percentage = &ratio.unwrap()["values"]["utilizationPercent"];
    (text, percentage.as_i64().unwrap())
}

#[test]
fn a_note_says_how_much_is_overhead_and_what_the_percentage_is_in_the_other_versions() {
    let folder = tempfile::tempdir().unwrap();
    recording(folder.path());
    let (before, percentage_before) = note_and_percentage(folder.path(), "1.33");
    let (with, percentage_with) = note_and_percentage(folder.path(), "1.37");
    let (without, percentage_without) = note_and_percentage(folder.path(), "1.38");
    assert_eq!(before, None);
    assert_eq!(percentage_before, percentage_without);
    let says = format!(
        "does not count: the same load is then {percentage_without}% instead of {percentage_with}%."
    );
    let with = with.unwrap();
    assert!(with.contains(&says), "no {says:?} in {with:?}");
    let says = format!(
        "counted as well: the same load was {percentage_with}% instead of {percentage_without}%."
    );
    let without = without.unwrap();
    assert!(without.contains(&says), "no {says:?} in {without:?}");
}
