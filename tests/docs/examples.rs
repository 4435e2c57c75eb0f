//! The incidents in `examples`, as in their README.

#![expect(clippy::unwrap_used, reason = "test code")]

use std::{fs, path::Path, process::Command};

#[test]
fn every_incident_replays_as_the_controller_decided() {
    let mut found = 0;
    for entry in fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.contains(".jsonl") {
            continue;
        }
        let printed = run(&["replay", "--check"], name);
        assert!(printed.contains("none differs"), "{name}: {printed}");
        found += 1;
    }
    assert_eq!(found, 5);
}

#[test]
fn incidents_are_explained_as_their_readme_says() {
    for (name, texts) in [
        (
            "not-ready-pods.jsonl",
            ["STAYS AT 8", "63% on average", "to 12 once all pods count"],
        ),
        (
            "held-by-window.jsonl",
            ["STAYS AT 9", "asks for 4", "11:35:30"],
        ),
        (
            "broken-metric.jsonl",
            [
                "CANNOT SCALE DOWN, stays at 6",
                "queue_depth asks for 3",
                "container proxy of Pod worker-debug",
            ],
        ),
        (
            "more-than-max.jsonl",
            [
                "STAYS AT 20 (maxReplicas)",
                "asks for 32",
                "2 of 20 pods are not ready",
            ],
        ),
        (
            "two-hpas.jsonl",
            ["BLOCKED", "select the same pods", "web-canary"],
        ),
    ] {
        let page = run(&["explain", "-f"], name);
        let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in texts {
            assert!(words.contains(text), "{name}: no {text:?} in\n{page}");
        }
    }
}

/// Runs the binary on an example, in UTC; it must succeed.
fn run(arguments: &[&str], example: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(arguments)
        .arg(examples().join(example))
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{example}: {}\n{printed}",
        output.status
    );
    printed
}

fn examples() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"))
}
