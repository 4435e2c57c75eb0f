//! The transcripts of the README match the program's output.
//!
//! `TRYCMD=overwrite cargo test --test docs` rewrites them.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{fs, path::Path};

#[test]
fn transcripts_of_the_readme_are_true() {
    trycmd::TestCases::new()
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .case("README.md");
}

/// A reader with a problem sees on one screen what the program is, what it says, and how to get it.
#[test]
fn readme_is_short_and_begins_with_an_answer() {
    let readme = text_of("README.md");
    assert!(readme.lines().count() <= 110, "tables belong into docs");
    let head = |lines| readme.lines().take(lines).collect::<Vec<_>>().join("\n");
    assert!(head(5).contains("Read-only"), "{}", head(5));
    let first = head(45);
    assert!(first.contains("$ kubectl-hpa explain"), "{first}");
    assert!(first.contains("STAYS AT 8"), "{first}");
    assert!(head(60).contains("\ncargo run "), "{}", head(60));
    assert_eq!(readme.matches("![").count(), 1, "one picture");
    for command in ["explain", "list", "watch", "lint", "capture"] {
        let row = format!("| `kubectl hpa {command}");
        assert!(readme.contains(&row), "{command} is not in the table");
    }
}

/// The quoted output of `kubectl describe hpa` is in the recording that the report next to it explains.
#[test]
fn status_that_the_readme_quotes_is_the_recorded_one() {
    let readme = text_of("README.md");
    let recording = text_of("examples/not-ready-pods.jsonl");
    let last: serde_json::Value = serde_json::from_str(recording.lines().last().unwrap()).unwrap();
    let status = &last["hpa"]["status"];
    let current = &status["currentMetrics"][0]["resource"]["current"];
    let percent = &current["averageUtilization"];
    let average = current["averageValue"].as_str().unwrap();
    let quoted = format!("{percent}% ({average}) / 60%");
    assert!(readme.contains(&quoted), "{quoted}");
    let able = &status["conditions"][0];
    for field in ["type", "status", "reason", "message"] {
        let text = able[field].as_str().unwrap();
        assert!(readme.contains(text), "{text}");
    }
}

#[test]
fn commands_of_the_readme_are_those_that_ci_runs() {
    let readme = text_of("README.md");
    let script = text_of(".ci/run");
    let commands: Vec<_> = readme
        .lines()
        .filter(|line| line.starts_with("cargo run ") || line.starts_with("cargo test"))
        .collect();
    assert_eq!(commands.len(), 2, "main job and tests: {commands:?}");
    for command in commands {
        let stage = format!(" {command}\n");
        assert!(script.contains(&stage), "{command} is no stage of .ci/run");
    }
}

fn text_of(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(path).unwrap()
}
