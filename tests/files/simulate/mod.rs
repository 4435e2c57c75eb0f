//! `simulate` end to end: with manifests, recordings, and every kind of metric, load and event.

mod answer;
mod first_lines;
mod full_nodes;
mod input;
mod kinds;
mod limits;

use std::{fs, path::PathBuf, process::Output};

use assert_cmd::Command;
use serde_json::Value;

/// A Deployment with six pods that request 200m with a limit of 500m, and an HPA with these metrics and further
/// fields.
fn manifest(metrics: &str, more: &str) -> String {
    of_kind("Deployment", metrics, more)
}

fn of_kind(kind: &str, metrics: &str, more: &str) -> String {
    format!(
        "apiVersion: apps/v1
kind: {kind}
metadata: {{name: web, namespace: shop}}
spec:
  replicas: 6
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - name: main
        image: web
        resources: {{requests: {{cpu: 200m, memory: 256Mi}}, limits: {{cpu: 500m}}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: {kind}, name: web}}
  minReplicas: 2
  maxReplicas: 20
{more}
  metrics:
{metrics}
"
    )
}

const CPU: &str = "  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}";

/// Runs `simulate` with a manifest on standard input.
fn simulate(manifest: &str, arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(["simulate", "-f", "-"])
        .args(arguments)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .write_stdin(manifest)
        .output()
        .unwrap()
}

/// The JSON of a simulation that succeeds.
fn json(manifest: &str, arguments: &[&str]) -> Value {
    let mut all = vec!["-o", "json", "--seeds", "3", "--for", "20m"];
    all.extend(arguments);
    let output = simulate(manifest, &all);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The points of the first run of the first variant, between two times in seconds.
fn points(simulation: &Value, from: f64, to: f64) -> Vec<&Value> {
    let points = simulation["variants"][0]["points"].as_array().unwrap();
    let at = |point: &&Value| (from..to).contains(&point["seconds"].as_f64().unwrap());
    points.iter().filter(at).collect()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_rise_of_the_load_is_met_after_a_time_that_is_taken_apart() {
    let simulation = json(
        &manifest(CPU, ""),
        &["--load", "700m..2800m/2m", "--compare", "maxReplicas=40"],
    );
    let variants = simulation["variants"].as_array().unwrap();
    let names: Vec<&str> = variants
        .iter()
        .map(|variant| variant["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["today", "maxReplicas=40"]);
    for variant in variants {
        let summary = &variant["summary"];
        let met = number(&summary["metAfterSeconds"]["median"]);
        assert!((60.0..300.0).contains(&met), "{summary}");
        let parts = &summary["metAfterParts"];
        let parts = ["noticeSeconds", "stepsSeconds", "startupSeconds"]
            .map(|part| number(&parts[part]["median"]));
        assert!(parts.iter().all(|part| *part > 0.0), "{summary}");
        for key in ["podHours", "rescales", "secondsAbove", "notServedShare"] {
            let band = &summary[key];
            let [low, median, high] = ["low", "median", "high"].map(|edge| number(&band[edge]));
            assert!(low <= median && median <= high, "{key}: {band}");
        }
        let rescales = variant["rescales"].as_array().unwrap();
        assert_eq!(rescales[0]["from"], 6, "{rescales:?}");
        for pair in rescales.windows(2) {
            assert_eq!(pair[0]["to"], pair[1]["from"], "{rescales:?}");
        }
        assert!(
            rescales
                .iter()
                .all(|rescale| !rescale["sentence"].as_str().unwrap().is_empty())
        );
    }
    // The first is held at its maximum, and the load needs more.
    let last = points(&simulation, 1190.0, 1200.0);
    assert_eq!(
        (&last[0]["replicas"], &last[0]["needed"]),
        (&20.into(), &24.into()),
        "{last:?}"
    );
    let known: Vec<(&str, &str)> = simulation["provenance"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            (
                item["parameter"].as_str().unwrap(),
                item["provenance"].as_str().unwrap(),
            )
        })
        .collect();
    for expected in [
        ("load", "given"),
        ("capacity", "observed"),
        ("start", "assumed"),
        ("tolerance", "assumed"),
    ] {
        assert!(known.contains(&expected), "{expected:?} in {known:?}");
    }
}

#[test]
fn a_page_has_the_answer_first_then_the_course_and_what_it_rests_on() {
    let output = simulate(
        &manifest(CPU, ""),
        &[
            "--load",
            "700m..2800m/2m",
            "--for",
            "20m",
            "--seeds",
            "3",
            "--kube-version",
            "1.37",
        ],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("shop/web → Deployment/web   6 → 20 replicas"),
        "{text}"
    );
    // It needs 24 replicas, and maxReplicas is 20.
    assert!(
        lines[1].starts_with("The load is met as far as maxReplicas allows after "),
        "{text}"
    );
    for label in ["load ", "wanted ", "replicas ", "ready ", "per pod "] {
        assert!(
            lines.iter().any(|line| line.starts_with(label)),
            "{label}: {text}"
        );
    }
    assert!(text.contains("assumed   nodes"), "{text}");
    assert!(
        lines.iter().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn a_decision_has_its_page_and_a_recording_has_them_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("what-if.jsonl.gz");
    let path = file.to_str().unwrap();
    let arguments = ["--load", "700m..2800m/2m", "--for", "20m", "--seeds", "1"];
    let output = simulate(
        &manifest(CPU, ""),
        &[&arguments[..], &["--record", path, "-o", "json"]].concat(),
    );
    let simulation: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rescales = simulation["variants"][0]["rescales"].as_array().unwrap();

    let replay = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(["replay", "--check", "-o", "jsonl", path])
        .output()
        .unwrap();
    assert_eq!(replay.status.code(), Some(0), "{replay:?}");
    let page = |at: &str| {
        let output = simulate(
            &manifest(CPU, ""),
            &[&arguments[..], &["--at", at, "-o", "json"]].concat(),
        );
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let rescale = &rescales[1];
    let explained = page(&format!("{}s", number(&rescale["seconds"]).ceil()));
    for key in ["from", "to", "rule"] {
        assert_eq!(explained["verdict"][key], rescale[key], "{explained}");
    }
    let linted = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(["lint", "-f", path])
        .output()
        .unwrap();
    let findings = String::from_utf8(linted.stdout).unwrap();
    assert!(findings.contains("HPA804 limited-at-max"), "{findings}");
}

#[test]
fn expectations_decide_the_exit_code_and_are_about_the_changed_spec() {
    let run = |arguments: &[&str]| {
        let rise = ["--load", "700m..2800m/2m", "--for", "20m", "--seeds", "4"];
        simulate(&manifest(CPU, ""), &[&rise[..], arguments].concat())
            .status
            .code()
    };
    assert_eq!(run(&["--expect", "ready >= 18 within 5m in 75%"]), Some(0));
    assert_eq!(run(&["--expect", "ready >= 18 within 1m"]), Some(1));
    assert_eq!(
        run(&[
            "--expect",
            "replicas <= 20 always",
            "--expect",
            "notServed <= 20%"
        ]),
        Some(0)
    );
    assert_eq!(run(&["--expect", "replicas >= 21 within 10m"]), Some(1));
    assert_eq!(
        run(&[
            "--set",
            "maxReplicas=40",
            "--expect",
            "replicas >= 21 within 10m"
        ]),
        Some(0)
    );
}

#[test]
fn a_recording_gives_the_start_and_the_load() {
    let recording = examples().join("held-by-window.jsonl");
    let run = |arguments: &[&str]| {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
            .args([
                "simulate", "-o", "json", "--seeds", "2", "--for", "10m", "-f",
            ])
            .arg(&recording)
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let simulation = run(&[]);
    let replicas = &simulation["variants"][0]["points"][0]["replicas"];
    assert_eq!(replicas, 9, "as the recording ends");
    // The window holds the replicas until it ends at 11:35:30, two minutes after the recording.
    let rescale = &simulation["variants"][0]["rescales"][0];
    assert_eq!(rescale["from"], 9, "{rescale}");
    assert!(
        (60.0..150.0).contains(&number(&rescale["seconds"])),
        "{rescale}"
    );

    // Its load again: high at first, and low from the second minute on.
    let load = format!("recording:{}", recording.display());
    let again = run(&["--load", &load]);
    assert!(
        2.0 * number(&points(&again, 300.0, 310.0)[0]["load"])
            < number(&points(&again, 0.0, 10.0)[0]["load"])
    );
}

#[test]
fn pods_that_are_not_ready_do_not_make_the_others_uneven() {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args([
            "simulate", "-o", "json", "--seeds", "1", "--for", "1m", "-f",
        ])
        .arg(examples().join("not-ready-pods.jsonl"))
        .output()
        .unwrap();
    let simulation: Value = serde_json::from_slice(&output.stdout).unwrap();
    let known = simulation["provenance"].as_array().unwrap();
    let uneven = known
        .iter()
        .find(|item| item["parameter"] == "uneven")
        .unwrap();
    // The six that are ready use 85m each.
    assert_eq!(
        (&uneven["value"], &uneven["provenance"]),
        (&"even".into(), &"observed".into())
    );
}

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples")
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_runs_that_are_done() {
    use std::{process, thread, time::Duration};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("web.yaml");
    fs::write(&file, manifest(CPU, "")).unwrap();
    let child = process::Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args([
            "simulate", "--load", "700m", "--for", "2h", "--seeds", "10000", "-o", "json", "-f",
        ])
        .arg(&file)
        .stdout(process::Stdio::piped())
        .stderr(process::Stdio::piped())
        .spawn()
        .unwrap();
    // Long enough for a run, and far too short for all.
    thread::sleep(Duration::from_secs(4));
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&child),
        rustix::process::Signal::INT,
    )
    .unwrap();
    let output = child.wait_with_output().unwrap();
    let simulation: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert_eq!(simulation["interrupted"], true);
    let runs = number(&simulation["runs"]);
    assert!((1.0..10_000.0).contains(&runs), "{runs}");
}

#[test]
fn pods_without_a_node_are_reported_to_find_none() {
    let run = |arguments: &[&str]| {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
            .args(["simulate", "-o", "json", "--seeds", "1", "--for", "1m"])
            .arg("-f")
            .arg(examples().join("more-than-max.jsonl"))
            .args(arguments)
            .output()
            .unwrap();
        let simulation: Value = serde_json::from_slice(&output.stdout).unwrap();
        simulation["notModeled"].to_string()
    };
    let sentence = "no node now, and here no new node comes";
    assert!(run(&[]).contains(sentence), "{}", run(&[]));
    assert!(!run(&["--nodes", "8"]).contains(sentence));
}
