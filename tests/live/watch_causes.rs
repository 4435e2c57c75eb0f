//! Alarms of a running `watch` by their cause: one for all HPAs of a metrics API that fails or that share their pods, and
//! one for a target that does not exist.

use std::{
    fs::{self, File},
    process::{Child, Stdio},
};

use serde_json::{Value, json};

use crate::{
    cluster::{cluster, eventually},
    manifest::{deployment, hpa},
    namespace::{Namespace, free_namespace},
    watch::stop,
};

const CALLS: &str = "causes.jsonl";

#[test]
fn each_cause_is_one_alarm_with_all_hpas_that_it_stops_and_one_call() {
    let namespace = free_namespace("causes");
    let names = ["api", "web", "worker"];
    for name in names {
        namespace.apply([
            deployment(name, 2).pods("cpu", "60m").object(),
            hpa(name).cpu(60).object(),
        ]);
    }
    let watch = start(&namespace);
    eventually("all are synced", || {
        let all = printed();
        let calm =
            |name: &&str| all.contains(&format!("causes/{name} 2 replicas (1 to 10), 2 ready"));
        names.iter().all(calm).then_some(())
    });

    namespace.metrics(&json!({"apis": {"metrics.k8s.io": "503"}}));
    let outage = call("alarm", "invalid-metric");
    // Those whose sync met it by then. The others join it without a call of their own.
    let stopped = hpas(&outage);
    let count = stopped.len();
    assert!(
        2 <= count && stopped.iter().all(|name| names.contains(name)),
        "{stopped:?}"
    );
    assert_eq!(
        outage["text"],
        format!("metrics.k8s.io of causes answers 503: {count} HPAs")
    );
    assert_eq!(outage["hpa"], Value::Null);
    let metrics_failed = |name: &&str| {
        let hpa = namespace.get("hpa", name);
        let conditions = hpa["status"]["conditions"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let of_type = |condition: &&Value| condition["type"] == "ScalingActive";
        conditions
            .iter()
            .find(of_type)
            .is_some_and(|condition| condition["status"] == "False")
    };
    eventually("all three have met it", || {
        names.iter().all(metrics_failed).then_some(())
    });
    namespace.metrics(&json!({}));
    assert_eq!(hpas(&call("alarmEnd", "invalid-metric")), names);

    namespace.apply([
        hpa("lost")
            .target("apps/v1", "Deployment", "nobody")
            .cpu(60)
            .object(),
        hpa("rival")
            .target("apps/v1", "Deployment", "web")
            .cpu(60)
            .object(),
    ]);
    let lost = call("alarm", "target-not-found");
    assert_eq!(hpas(&lost), ["lost"]);
    assert_eq!(
        lost["text"],
        "Deployment/nobody does not exist in causes: nothing is scaled"
    );
    let began = call("alarm", "blocked");
    let both = ["rival", "web"];
    // Likewise: an HPA joins at the sync that finds the other one.
    let met = hpas(&began);
    assert!(
        !met.is_empty() && met.iter().all(|name| both.contains(name)),
        "{met:?}"
    );
    eventually("both are blocked", || {
        let printed = printed();
        let is_blocked = |name: &&str| {
            let mut lines = printed.lines();
            lines.any(|line| line.contains(&format!("causes/{name} ")) && line.contains("BLOCKED"))
        };
        both.iter().all(is_blocked).then_some(())
    });
    namespace.run(["delete", "hpa", "rival"]);
    assert_eq!(hpas(&call("alarmEnd", "blocked")), both);
    stop(watch);

    // One call when it begins and one when it ends, however many HPAs there are.
    for (kind, alarm, times) in [
        ("alarm", "invalid-metric", 1),
        ("alarmEnd", "invalid-metric", 1),
        ("alarm", "blocked", 1),
        ("alarmEnd", "blocked", 1),
    ] {
        let same = calls().into_iter().filter(|call| is(call, kind, alarm));
        assert_eq!(same.count(), times, "{kind} {alarm}: {:#?}", calls());
    }
}

fn start(namespace: &Namespace) -> Child {
    let command = format!("cat >> '{}'", cluster().file(CALLS).display());
    fs::write(cluster().file(CALLS), "").unwrap();
    namespace
        .kubectl(["hpa", "watch", "--output", "plain", "--on-alarm", &command])
        .stdout(File::create(cluster().file("causes.txt")).unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What `watch` printed so far.
fn printed() -> String {
    fs::read_to_string(cluster().file("causes.txt")).unwrap()
}

/// All calls of the command so far.
fn calls() -> Vec<Value> {
    let text = fs::read_to_string(cluster().file(CALLS)).unwrap();
    let lines = text.lines().map(serde_json::from_str);
    lines.filter_map(Result::ok).collect()
}

/// Waits for a call of the command.
fn call(kind: &str, alarm: &str) -> Value {
    eventually(&format!("{kind} {alarm}"), || {
        calls().into_iter().find(|call| is(call, kind, alarm))
    })
}

fn is(call: &Value, kind: &str, alarm: &str) -> bool {
    call["type"] == kind && call["alarm"] == alarm
}

fn hpas(call: &Value) -> Vec<&str> {
    let hpas = call["hpas"].as_array().unwrap().iter();
    hpas.map(|hpa| hpa["name"].as_str().unwrap()).collect()
}
