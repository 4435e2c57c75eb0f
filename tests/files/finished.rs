//! Finished Job pods that the selector matches: what they do depends on the version of the controller.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

/// A Deployment of 6 pods at 85% of their CPU (target 60%), and 2 pods of a Job that have finished.
fn recording(folder: &Path) {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/not-ready-pods.jsonl");
    let text = fs::read_to_string(example).unwrap();
    let mut line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let is_ready = |pod: &Value| {
        let conditions = pod["status"]["conditions"].as_array().unwrap();
        conditions
            .iter()
            .any(|one| one["type"] == "Ready" && one["status"] == "True")
    };
    let mut finished = Vec::new();
    for pod in line["pods"].as_array_mut().unwrap() {
        if !is_ready(pod) {
            let name = format!("report-{}", finished.len() + 1);
            finished.push(pod["metadata"]["name"].clone());
            pod["metadata"]["name"] = json!(name);
            pod["metadata"]["ownerReferences"] =
                json!([{"kind": "Job", "name": "report", "controller": true}]);
            pod["status"] = json!({"phase": "Succeeded", "startTime": pod["status"]["startTime"]});
        }
    }
    assert_eq!(finished.len(), 2);
    let samples = line["podMetrics"]["items"].as_array_mut().unwrap();
    samples.retain(|sample| !finished.contains(&sample["metadata"]["name"]));
    line["scale"]["spec"]["replicas"] = json!(6);
    line["scale"]["status"]["replicas"] = json!(6);
    line["hpa"]["status"] = json!({"currentReplicas": 6, "desiredReplicas": 6});
    line.as_object_mut().unwrap().remove("outcome");
    fs::write(folder.join("hpa.jsonl"), format!("{line}\n")).unwrap();
}

/// The output, in one line.
fn run(folder: &Path, words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .current_dir(folder)
        .args(words)
        .output()
        .unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn finished_pods_hold_the_hpa_back_until_1_37_and_are_ignored_from_1_38_on() {
    let folder = tempfile::tempdir().unwrap();
    recording(folder.path());
    for (version, says, does_not_say) in [
        (
            "1.37",
            &[
                "STAYS AT 6",
                "report-1 and report-2 have finished",
                "up to Kubernetes 1.37, the HPA counts them as 0",
                "Delete them.",
            ][..],
            "the HPA ignores them",
        ),
        (
            "1.38",
            &[
                "SCALES 6 → 9",
                "report-1 and report-2 have finished",
                "From Kubernetes 1.38 on, the HPA ignores them.",
                "2 ignored",
            ],
            "Delete them",
        ),
    ] {
        let of_version = |words: &[&str]| {
            let words = [words, &["-f", "hpa.jsonl", "--kube-version", version]].concat();
            run(folder.path(), &words)
        };
        let page = of_version(&["explain", "-v"]);
        for part in says {
            assert!(page.contains(part), "{version}: no {part:?} in {page}");
        }
        assert!(!page.contains(does_not_say), "{version}: {page}");
        for (rule, message, in_version) in [
            ("HPA501", "so metrics include them while they run", "1.38"),
            (
                "HPA502",
                "2 finished pods (report-1 and report-2) match the selector of Deployment/web, so metrics still count them",
                "1.37",
            ),
        ] {
            let lint = of_version(&["lint", "--select", rule, "-o", "json"]);
            let is_said = lint.contains(message);
            assert_eq!(is_said, version == in_version, "{rule}, {version}: {lint}");
        }
    }
}

/// Changes the finished pods of the recording.
fn change_finished(folder: &Path, change: impl Fn(&mut Value)) {
    let path = folder.join("hpa.jsonl");
    let mut line: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let pods = line["pods"].as_array_mut().unwrap().iter_mut();
    pods.filter(|pod| pod["status"]["phase"] == "Succeeded")
        .for_each(change);
    fs::write(path, format!("{line}\n")).unwrap();
}

#[test]
fn finished_pods_without_a_request_fail_the_metric_whether_they_are_ignored_or_not() {
    for phase in ["Failed", "Succeeded"] {
        for version in ["1.37", "1.38"] {
            let folder = tempfile::tempdir().unwrap();
            recording(folder.path());
            change_finished(folder.path(), |pod| {
                pod["spec"]["containers"][0]["resources"] = json!({});
                pod["status"]["phase"] = json!(phase);
            });
            let of_version = |words: &[&str]| {
                let words = [words, &["-f", "hpa.jsonl", "--kube-version", version]].concat();
                run(folder.path(), &words)
            };
            let page = of_version(&["explain"]);
            assert!(page.contains("CPU cannot be computed"), "{page}");
            let lint = of_version(&["lint", "--select", "HPA502", "-o", "json"]);
            let says = "2 finished pods (report-1 and report-2) match the selector of Deployment/web and have no CPU request, \
                        so CPU utilization cannot be computed";
            assert!(lint.contains(says), "{phase}, {version}: {lint}");
        }
    }
}

#[test]
fn failed_pods_with_a_request_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    recording(folder.path());
    change_finished(folder.path(), |pod| {
        pod["status"]["phase"] = json!("Failed");
    });
    let lint = run(
        folder.path(),
        &[
            "lint",
            "--select",
            "HPA502",
            "-f",
            "hpa.jsonl",
            "--kube-version",
            "1.37",
        ],
    );
    assert!(!lint.contains("HPA502"), "{lint}");
}
