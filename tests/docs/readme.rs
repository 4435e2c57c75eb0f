//! The transcripts of the README are what the program prints.
//!
//! `TRYCMD=overwrite cargo test --test docs` writes them anew.

use std::{fs, path::Path};

#[test]
fn transcripts_of_the_readme_are_true() {
    trycmd::TestCases::new()
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .case("README.md");
}

/// Somebody in trouble reads one screen: what it is, what it says, how to get it.
#[test]
fn readme_is_short_and_begins_with_an_answer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("the README is text");
    assert!(readme.lines().count() <= 110, "tables belong into docs");
    let first = readme.lines().take(45).collect::<Vec<_>>().join("\n");
    assert!(first.contains("$ kubectl-hpa explain"), "{first}");
    assert!(first.contains("STAYS AT 8"), "{first}");
    for command in ["explain", "lint", "watch"] {
        let displayed = readme.contains(&format!("$ kubectl-hpa {command}"))
            || readme.contains(&format!("(docs/pictures/{command}.svg)"));
        assert!(displayed, "{command} is not shown");
    }
}

#[test]
fn commands_of_the_readme_are_those_that_ci_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("the README is text");
    let script = fs::read_to_string(root.join(".ci/run")).expect("the script is text");
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
