//! Recordings of situations that no recording of the repository shows, made of its examples.

use std::{
    fs,
    path::{Path, PathBuf},
};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// Writes the recordings into a folder.
pub(crate) fn made_up(folder: &Path) -> [PathBuf; 4] {
    let write = |name: &str, lines: Vec<Value>| {
        let path = folder.join(name);
        let lines = lines.iter().map(|line| format!("{line}\n"));
        fs::write(&path, lines.collect::<String>()).unwrap();
        path
    };
    [
        write("frozen.jsonl", frozen()),
        write("refused.jsonl", refused()),
        write("just-ready.jsonl", just_ready()),
        write("one-is-gone.jsonl", one_is_gone()),
    ]
}

/// The first sync of an example, and so again and again, after `change` for the number of the sync and its time.
fn repeated(example: &str, change: impl Fn(&mut Value, i64, Timestamp)) -> Vec<Value> {
    let first = lines_of(example).remove(0);
    let start: Timestamp = first["time"].as_str().unwrap().parse().unwrap();
    let later = |sync: i64| {
        let mut line = first.clone();
        let at = start + SignedDuration::from_secs(15 * sync);
        line["time"] = at.to_string().into();
        change(&mut line, sync, at);
        line
    };
    (0..5).map(later).collect()
}

fn lines_of(example: &str) -> Vec<Value> {
    let text = fs::read_to_string(example).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The replicas are changed, and no sync follows for three sync periods.
fn frozen() -> Vec<Value> {
    repeated("examples/held-by-window.jsonl", |line, sync, _| {
        let replicas = line["scale"]["spec"]["replicas"].as_i64().unwrap();
        for of in ["spec", "status"] {
            line["scale"][of]["replicas"] = (replicas + sync.min(1)).into();
        }
    })
}

/// A quota refuses two of ten pods.
fn refused() -> Vec<Value> {
    let message = "pods \"web-x\" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=8, limited: pods=8";
    repeated("examples/not-ready-pods.jsonl", |line, _, at| {
        line["scale"]["spec"]["replicas"] = 10.into();
        set_usage(line, 70, at);
        let status = &mut line["hpa"]["status"];
        status["currentReplicas"] = 10.into();
        status["desiredReplicas"] = 10.into();
        status["lastScaleTime"] = "2026-11-21T11:29:14Z".into();
        line["target"] = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "name": "web",
            "intermediateOwners": [{"kind": "ReplicaSet", "name": "web-7f5fbdc4d6", "ownerKind": "Deployment",
                "ownerName": "web", "failure": message}],
        });
        line["surroundings"]["downstream"]["resourceQuotas"] = json!([{
            "metadata": {"name": "compute", "namespace": "shop"},
            "spec": {"hard": {"pods": "8"}},
            "status": {"hard": {"pods": "8"}, "used": {"pods": "8"}},
        }]);
    })
}

/// Three of eight pods are ready since a moment, and their samples began before.
fn just_ready() -> Vec<Value> {
    repeated("examples/not-ready-pods.jsonl", |line, _, at| {
        set_usage(line, 90, at);
        let before = |seconds| (at - SignedDuration::from_secs(seconds)).to_string();
        for pod in line["pods"].as_array_mut().unwrap().iter_mut().take(3) {
            pod["status"]["startTime"] = before(30).into();
            for condition in pod["status"]["conditions"].as_array_mut().unwrap() {
                condition["lastTransitionTime"] = before(5).into();
            }
        }
    })
}

/// Of two HPAs with the same pods one is deleted, which its last line does not show.
fn one_is_gone() -> Vec<Value> {
    let mut lines = lines_of("examples/two-hpas.jsonl");
    let mut other = lines.last().unwrap().clone();
    other["metadata"]["name"] = "beta/web-canary".into();
    other["hpa"]["metadata"]["name"] = "web-canary".into();
    other["otherHpas"] = json!([{"name": "web", "selector": other["scale"]["status"]["selector"]}]);
    let start: Timestamp = other["time"].as_str().unwrap().parse().unwrap();
    let is_alone = |line: &&Value| line.get("otherHpas").is_none();
    let alone = lines.iter().find(is_alone).unwrap().clone();
    // An alarm stays on for two more syncs.
    let later = (2..6).map(|sync| {
        let mut line = alone.clone();
        let at = start + SignedDuration::from_secs(15 * sync);
        line["time"] = at.to_string().into();
        set_usage(&mut line, 58, at);
        line
    });
    lines.push(other);
    lines.extend(later);
    lines
}

/// Sets the usage of all pods, in percent of requests of 100m, by samples from shortly before `at`.
fn set_usage(line: &mut Value, percent: i64, at: Timestamp) {
    let usage = format!("{percent}m");
    for sample in line["podMetrics"]["items"].as_array_mut().unwrap() {
        sample["timestamp"] = (at - SignedDuration::from_secs(8)).to_string().into();
        sample["window"] = "15s".into();
        for container in sample["containers"].as_array_mut().unwrap() {
            container["usage"]["cpu"] = usage.clone().into();
        }
    }
    line["hpa"]["status"]["currentMetrics"][0]["resource"]["current"] =
        json!({"averageValue": usage, "averageUtilization": percent});
}
