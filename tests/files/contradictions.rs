//! No command contradicts another about the same HPA: every example and every recorded situation, through `explain`,
//! `list`, `lint` and the alarms of `replay`. What may differ is in the table of [conditions](../../docs/conditions.md).

use std::{collections::BTreeSet, fs, path::PathBuf};

use assert_cmd::Command;
use serde_json::Value;

#[test]
fn what_one_command_names_the_others_name_too() {
    let mut flapping = 0;
    let mut short = 0;
    for file in recordings() {
        let name = file.display().to_string();
        let list = json(&["list", "-A", "-o", "json", "-f", &name]);
        let pages = json(&["explain", "-A", "-o", "json", "-f", &name]);
        let findings = json(&["lint", "-o", "json", "--no-config", "-f", &name]);
        let pages = pages["items"].as_array().cloned().unwrap_or(vec![pages]);
        let rows = list["items"].as_array().unwrap();
        assert_eq!(rows.len(), pages.len(), "{name}");
        let has_alarm = |kind: &str| {
            let replayed = said(&["replay", &name]);
            let mut lines = replayed.lines().map(str::trim_start);
            lines.any(|line| line.starts_with("since ") && line.contains(kind))
        };
        let mut at_max = 0;
        for row in rows {
            let hpa = (&row["namespace"], &row["name"]);
            let page = pages
                .iter()
                .find(|page| (&page["hpa"]["namespace"], &page["hpa"]["name"]) == hpa)
                .unwrap();
            assert_eq!(
                page["verdict"]["sentence"], row["verdict"]["sentence"],
                "{name}"
            );
            let words = row["words"].as_str().unwrap();
            let is_flapping = said_of(&page["verdict"]["sentence"], "is flapping");
            assert_eq!(is_flapping, words == "flapping", "{name}: {words}");
            // A finding also counts what is over.
            assert!(
                !is_flapping || codes_of(&findings, hpa).contains("HPA901"),
                "{name}: {hpa:?}"
            );
            assert!(!is_flapping || has_alarm("flapping: "), "{name}: {hpa:?}");
            flapping += usize::from(is_flapping);
            let is_beyond = row["urgency"] == "beyondMax";
            at_max += usize::from(is_beyond);
            assert!(!is_beyond || has_alarm("unmet-demand: "), "{name}: {hpa:?}");
            if let Some((_, number)) = words.split_once("at max, ") {
                let number = number.trim_end_matches(" short");
                assert!(is_beyond, "{name}: {words}");
                assert_eq!(row["unmet"]["aboveMax"].to_string(), number, "{name}");
                short += 1;
            }
        }
        assert_eq!(list["summary"]["limitedAtMax"], at_max, "{name}");
    }
    assert!(0 < flapping && 0 < short, "{flapping} {short}");
}

fn said_of(sentence: &Value, words: &str) -> bool {
    sentence
        .as_str()
        .is_some_and(|sentence| sentence.contains(words))
}

fn codes_of<'a>(findings: &'a Value, hpa: (&Value, &Value)) -> BTreeSet<&'a str> {
    let findings = findings["findings"].as_array().unwrap().iter();
    let of_hpa =
        findings.filter(|one| (&one["object"]["namespace"], &one["object"]["name"]) == hpa);
    of_hpa.filter_map(|one| one["code"].as_str()).collect()
}

/// The examples and the situations of `tests/situations`.
fn recordings() -> Vec<PathBuf> {
    let folders = [
        "examples",
        "examples/questions",
        "examples/worked",
        "tests/situations",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let is_recording = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".jsonl") || name.ends_with(".jsonl.zst")
    };
    let mut files: Vec<PathBuf> = files
        .map(|file| file.unwrap().path())
        .filter(is_recording)
        .collect();
    files.sort();
    files
}

fn json(arguments: &[&str]) -> Value {
    let text = said(arguments);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

fn said(arguments: &[&str]) -> String {
    let output = Command::cargo_bin("kubectl-hpa")
        .unwrap()
        .args(arguments)
        .output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}
