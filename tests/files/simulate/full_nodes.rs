//! Pods that have no node now find none by themselves.

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The last line of a recorded incident with 20 pods, of which the last `waiting` have no node.
fn with_waiting(waiting: usize) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/more-than-max.jsonl");
    let recording = fs::read_to_string(path).unwrap();
    let mut snapshot: Value = serde_json::from_str(recording.lines().last().unwrap()).unwrap();
    snapshot["hpa"]["spec"]["maxReplicas"] = json!(40);
    let pods = snapshot["pods"].as_array_mut().unwrap();
    let first = pods.len() - waiting;
    let mut names = Vec::new();
    for pod in &mut pods[first..] {
        let why = json!({"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
            "message": "0/2 nodes are available: 2 Insufficient cpu."});
        pod["status"] = json!({"phase": "Pending", "conditions": [why]});
        names.push(pod["metadata"]["name"].clone());
    }
    let samples = snapshot["podMetrics"]["items"].as_array_mut().unwrap();
    samples.retain(|sample| !names.contains(&sample["metadata"]["name"]));
    snapshot.as_object_mut().unwrap().remove("outcome");
    snapshot
}

fn simulated(snapshot: &Value, arguments: &[&str]) -> Value {
    let home = TempDir::new().unwrap();
    let file = home.path().join("now.json");
    fs::write(&file, snapshot.to_string()).unwrap();
    let output = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args([
            "simulate", "-o", "json", "--seeds", "2", "--for", "10m", "-f",
        ])
        .arg(&file)
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn most_ready(simulation: &Value) -> i64 {
    let points = simulation["variants"][0]["points"].as_array().unwrap();
    points
        .iter()
        .filter_map(|point| point["ready"].as_i64())
        .max()
        .unwrap()
}

#[test]
fn pods_without_a_node_stay_without_one_unless_nodes_are_given() {
    for waiting in [1, 4, 9] {
        let snapshot = with_waiting(waiting);
        let room = 20 - i64::try_from(waiting).unwrap();
        let simulation = simulated(&snapshot, &[]);
        assert!(
            most_ready(&simulation) <= room,
            "{waiting}: {}",
            most_ready(&simulation)
        );
        assert_eq!(
            simulation["variants"][0]["summary"]["metAfterSeconds"],
            Value::Null
        );
        let left_out = simulation["notModeled"].to_string();
        assert!(left_out.contains("no new node comes"), "{left_out}");
        // New nodes come where the user says so.
        let simulation = simulated(&snapshot, &["--nodes", "60"]);
        assert!(room < most_ready(&simulation), "{waiting}");
    }
}
