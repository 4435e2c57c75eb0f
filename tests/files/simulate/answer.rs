//! What the answer of a simulation begins with: never that all is well where that is not known.

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

use super::{CPU, examples, manifest, simulate};

/// The report on the manifest in one line.
fn words(arguments: &[&str]) -> String {
    let all = [&["--seeds", "2"], arguments].concat();
    let output = simulate(&manifest(CPU, ""), &all);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    in_one_line(output)
}

fn in_one_line(output: Output) -> String {
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs it on a recorded incident.
fn of_example(file: &str, arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(["simulate", "--seeds", "2", "-f"])
        .arg(examples().join(file))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn hpa_that_cannot_scale_meets_no_load() {
    let run = |arguments: [&str; 2]| {
        let arguments = [&["--load", "x10"], &arguments[..]].concat();
        let output = of_example("questions/02-missing-request.jsonl", &arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text)
    };
    let (code, text) = run(["--expect", "metAfter <= 60"]);
    assert_eq!(code, Some(1), "{text}");
    let answer = text.lines().nth(2).unwrap();
    assert!(
        answer.starts_with("Container linkerd-proxy has no CPU request"),
        "{text}"
    );
    assert!(!text.contains("The load is met"), "{text}");
    let simulation: Value = serde_json::from_str(&run(["-o", "json"]).1).unwrap();
    let variant = &simulation["variants"][0];
    assert!(variant["failure"].is_string(), "{variant:#}");
    assert!(variant["summary"]["metAfterSeconds"].is_null());
    assert!(variant["points"][0]["needed"].is_null());
}

#[test]
fn load_that_max_replicas_cannot_meet_at_its_peak_is_not_called_met_afterwards() {
    let words = words(&["--load", "spike:700m..6/10m@5m", "--for", "40m"]);
    let parts = [
        "From 5:00 on, it takes ",
        "until the load is met as far as maxReplicas allows",
        "At the peak it needs ",
        " (at max) ",
    ];
    for part in parts {
        assert!(words.contains(part), "no {part:?} in {words}");
    }
}

#[test]
fn load_longer_than_the_simulation_is_reported_first() {
    let cut = "Only the first 1 h of 24 h of the load are simulated: use a longer --for.";
    let load = ["--load", "sine:1..2/24h"];
    let by_default = words(&load);
    assert!(by_default.contains(cut), "{by_default}");
    let as_requested = words(&[&load[..], &["--for", "20m"]].concat());
    assert!(!as_requested.contains("Only the first"), "{as_requested}");
}

#[test]
fn page_of_one_decision_takes_no_flag_of_the_whole_simulation() {
    for flag in [
        ["--expect", "ready >= 1"],
        ["--compare", "maxReplicas=40"],
        ["--record", "what-if.jsonl"],
    ] {
        let output = simulate(&manifest(CPU, ""), &[&["--at", "1:15"], &flag[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{flag:?}: {output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(flag[0]), "{error}");
    }
}

#[test]
fn variant_with_more_pods_says_that_pods_wait_for_a_node_now() {
    let words = in_one_line(of_example(
        "more-than-max.jsonl",
        &["--compare", "maxReplicas=40"],
    ));
    assert!(
        words.contains("No variant meets it. 2 pods have no node now, and here no new node comes:"),
        "{words}"
    );
}

#[test]
fn row_of_a_rescale_says_what_decides_and_not_what_else_is_wrong() {
    let more = ["--load", "cpu=680m"];
    let words = in_one_line(of_example("not-ready-pods.jsonl", &more));
    assert!(
        words.contains("8 → 11 CPU is at 104% (target 60%)"),
        "{words}"
    );
}

#[test]
fn the_load_of_now_leads_to_the_decision_of_now() {
    let words = in_one_line(of_example("not-ready-pods.jsonl", &[]));
    assert!(
        words.contains("8 replicas at the start and at the end"),
        "{words}"
    );
    assert!(
        words.contains("observed load of cpu before 510m"),
        "{words}"
    );
}
