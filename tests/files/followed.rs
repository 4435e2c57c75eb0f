//! Commands that a page made from a file prints. They are about that file, and run as they are printed.
#![cfg(unix)]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

#[test]
fn command_of_a_page_from_a_file_names_the_file_and_runs_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    for (question, flags, shown) in [
        (
            "08-flags-of-the-controller",
            "--assume-tolerance=0.2",
            "STAYS AT",
        ),
        (
            "12-slower-than-behavior",
            "--compare behavior.scaleUp-",
            "behavior.scaleUp",
        ),
        (
            "19-up-and-down",
            "--set behavior.scaleDown.stabilizationWindowSeconds=120",
            "stabilizationWindowSeconds  0 → 120",
        ),
    ] {
        let file = folder.path().join(format!("it's {question}.jsonl"));
        fs::copy(example(question), &file).unwrap();
        let file = file.to_str().unwrap();
        let command = command_of(&["explain", "-f", file]);
        assert!(command.ends_with(flags), "{command}");
        // The same in the list, and on the page of replay.
        assert_eq!(command_of(&["list", "-f", file]), command);
        let printed = as_printed(&command);
        assert!(printed.contains(shown), "{command}: {printed}");
    }
}

/// `simulate` would start at the last sync.
#[test]
fn command_of_an_earlier_sync_is_about_that_sync() {
    let file = example("12-slower-than-behavior");
    let at = "2026-11-21T23:06:52Z";
    let page = plugin(&["replay", &file, "--at", at]);
    let page = String::from_utf8(page.stdout).unwrap();
    let mut lines = page.lines();
    let printed = lines.find_map(|line| line.strip_prefix("  kubectl hpa explain "));
    let expected = format!("web -n feed -f {file} --at {at} --set behavior.scaleUp-");
    assert_eq!(printed, Some(expected.as_str()));
    let command = command_of(&["explain", "-f", &file, "--at", at]);
    assert_eq!(command, format!("kubectl hpa explain {expected}"));
    let changed = as_printed(&command);
    assert!(changed.contains("today"), "{changed}");
    assert!(changed.contains("2026-11-21 23:06:51 UTC"), "{changed}");
}

/// What reads standard input cannot be repeated.
#[test]
fn command_of_a_page_from_standard_input_names_no_file() {
    let recording = fs::read(example("19-up-and-down")).unwrap();
    let run = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(["explain", "-f", "-"])
        .write_stdin(recording)
        .output()
        .unwrap();
    let page = String::from_utf8(run.stdout).unwrap();
    assert!(
        page.contains("\n  kubectl hpa explain web -n ticker --set "),
        "{page}"
    );
}

#[test]
fn page_of_a_manifest_leads_to_the_hpa_of_the_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hpa.yaml");
    let manifest = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: shop}, \
                    spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}";
    fs::write(&file, manifest).unwrap();
    let file = file.to_str().unwrap();
    let page = plugin(&["explain", "-f", file]);
    let page = String::from_utf8(page.stdout).unwrap();
    assert!(page.contains("The file lacks inputs"), "{page}");
    let command = command_of(&["explain", "-f", file]);
    assert_eq!(command, "kubectl hpa explain web -n shop");
}

#[test]
fn commands_that_read_only_a_cluster_name_the_command_for_files() {
    for command in ["history", "watch"] {
        let error = refused(&[command, "web", "-f", "web.jsonl"]);
        let tip = "tip: to play a recording, use 'kubectl hpa replay FILE'";
        assert!(error.contains(tip), "{error}");
    }
}

#[test]
fn error_of_an_unknown_flag_names_the_commands_that_have_it() {
    for (words, tip) in [
        (
            &["capture", "-f", "x"][..],
            Some("tip: commands with '-f': explain, lint, list, replay, simulate"),
        ),
        (
            &["capture", "--file", "x"],
            Some("tip: commands with '--file': explain, lint, list, replay, simulate"),
        ),
        // Not a flag that is only spelt alike.
        (
            &["lint", "--at", "03:12"],
            Some("tip: commands with '--at': explain, history, list, replay, simulate"),
        ),
        (
            &["simulate", "--price=1"],
            Some("tip: commands with '--price': history"),
        ),
        (&["explain", "web", "--bogus"], None),
        (&["replay", "one.jsonl", "two.jsonl"], None),
    ] {
        let error = refused(words);
        assert!(error.starts_with("error: unexpected argument"), "{error}");
        let printed = error.lines().filter(|line| line.contains("tip:"));
        let printed: Vec<&str> = printed.map(str::trim).collect();
        assert_eq!(printed, tip.into_iter().collect::<Vec<_>>(), "{error}");
    }
}

fn example(question: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/questions");
    let file = folder.join(question).with_extension("jsonl");
    file.to_str().unwrap().to_owned()
}

/// The command that leads further, of the only HPA.
fn command_of(arguments: &[&str]) -> String {
    let run = plugin(&[arguments, &["-o", "json"]].concat());
    let document: Value = serde_json::from_slice(&run.stdout).unwrap();
    let hpa = document.get("items").map_or(&document, |items| &items[0]);
    hpa["verdict"]["command"].as_str().unwrap().to_owned()
}

/// What a shell prints for a command, which cannot ask a cluster.
fn as_printed(command: &str) -> String {
    let script = format!("kubectl() {{ shift; \"$PLUGIN\" \"$@\"; }}\n{command}");
    let run = Command::new("sh")
        .args(["-c", &script])
        .env("PLUGIN", assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .env("KUBECONFIG", "/dev/null")
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{command}: {run:?}");
    String::from_utf8(run.stdout).unwrap()
}

/// The error about these arguments.
fn refused(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.status.code(), Some(2), "{arguments:?}: {run:?}");
    String::from_utf8(run.stderr).unwrap()
}

fn run(arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(arguments)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap()
}

fn plugin(arguments: &[&str]) -> Output {
    let run = run(arguments);
    assert_eq!(run.status.code(), Some(0), "{arguments:?}: {run:?}");
    run
}
