//! `explain`, `list`, `lint` and `simulate` say the same about what more replicas cannot help.

use assert_cmd::Command;
use serde_json::{Value, json};

/// An HPA at its maximum since 09:00, recorded at 10:00: replicas wanted, pods that exist, and the memory of each.
fn recording(wanted: i32, existing: usize, memory: &str) -> String {
    let names: Vec<String> = (0..existing)
        .map(|index| format!("web-7f9c-{index}"))
        .collect();
    let pod = |name: &String| {
        json!({
            "metadata": {
                "name": name, "namespace": "shop", "creationTimestamp": "2026-11-28T09:00:00Z",
                "labels": {"app": "web"},
                "ownerReferences": [{"kind": "ReplicaSet", "name": "web-7f9c", "controller": true}],
            },
            "spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "500m", "memory": "256Mi"}}}]},
            "status": {
                "phase": "Running", "startTime": "2026-11-28T09:00:00Z",
                "conditions": [
                    {"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-11-28T09:00:00Z"},
                    {"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-28T09:00:20Z"},
                ],
            },
        })
    };
    let sample = |name: &String| {
        json!({
            "metadata": {"name": name, "namespace": "shop", "labels": {}},
            "timestamp": "2026-11-28T09:59:50Z", "window": "15s",
            "containers": [{"name": "app", "usage": {"cpu": "11m", "memory": memory}}],
        })
    };
    let utilization = |name: &str| {
        json!({
            "type": "Resource",
            "resource": {"name": name, "target": {"type": "Utilization", "averageUtilization": 90}},
        })
    };
    let condition = |kind: &str, reason: &str| {
        json!({
            "type": kind, "status": "True", "reason": reason, "message": "",
            "lastTransitionTime": "2026-11-28T09:00:00Z",
        })
    };
    let snapshot = json!({
        "apiVersion": "kubectl-hpa/v1", "kind": "Snapshot", "metadata": {"name": "shop/web"},
        "time": "2026-11-28T10:00:00Z",
        "controller": {"version": "1.36.3"},
        "hpa": {
            "metadata": {"name": "web", "namespace": "shop", "creationTimestamp": "2026-11-18T10:00:00Z"},
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "minReplicas": 1, "maxReplicas": wanted,
                "metrics": [utilization("memory"), utilization("cpu")],
            },
            "status": {
                "currentReplicas": wanted, "desiredReplicas": wanted,
                "lastScaleTime": "2026-11-28T09:00:00Z",
                "conditions": [
                    condition("AbleToScale", "ReadyForNewScale"),
                    condition("ScalingActive", "ValidMetricFound"),
                    condition("ScalingLimited", "TooManyReplicas"),
                ],
            },
        },
        "scale": {
            "spec": {"replicas": wanted},
            "status": {"replicas": existing, "selector": "app=web"},
        },
        "pods": names.iter().map(pod).collect::<Vec<Value>>(),
        "podMetrics": {"items": names.iter().map(sample).collect::<Vec<Value>>()},
        "target": {
            "apiVersion": "apps/v1", "kind": "Deployment", "name": "web",
            "intermediateOwners": [
                {"kind": "ReplicaSet", "name": "web-7f9c", "ownerKind": "Deployment", "ownerName": "web"},
            ],
        },
    });
    format!("{snapshot}\n")
}

/// What a command writes about it, errors included, in one line.
fn said(command: &[&str], recording: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.jsonl");
    std::fs::write(&file, recording).unwrap();
    let run = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(command)
        .arg("-f")
        .arg(&file)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let text = [run.stdout, run.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn pods_that_do_not_exist_are_the_problem_in_every_command() {
    let recording = recording(10, 3, "850Mi");
    let page = said(&["explain"], &recording);
    assert!(page.contains("Only 3 of 10 wanted pods exist."), "{page}");
    assert!(!page.contains("maxReplicas="), "{page}");
    let list = said(&["list"], &recording);
    assert!(list.contains("7 of 10 pods missing"), "{list}");
    let lint = said(&["lint"], &recording);
    assert!(
        lint.contains("find out why only 3 of the 10 wanted pods exist"),
        "{lint}"
    );
    assert!(!lint.contains("set maxReplicas:"), "{lint}");
}

#[test]
fn memory_that_idle_pods_need_is_never_met_by_more_of_them() {
    let recording = recording(5, 5, "326Mi");
    let page = said(&["explain"], &recording);
    assert!(
        page.contains("Even the leanest of the 5 pods uses 326 MiB"),
        "{page}"
    );
    let lint = said(&["lint"], &recording);
    for part in [
        "idle pods use 326 MiB of memory, above the target, so no number of replicas meets it",
        "no maxReplicas meets the memory target",
    ] {
        assert!(lint.contains(part), "{lint}");
    }
    assert!(!lint.contains("set maxReplicas:"), "{lint}");
    let simulated = said(&["simulate", "--set", "maxReplicas=8"], &recording);
    assert!(
        simulated.contains("no number of replicas brings it below"),
        "{simulated}"
    );
}
