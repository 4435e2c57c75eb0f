//! Control planes with other flags and gates, identified from the controller's writes: the flags themselves cannot be
//! read.
//!
//! Each test has its own cluster; two run at a time.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use hpa_lint::Severity;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{
    cluster::{Cluster, eventually},
    lint_metrics::worst,
    manifest::{average, deployment, hpa, stray_pod},
    namespace::{Namespace, namespace_in},
    releases::{is_too_old_for, version},
};

/// A cluster of its own; another one starts when this one has ended.
struct Identified {
    namespace: Namespace,
    _turn: MutexGuard<'static, ()>,
}

/// Starts a cluster with these flags.
fn cluster_with(name: &'static str, flags: &[&str]) -> Identified {
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    static TURNS: [Mutex<()>; 2] = [Mutex::new(()), Mutex::new(())];
    let turn = &TURNS[STARTED.fetch_add(1, Ordering::Relaxed) % TURNS.len()];
    let turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
    let cluster = Cluster::with_hidden_flags(name, flags);
    Identified {
        namespace: namespace_in(&cluster, "shop"),
        _turn: turn,
    }
}

impl Identified {
    /// Lets the controller look at the HPA when its pods are old enough to have played no part in what has moved.
    fn pass(&self) {
        self.wait_until_older("pods", 3);
        self.namespace.pass();
    }

    /// Waits until all objects of a kind are so many seconds old.
    fn wait_until_older(&self, kind: &str, seconds: i64) {
        eventually("old enough", || {
            let now = Timestamp::now();
            let is_old = |object: &Value| {
                let created: Timestamp = object["metadata"]["creationTimestamp"]
                    .as_str()
                    .unwrap()
                    .parse()
                    .unwrap();
                SignedDuration::from_secs(seconds) <= now.duration_since(created)
            };
            self.namespace.list(kind).iter().all(is_old).then_some(())
        });
    }

    /// An input of the page by its name.
    fn input(&self, hpa: &str, name: &str) -> Value {
        let page = self.namespace.page(hpa);
        let inputs = page["inputs"].as_array().unwrap();
        inputs
            .iter()
            .find(|input| input["name"] == name)
            .unwrap_or_else(|| panic!("no {name} in {page:#}"))
            .clone()
    }

    /// The first reason that `explain` gives for the disagreement, and whether everything fits with it.
    fn first_reason(&self, hpa: &str) -> String {
        first_reason_of(&self.namespace.page(hpa))
    }
}

/// The first reason that a page gives for the disagreement.
fn first_reason_of(page: &Value) -> String {
    let check = &page["crossCheck"];
    // Of pods, one look cannot exclude that some are gone since the sync.
    let is_other =
        ["differs", "inputs-may-have-moved"].contains(&check["agreement"].as_str().unwrap());
    assert!(is_other, "{check:#}");
    let first = &check["hypotheses"][0];
    assert_eq!(first["fits"], true, "{check:#}");
    first["text"].as_str().unwrap().to_owned()
}

#[test]
fn wider_tolerance_is_identified() {
    let flags = ["--horizontal-pod-autoscaler-tolerance=0.2"];
    let there = cluster_with("tolerance-wide", &flags);
    there.namespace.apply([
        deployment("web", 4).pods("cpu", "71m").object(),
        hpa("web").cpu(60).object(),
    ]);
    there.pass();
    let reason = there.first_reason("web");
    assert!(
        reason.contains("tolerance 0.2 instead of 0.1 (any value from 0.184 up)"),
        "{reason}"
    );
    let text = there.namespace.explain("web", []);
    assert!(text.contains("BETWEEN 4 AND 5"), "{text}");
    // And so it agrees.
    let text = there.namespace.explain("web", ["--assume-tolerance=0.2"]);
    assert!(text.contains("\nmatches "), "{text}");
}

#[test]
fn narrower_tolerance_is_identified_while_it_rescales_and_at_the_maximum() {
    let flags = ["--horizontal-pod-autoscaler-tolerance=0.01"];
    let there = cluster_with("tolerance-narrow", &flags);
    there.namespace.apply([
        deployment("web", 4).pods("cpu", "62m").object(),
        hpa("web").cpu(60).bounds(1, 5).object(),
    ]);
    there.pass();
    let tolerance = "tolerance 0.01 instead of 0.1 (any value below 0.033)";
    let reason = there.first_reason("web");
    assert!(reason.contains(tolerance), "{reason}");
    there.pass();
    let reason = there.first_reason("web");
    assert!(reason.contains(tolerance), "{reason}");
}

#[test]
fn shorter_window_is_identified_by_a_scale_down_soon_after_a_scale_up() {
    let flags = ["--horizontal-pod-autoscaler-downscale-stabilization=5s"];
    let there = cluster_with("window", &flags);
    let namespace = &there.namespace;
    namespace.apply([
        deployment("web", 3).pods("cpu", "120m").object(),
        hpa("web").cpu(60).bounds(3, 6).object(),
    ]);
    // Times have whole seconds: a scale-up in the second of the HPA's creation may be older than the HPA, and proves
    // nothing.
    std::thread::sleep(std::time::Duration::from_secs(1));
    namespace.pass();
    namespace.annotate_pods("web", "cpu", "10m");
    eventually("the HPA scales down", || {
        namespace.pass();
        (namespace.get("deployment", "web")["spec"]["replicas"] == 3).then_some(())
    });
    namespace.pass();
    let window = there.input("web", "downscale stabilization");
    assert_eq!(window["source"], "inferred", "{window:#}");
    let evidence = window["evidence"].as_str().unwrap();
    assert!(evidence.contains("at most: Events show 6 at"), "{evidence}");
    assert!(evidence.contains("and 3 at"), "{evidence}");
    assert!(
        ["5 s", "10 s", "15 s", "30 s"].contains(&window["value"].as_str().unwrap()),
        "{window:#}"
    );
    // With the default it would go back to 6.
    let page = namespace.page("web");
    let check = &page["crossCheck"];
    assert_eq!(check["agreement"], "agrees", "{check:#}");
    let text = namespace.explain("web", ["--assume-downscale-stabilization=5m"]);
    assert!(text.contains("(recomputed: 6)"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let flag = "--horizontal-pod-autoscaler-downscale-stabilization of kube-controller-manager";
    assert!(words.contains(flag), "{text}");
    assert!(words.contains("(any value below"), "{text}");
}

#[test]
fn shorter_initialization_period_is_identified() {
    let flags = ["--horizontal-pod-autoscaler-cpu-initialization-period=1m"];
    let there = cluster_with("initialization", &flags);
    there.namespace.apply([
        deployment("web", 3).pods("cpu", "90m").object(),
        // Two minutes old; it was ready for longer than half a minute, and is not now.
        stray_pod(
            "web-slow",
            "web",
            &[
                ("cpu", "10m"),
                ("start-age", "2m"),
                ("ready", "false"),
                ("ready-since", "70s"),
            ],
        ),
        hpa("web").cpu(60).bounds(1, 3).object(),
    ]);
    there.pass();
    let reason = there.first_reason("web");
    assert!(
        reason.contains("CPU initialization period 1 min instead of 5 min (any value below 2 min"),
        "{reason}"
    );
}

#[test]
fn longer_readiness_delay_is_identified_by_two_pods() {
    let flags = ["--horizontal-pod-autoscaler-initial-readiness-delay=2m"];
    let there = cluster_with("readiness", &flags);
    let not_ready = |name, cpu, start_age, ready_since| {
        stray_pod(
            name,
            "web",
            &[
                ("cpu", cpu),
                ("start-age", start_age),
                ("ready", "false"),
                ("ready-since", ready_since),
            ],
        )
    };
    there.namespace.apply([
        deployment("web", 3).pods("cpu", "90m").object(),
        // A longer initialization period would leave out the younger pod, or both: never the older one alone.
        not_ready("web-after-one-minute", "20m", "10m", "9m"),
        not_ready("web-after-five-minutes", "40m", "9m", "4m"),
        hpa("web").cpu(60).object(),
    ]);
    there.pass();
    let reason = there.first_reason("web");
    assert!(
        reason.contains(
            "initial readiness delay 2 min instead of 30 s (any value from 1 min to 5 min"
        ),
        "{reason}"
    );
}

#[test]
fn gate_for_zero_replicas_is_identified() {
    if is_too_old_for("identified::gate_for_zero_replicas_is_identified") {
        return;
    }
    let gates = "--feature-gates=HPAScaleToZero=true";
    let there = cluster_with("zero", &[gates]);
    let namespace = &there.namespace;
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "0"}]}));
    namespace.apply([
        deployment("web", 1).object(),
        hpa("web")
            .external("queue_depth", average("10"))
            .bounds(0, 5)
            .down_at_once()
            .object(),
    ]);
    namespace.pass();
    namespace.pass();
    // Up to 1.36 that it is off is assumed; from 1.37 on somebody has to say so.
    let reason = if version().minor < 37 {
        there.first_reason("web")
    } else {
        let flags = ["--output=json", "--feature-gate=HPAScaleToZero=false"];
        first_reason_of(&serde_json::from_str(&namespace.explain("web", flags)).unwrap())
    };
    assert!(
        reason.contains("feature gate HPAScaleToZero on"),
        "{reason}"
    );
}

#[test]
fn zero_is_hardly_reached_beside_a_metric_of_pods_and_that_metric_fails_there() {
    let there = cluster_with("beside", &["--feature-gates=HPAScaleToZero=true"]);
    let namespace = &there.namespace;
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "0"}]}));
    let workload = deployment("web", 2).pods("cpu", "1m").object();
    let beside = hpa("web")
        .external("queue_depth", average("10"))
        .cpu(60)
        .bounds(0, 5)
        .down_at_once()
        .object();
    assert_eq!(worst("HPA106", &workload, &beside), Some(Severity::Warning));
    namespace.apply([workload, beside]);
    let replicas = || namespace.get("deployment", "web")["spec"]["replicas"].take();
    for _ in 0..2 {
        namespace.pass();
        assert_eq!(replicas(), 1);
    }
    let failures = || {
        let events = namespace.list("events");
        let counts = events
            .iter()
            .filter(|event| event["reason"] == "FailedGetResourceMetric")
            .map(|event| event["count"].as_i64().unwrap_or(1));
        counts.sum::<i64>()
    };
    assert_eq!(failures(), 0);
    // Without any usage it goes there by itself, and there is no pod to measure.
    namespace.annotate_pods("web", "cpu", "0");
    namespace.pass();
    for passes in 1..=2 {
        namespace.pass();
        assert_eq!(replicas(), 0);
        eventually("the failure is shown", || {
            (passes <= failures()).then_some(())
        });
    }
}

#[test]
fn version_that_is_emulated_decides_the_gates() {
    if is_too_old_for("identified::version_that_is_emulated_decides_the_gates") {
        return;
    }
    let there = cluster_with("emulated", &["--emulated-version=1.34"]);
    there.namespace.apply([
        deployment("web", 4).pods("cpu", "64m").object(),
        hpa("web")
            .cpu(60)
            .behavior(json!({"scaleUp": {"tolerance": "10m"}}))
            .object(),
    ]);
    let decision = there.namespace.decision("web");
    assert_eq!(
        decision.made(),
        "4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange"
    );
    let gate = there.input("web", "feature gate HPAConfigurableTolerance");
    assert_eq!(
        (&gate["value"], &gate["source"]),
        (&json!("off"), &json!("inferred"))
    );
}

#[test]
fn sync_period_is_identified_by_a_failure_that_repeats() {
    let flags = ["--horizontal-pod-autoscaler-sync-period=3s"];
    let there = cluster_with("sync-period", &flags);
    there.namespace.apply([
        deployment("web", 2).pods("no-metrics", "true").object(),
        hpa("web").cpu(60).object(),
    ]);
    there.namespace.open();
    let period = eventually("the failure repeats", || {
        let period = there.input("web", "sync period");
        (period["source"] == "inferred").then_some(period)
    });
    assert_eq!(period["value"], "3 s", "{period:#}");
    let evidence = period["evidence"].as_str().unwrap();
    assert!(evidence.starts_with("Failed"), "{evidence}");
}
