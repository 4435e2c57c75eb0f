//! `capture` of a running cluster, and `replay` of what it wrote.

use std::{thread, time::Duration};

use serde_json::{Value, json};

use crate::{
    cluster::{cluster, succeed},
    manifest::{average, deployment, hpa},
    namespace::{Namespace, free_namespace},
};

#[test]
fn two_minutes_of_changing_load_replay_with_full_agreement() {
    let namespace = free_namespace("recorded");
    queue_depth(&namespace, 20);
    namespace.apply([
        deployment("web", 3).pods("cpu-total", "180m").object(),
        hpa("web").bounds(2, 12).cpu(60).object(),
        deployment("worker", 2).object(),
        hpa("worker")
            .external("queue_depth", average("10"))
            .behavior(json!({
                "scaleUp": {"policies": [{"type": "Pods", "value": 2, "periodSeconds": 15}]},
                "scaleDown": {
                    "stabilizationWindowSeconds": 10,
                    "policies": [{"type": "Percent", "value": 50, "periodSeconds": 20}],
                },
            }))
            .object(),
        deployment("api", 4).pods("memory", "100Mi").object(),
        hpa("api")
            .resource("memory", average("100Mi"))
            .down_at_once()
            .object(),
    ]);
    let file = cluster().file("recorded.jsonl.gz");
    let mut capture = namespace
        .kubectl([
            "hpa",
            "capture",
            "web",
            "worker",
            "api",
            "--every=1s",
            "--for=2m",
        ])
        .arg(format!("--output={}", file.display()))
        .spawn()
        .unwrap();
    let load = [
        ("400m", 55, "130Mi"),
        ("700m", 90, "100Mi"),
        ("90m", 15, "60Mi"),
        ("240m", 40, "110Mi"),
    ];
    for (cpu, queue, memory) in load.iter().cycle() {
        if let Some(status) = capture.try_wait().unwrap() {
            assert!(status.success(), "capture: {status}");
            break;
        }
        namespace.annotate_pods("web", "cpu-total", cpu);
        namespace.annotate_pods("api", "memory", memory);
        queue_depth(&namespace, *queue);
        thread::sleep(Duration::from_secs(12));
    }

    let replay = succeed(cluster().kubectl(["hpa", "replay", "--check"]).arg(&file));
    let lines = succeed(
        cluster()
            .kubectl(["hpa", "replay", "--output=jsonl"])
            .arg(&file),
    );
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.len() > 300, "only {} snapshots", lines.len());
    let checked = lines.iter().filter(|line| line["agrees"] == true).count();
    assert!(
        checked > lines.len() / 2,
        "only {checked} of {} snapshots were checked\n{replay}",
        lines.len()
    );
}

fn queue_depth(namespace: &Namespace, depth: i32) {
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": depth}]}));
}
