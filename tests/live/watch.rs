//! `watch` of a running cluster, compared with the controller.

use std::{
    fs::{self, File},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};

use crate::{
    cluster::{cluster, eventually},
    manifest::{deployment, hpa},
    namespace::{Namespace, free_namespace},
};

/// Starts `watch` of `web`, which writes to a file.
pub(crate) fn watch(namespace: &Namespace, format: &str, file: &str) -> Child {
    namespace
        .kubectl(["hpa", "watch", "web", "--output", format])
        .stdout(File::create(cluster().file(file)).unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn text(file: &str) -> String {
    fs::read_to_string(cluster().file(file)).unwrap()
}

/// The whole lines so far.
pub(crate) fn objects(file: &str) -> Vec<Value> {
    let text = text(file);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(crate) fn stop(child: Child) -> String {
    let killed = Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn load_step_manual_scaling_and_edit_are_reported_and_every_sync_is_as_recomputed() {
    let namespace = free_namespace("watched");
    namespace.apply([
        deployment("web", 3).pods("cpu-total", "180m").object(),
        hpa("web")
            .bounds(2, 8)
            .cpu(60)
            .behavior(json!({"scaleDown": {"stabilizationWindowSeconds": 3600}}))
            .object(),
    ]);
    let plain = watch(&namespace, "plain", "watched.txt");
    let jsonl = watch(&namespace, "jsonl", "watched.jsonl");
    eventually("both watch", || {
        let is_plain = text("watched.txt").contains("watched/web 3 replicas (2 to 8), 3 ready");
        let reconciles = objects("watched.jsonl")
            .iter()
            .filter(|one| one["type"] == "reconcile")
            .count();
        (is_plain && 2 <= reconciles).then_some(())
    });

    // Of all pods at once: a sync that finds some of them changed scales to another number.
    let usage = json!({"resource": [{"selector": "app=web", "cpu": "240m", "total": true}]});
    namespace.metrics(&usage);
    eventually("the scaling is shown", || {
        text("watched.txt")
            .contains("watched/web 3 → 4: up by cpu at 80% (target 60%)")
            .then_some(())
    });
    // What is seen first decides whether the change is reported with the reconcile or separately.
    eventually("the scaling is judged", || {
        let objects = objects("watched.jsonl");
        let rescaled = json!({"what": "rescaled", "from": 3, "to": 4, "edit": null});
        objects.iter().find(|one| {
            let changes = one["changes"].as_array();
            changes.is_some_and(|changes| changes.contains(&rescaled))
        })?;
        let scaled = objects.iter().find(|one| {
            one["type"] == "reconcile"
                && one["replicas"]["current"] == 3
                && one["replicas"]["desired"] == 4
        })?;
        let compared = objects
            .iter()
            .find(|one| one["type"] == "compared" && one["time"] == scaled["time"])?;
        assert_eq!(compared["agrees"], true, "{compared}");
        Some(())
    });

    // Above the maximum, the controller's decision does not depend on a metric.
    namespace.scale("web", 10);
    eventually("the other writer is shown", || {
        text("watched.txt")
            .contains("→ 10, written by kubectl scale")
            .then_some(())
    });
    eventually("it is undone", || {
        text("watched.txt")
            .contains("watched/web 10 → 8:")
            .then_some(())
    });
    namespace.run([
        "patch",
        "hpa",
        "web",
        "--type=merge",
        "--patch={\"spec\": {\"maxReplicas\": 3}}",
    ]);
    eventually("edit and its effect are shown", || {
        let text = text("watched.txt");
        let is_scaled = text.contains(" → 3: ") || text.contains(" → 3, in the first sync");
        (text.contains("the HPA was edited: max 8 → 3") && is_scaled).then_some(())
    });

    let summary = stop(plain);
    assert!(
        summary.starts_with("watched 1 HPA: ")
            && summary.contains("recomputed as the controller decided"),
        "{summary}"
    );
    assert!(!summary.contains("differently"), "{summary}");
    stop(jsonl);
    for one in objects("watched.jsonl") {
        assert_ne!(one["agrees"], false, "{one}");
    }
}
