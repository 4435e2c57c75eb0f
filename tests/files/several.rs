//! Several HPAs in one report.

use std::{fs, path::Path};

use assert_cmd::Command;

#[test]
fn urgent_hpas_come_first_and_a_line_is_enough_where_all_is_well() {
    let report = explain(&[]);
    let first_lines: Vec<&str> = report
        .lines()
        .filter_map(|line| line.split_once(" → ").filter(|(hpa, _)| !hpa.contains(' ')))
        .map(|(hpa, _)| hpa)
        .collect();
    // At maxReplicas, not scaled at all, not scaled down, pods that are not ready.
    assert_eq!(
        first_lines,
        ["api/api", "beta/web", "mail/worker", "shop/web"],
        "{report}"
    );
    let calm = report
        .split_once("No problems found in 1 of 5 HPAs")
        .unwrap()
        .1;
    let line = calm.lines().last().unwrap();
    assert!(line.contains("window until 11:35:30"), "{line}");

    let verbose = explain(&["-v"]);
    assert!(!verbose.contains("No problems found"), "{verbose}");
    assert_eq!(verbose.matches(" → Deployment/").count(), 5, "{verbose}");
}

/// The output for the HPAs of all examples.
fn explain(flags: &[&str]) -> String {
    let examples = [
        "not-ready-pods",
        "held-by-window",
        "more-than-max",
        "two-hpas",
        "broken-metric",
    ];
    said_of(&examples, "explain", flags)
}

/// The output of a command for the HPAs of several examples, read from standard input.
pub(crate) fn said_of(examples: &[&str], command: &str, flags: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let read = |name: &&str| fs::read_to_string(folder.join(name).with_extension("jsonl")).unwrap();
    let recordings: String = examples.iter().map(read).collect();
    let run = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args([command, "-f", "-"])
        .args(flags)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .write_stdin(recordings)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    String::from_utf8(run.stdout).unwrap()
}
