//! Pods that became ready, got a sample, or went away between the controller's sync and the look: no command claims that
//! the controller came to another number.

use std::fs;

use hpa_engine::{engine::decide, model::Memory};
use hpa_objects::recording::{Outcome, Snapshot};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// What happens to some pods between the sync and the look.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// They become ready.
    Ready,
    /// They started within the initialization period, and get a sample from after that.
    Initialized,
    /// They get a first sample.
    Sampled,
    /// They were not ready, and are deleted.
    DeletedUnready,
    /// They had no sample, and are deleted.
    DeletedUnsampled,
    /// They counted, and are terminating.
    Terminating,
    /// Others are created.
    Created,
}

const CHANGES: [Change; 7] = [
    Change::Ready,
    Change::Initialized,
    Change::Sampled,
    Change::DeletedUnready,
    Change::DeletedUnsampled,
    Change::Terminating,
    Change::Created,
];

/// One HPA. The same seed gives the same.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    change: Change,
    /// Pods that stay as they are.
    steady: u64,
    /// Pods that change.
    moving: u64,
    /// Millicores of each; a pod requests 100.
    usage: u64,
    moving_usage: u64,
    /// Seconds from the sync to the look.
    later: i64,
}

impl Drawn {
    fn of(seed: u64) -> Self {
        let mut state = seed.wrapping_mul(6_364_136_223_846_793_005);
        let mut below = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let changes = u64::try_from(CHANGES.len()).unwrap();
        Self {
            change: CHANGES[usize::try_from(below(changes)).unwrap()],
            steady: 1 + below(8),
            moving: 1 + below(4),
            usage: 20 + below(80),
            moving_usage: 5 + below(150),
            later: 2 + i64::try_from(below(11)).unwrap(),
        }
    }

    /// The pods and samples, before and after the change.
    fn pods(self, is_after: bool) -> (Vec<Value>, Vec<Value>) {
        let (mut pods, mut samples) = (Vec::new(), Vec::new());
        for index in 0..self.steady {
            let name = format!("old-{index}");
            pods.push(pod(&name, -7200, Some(-7190)));
            samples.push(sample(&name, self.usage, -5));
        }
        for index in 0..self.moving {
            let name = format!("new-{index}");
            let ready = |since| pod(&name, -600, since);
            let young = pod(&name, -100, Some(-3));
            let counted = |at| sample(&name, self.moving_usage, at);
            let (pod, sample) = match (self.change, is_after) {
                (Change::Ready | Change::DeletedUnready, false) => (ready(None), Some(counted(-5))),
                (Change::Ready, true) => (ready(Some(1)), Some(counted(-5))),
                (Change::Initialized, false) => (young, Some(counted(-10))),
                (Change::Initialized, true) => (young, Some(counted(30))),
                (Change::Sampled | Change::DeletedUnsampled, false) => (ready(Some(-500)), None),
                (Change::Sampled, true) => (ready(Some(-500)), Some(counted(1))),
                (Change::DeletedUnready | Change::DeletedUnsampled, true)
                | (Change::Created, false) => continue,
                (Change::Terminating, false) => (ready(Some(-500)), Some(counted(-5))),
                (Change::Terminating, true) => {
                    let mut pod = ready(Some(-500));
                    pod["metadata"]["deletionTimestamp"] = json!(at(1));
                    (pod, Some(counted(-5)))
                }
                (Change::Created, true) => (pod(&name, 1, None), None),
            };
            pods.push(pod);
            samples.extend(sample);
        }
        (pods, samples)
    }

    fn snapshot(self, name: &str, seconds: i64, is_after: bool) -> Snapshot {
        let (pods, samples) = self.pods(is_after);
        let replicas = self.steady + self.moving;
        let snapshot = json!({
            "apiVersion": "kubectl-hpa/v1", "kind": "Snapshot", "metadata": {"name": ""}, "time": at(seconds),
            "controller": {"version": "1.36.3"},
            "hpa": {
                "metadata": {"name": name, "namespace": "shop", "creationTimestamp": at(-9000)},
                "spec": {
                    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
                    "minReplicas": 1, "maxReplicas": 40,
                    "metrics": [{"type": "Resource", "resource": {
                        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50},
                    }}],
                },
                "status": {},
            },
            "hpaEditedBy": {"manager": "kubectl", "operation": "Update", "time": at(-8000)},
            "hpaStatusWritten": at(0),
            "scale": {
                "spec": {"replicas": replicas}, "status": {"replicas": replicas, "selector": "app=web"},
            },
            "pods": pods, "podMetrics": {"items": samples}, "otherHpas": [],
        });
        serde_json::from_value(snapshot).unwrap()
    }

    /// The look after a sync that kept the replicas; `None` if it scales.
    fn looked(self, name: &str) -> Option<Snapshot> {
        let mut found = self.snapshot(name, -15, false);
        let mut memory = Memory::default();
        for seconds in [-15, 0] {
            found.time = at(seconds);
            let observation = found.observation().unwrap();
            let decided = decide(&observation, &mut memory, found.time);
            let outcome = Outcome::from(&decided.outcome.unwrap());
            if outcome.scale_to.is_some() {
                return None;
            }
            found.hpa.status = outcome.status;
        }
        let mut look = self.snapshot(name, self.later, true);
        look.hpa.status = found.hpa.status;
        Some(look)
    }
}

/// Seconds since the sync.
fn at(seconds: i64) -> Timestamp {
    let sync: Timestamp = "2026-11-21T10:41:30Z".parse().unwrap();
    sync + SignedDuration::from_secs(seconds)
}

fn pod(name: &str, created: i64, ready: Option<i64>) -> Value {
    let is_ready = if ready.is_some() { "True" } else { "False" };
    json!({
        "metadata": {
            "name": name, "namespace": "shop", "labels": {"app": "web"}, "creationTimestamp": at(created),
        },
        "spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "100m"}}}]},
        "status": {
            "phase": "Running", "startTime": at(created),
            "conditions": [
                {"type": "PodScheduled", "status": "True", "lastTransitionTime": at(created)},
                {"type": "Ready", "status": is_ready, "lastTransitionTime": at(ready.unwrap_or(created))},
            ],
        },
    })
}

fn sample(name: &str, usage: u64, seconds: i64) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop", "labels": {"app": "web"}},
        "timestamp": at(seconds), "window": "15s",
        "containers": [{"name": "app", "usage": {"cpu": format!("{usage}m")}}],
    })
}

fn run(arguments: &[&str]) -> String {
    let run = assert_cmd::Command::cargo_bin("kubectl-hpa")
        .unwrap()
        .args(arguments)
        .output()
        .unwrap();
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn pods_that_change_between_the_sync_and_the_look_are_no_difference_to_the_controller() {
    let drawn = (0..450).map(Drawn::of);
    let looked: Vec<(Drawn, Snapshot)> = drawn
        .enumerate()
        .filter_map(|(index, drawn)| Some((drawn, drawn.looked(&format!("web-{index}"))?)))
        .collect();
    assert!(120 < looked.len(), "{}", looked.len());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("looks.jsonl");
    let lines = looked
        .iter()
        .map(|(_, look)| serde_json::to_string(look).unwrap() + "\n");
    fs::write(&path, lines.collect::<String>()).unwrap();
    let file = path.to_str().unwrap();
    let listed: Value = serde_json::from_str(&run(&["list", "-f", file, "-o", "json"])).unwrap();
    assert_eq!(listed["summary"]["differing"], 0, "{}", listed["summary"]);
    let items = listed["items"].as_array().unwrap();
    assert_eq!(items.len(), looked.len());
    let mut moved = 0;
    for (item, (drawn, _)) in items.iter().zip(&looked) {
        let verdict = item["verdict"].to_string();
        for claim in ["recomputed", "differs"] {
            assert!(!item.to_string().contains(claim), "{drawn:?}: {item:#}");
        }
        moved += usize::from(verdict.contains("BETWEEN") || verdict.contains("SCALES"));
    }
    assert!(25 < moved, "{moved} of {}", looked.len());
    // The page of some of each kind.
    for change in CHANGES {
        let of_kind = looked.iter().filter(|(drawn, _)| drawn.change == change);
        for (drawn, look) in of_kind.take(2) {
            fs::write(&path, serde_json::to_string(look).unwrap() + "\n").unwrap();
            let page = run(&["explain", "-f", file]);
            let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
            for claim in [
                "(recomputed:",
                "No single setting",
                "setting is wrong",
                "mismatch",
            ] {
                assert!(!words.contains(claim), "{drawn:?}\n{page}");
            }
        }
    }
}
