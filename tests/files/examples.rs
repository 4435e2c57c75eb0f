//! The examples: what one command says of them agrees with what the others say, and the advice can be followed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use assert_cmd::Command;

#[test]
fn answer_names_the_pods_that_keep_the_rounded_number_down() {
    let file = "examples/worked/failed-and-missing-pods.jsonl";
    let page = stdout(&run(&["explain", "-f", file]));
    let answer = page.split_once("\n\n").unwrap().0;
    insta::assert_snapshot!(answer, @"
    shop/web → Deployment/web                     STAYS AT 14        min 12 · max 16
    CPU is at 85% (target 60%), but 2 of 14 pods have no metrics, and the HPA counts
    them as idle before it scales up: 70% on average. 1.17 × 12 pods = 14, the
    current replicas. Check web-003 and web-004: no metrics, started 60 min ago.
      kubectl describe pod web-003 -n shop
    ");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Runs the program in the folder of the repository.
fn run(words: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .current_dir(root())
        .args(words)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap()
}

fn stdout(run: &Output) -> String {
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    String::from_utf8(run.stdout.clone()).unwrap()
}
