//! The first lines of simulations of every example: they fit, can be recomputed, and end with a step or a reason for none.

use std::{process::Output, sync::LazyLock};

use assert_cmd::Command;
use regex::Regex;
use serde_json::Value;

use super::examples;

#[test]
fn first_lines_of_every_example_are_short_true_and_end_with_a_step() {
    let mut seen = 0;
    for file in EXAMPLES {
        for arguments in ARGUMENTS {
            let text = run(file, arguments, "text");
            if text.status.code() == Some(2) {
                continue;
            }
            seen += 1;
            let report = run(file, arguments, "json");
            let report: Value = serde_json::from_slice(&report.stdout).unwrap();
            let text = String::from_utf8(text.stdout).unwrap();
            let answer = answer(&text);
            let place = format!("{file} {arguments:?}\n{}", answer.join("\n"));
            assert!(answer.len() <= 6, "{place}");
            let text = answer.join(" ");
            assert!(!text.contains("never ("), "{place}");
            assert!(STEP.is_match(&text), "{place}");
            says_whether_it_is_met(&report, &text, &place);
            recomputed(&text, &place);
            names_no_other_spec_without_need(&report, &text, &place);
        }
    }
    assert!(80 < seen, "{seen}");
}

/// The lines between what was run and the charts.
fn answer(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| !line.contains(" runs of "));
    lines.skip(1).take_while(|line| !line.is_empty()).collect()
}

fn says_whether_it_is_met(report: &Value, text: &str, place: &str) {
    let summary = &report["variants"][0]["summary"];
    let is_met = summary["metAfterSeconds"].is_object();
    let is_failing = report["variants"][0]["failure"].is_string();
    let says_so = text.contains("is met") || text.contains("maxReplicas keeps the pods above");
    let denies = text.contains("is not met at the end.")
        || text.contains("is not met at the end of ")
        || text.contains("is not met at the end: ")
        || text.contains("is not known");
    assert!(
        if is_met {
            says_so
        } else {
            denies || is_failing
        },
        "{place}"
    );
    if let Some(unmet) = summary["unmetRuns"]
        .as_u64()
        .filter(|unmet| 0 < *unmet && *unmet < 3)
    {
        let (which, met) = (
            format!("{unmet} of 3 runs"),
            format!("{} of 3 runs", 3 - unmet),
        );
        assert!(text.contains(&which) || text.contains(&met), "{place}");
    }
}

/// What a pod stays at, and the replicas that are there, lead to the replicas that are needed.
fn recomputed(text: &str, place: &str) {
    for found in NEEDS.captures_iter(text) {
        let number = |name: &str| found[name].parse::<f64>().unwrap();
        let needed = number("per_pod") / number("goal") * number("max");
        // Percentages are rounded to whole numbers.
        assert!(
            (needed - number("needed")).abs() <= 1.0 + needed * 0.02,
            "{needed}: {place}"
        );
    }
    // A scrape, two intervals of metrics and the sync, by default.
    for found in NOTICED.captures_iter(text) {
        let minutes = found
            .name("minutes")
            .map_or(0.0, |one| one.as_str().parse().unwrap());
        let seconds: f64 = found["seconds"].parse().unwrap();
        assert!(minutes * 60.0 + seconds <= 80.0, "{place}");
    }
}

fn names_no_other_spec_without_need(report: &Value, text: &str, place: &str) {
    let others = report["variants"].as_array().unwrap().iter().skip(1);
    for variant in others {
        let name = variant["name"].as_str().unwrap();
        if text.contains(&format!("With {name} it is met")) {
            assert!(variant["summary"]["metAfterSeconds"].is_object(), "{place}");
        }
    }
    let pending = "no node now, and here no new node comes";
    if text.contains("The load is met all the time") {
        assert!(!text.contains(pending), "{place}");
    }
}

fn run(file: &str, arguments: &[&str], format: &str) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args([
            "simulate", "--seeds", "3", "--for", "20m", "-o", format, "-f",
        ])
        .arg(examples().join(file))
        .args(arguments)
        .env("COLUMNS", "80")
        .output()
        .unwrap()
}

const EXAMPLES: [&str; 13] = [
    "not-ready-pods.jsonl",
    "held-by-window.jsonl",
    "more-than-max.jsonl",
    "broken-metric.jsonl",
    "questions/06-pods-use-less.jsonl",
    "questions/09-deploy-scales-to-max.jsonl",
    "questions/12-slower-than-behavior.jsonl",
    "questions/13-more-during-a-rollout.jsonl",
    "questions/19-up-and-down.jsonl",
    "questions/21-percent-of-what.jsonl",
    "questions/22-stateful-set.jsonl",
    "worked/failed-and-missing-pods.jsonl",
    "worked/percent-and-pods-policies.jsonl",
];

const ARGUMENTS: [&[&str]; 10] = [
    &[],
    &["--load", "x3"],
    &["--load", "x0.2"],
    &["--load", "sine:x0.5..x3/10m"],
    &["--load", "spike:x1..x5/3m@5m", "--compare", "minReplicas=4"],
    &["--load", "x3", "--compare", "maxReplicas=60"],
    &["--load", "x2", "--nodes", "3"],
    &["--event", "2m: unready 2 5m"],
    &["--event", "2m: crash 1"],
    &["--event", "5m: scale 1"],
];

/// What tells the reader what to do, or why nothing.
static STEP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"--compare|--nodes|--at=|since --event|see explain|Slowest: |The replicas stay |With .* it (is met|comes)|calms that|Fix: |No variant meets it").unwrap()
});

static NEEDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"It needs (?<needed>\d+) replicas at (?<goal>\d+)%, and maxReplicas is (?<max>\d+): a pod stays at (?<per_pod>\d+)%").unwrap()
});

static NOTICED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"Slowest: metrics and the first sync, (?:(?<minutes>\d+) min )?(?<seconds>\d+) s of it",
    )
    .unwrap()
});
