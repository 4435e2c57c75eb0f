//! How fast time passes, and what happens meanwhile.

use serde_json::{Value, json};

use super::monitoring::Intervals;
use crate::manifest::{Hpa, average, hpa};

/// Loads on Deployments, and their HPAs.
pub(super) struct Pace {
    /// The folder of the cluster.
    pub(super) name: &'static str,
    /// `--horizontal-pod-autoscaler-sync-period`, in seconds.
    pub(super) period: i64,
    /// `--horizontal-pod-autoscaler-downscale-stabilization`, in seconds: so long the controller remembers at most.
    pub(super) window: i64,
    pub(super) intervals: Intervals,
    pub(super) workloads: Vec<Workload>,
    /// How long it lasts, in seconds.
    pub(super) length: i64,
    /// When kube-state-metrics stops, and goes on.
    pub(super) silence: Option<(i64, i64)>,
}

/// A Deployment of two pods at first, and its HPA of the same name.
pub(super) struct Workload {
    pub(super) name: &'static str,
    pub(super) hpa: Value,
    pub(super) metric: Metric,
    /// What all pods have to do together, at seconds; straight lines in between.
    pub(super) load: Vec<(i64, i64)>,
}

/// What the load is measured by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    /// In millicores. A pod requests 100m.
    Cpu,
    /// The External metric `queue`.
    Queue,
}

/// Three and a half minutes with a sync every 3 s. One HPA goes up in steps to maxReplicas, is held there, and goes down; another
/// one follows a queue; a third one has nothing to do.
pub(super) fn short() -> Pace {
    Pace {
        name: "history",
        period: 3,
        window: 15,
        intervals: Intervals {
            state_metrics: "3s",
            cadvisor: "3s",
        },
        workloads: vec![
            workload(
                "web",
                Metric::Cpu,
                |hpa| {
                    hpa.bounds(2, 8).cpu(60).behavior(json!({
                        "scaleUp": {"policies": [pods(2, 12)]},
                        "scaleDown": {"stabilizationWindowSeconds": 15, "policies": [pods(3, 12)]},
                    }))
                },
                steps(&[(0, 100), (6, 240), (45, 900), (140, 150)]),
            ),
            workload(
                "worker",
                Metric::Queue,
                |hpa| {
                    hpa.bounds(2, 20)
                        .external("queue", average("10"))
                        .behavior(json!({"scaleDown": {"stabilizationWindowSeconds": 6}}))
                },
                steps(&[
                    (0, 20),
                    (10, 45),
                    (35, 95),
                    (60, 60),
                    (140, 30),
                    (160, 80),
                    (185, 20),
                ]),
            ),
            calm(),
        ],
        length: 215,
        // One HPA is held at maxReplicas then, and the others stay where they are.
        silence: Some((110, 130)),
    }
}

/// Twelve minutes with the defaults of the controller, and the same load for two HPAs with different specs.
pub(super) fn long() -> Pace {
    let load = [
        (0, 100),
        (30, 100),
        (150, 500),
        (240, 500),
        (260, 850),
        (420, 850),
        (540, 200),
    ];
    let of = |name, max: i32, up: i32| {
        workload(
            name,
            Metric::Cpu,
            |hpa| {
                hpa.bounds(2, max).cpu(60).behavior(json!({
                    "scaleUp": {"policies": [pods(up, 60)]},
                    "scaleDown": {"stabilizationWindowSeconds": 60, "policies": [pods(2, 60)]},
                }))
            },
            load.to_vec(),
        )
    };
    Pace {
        name: "history-real-time",
        period: 15,
        window: 300,
        intervals: Intervals {
            state_metrics: "15s",
            cadvisor: "10s",
        },
        workloads: vec![of("web", 8, 2), of("other", 14, 4), calm()],
        length: 720,
        silence: None,
    }
}

/// One that stays as it is.
fn calm() -> Workload {
    workload(
        "calm",
        Metric::Cpu,
        |hpa| hpa.bounds(2, 10).cpu(60),
        vec![(0, 100)],
    )
}

fn workload(
    name: &'static str,
    metric: Metric,
    edit: impl FnOnce(Hpa) -> Hpa,
    load: Vec<(i64, i64)>,
) -> Workload {
    let mut hpa = edit(hpa(name)).object();
    hpa["metadata"]["namespace"] = json!("shop");
    Workload {
        name,
        hpa,
        metric,
        load,
    }
}

/// From each second on the value, within a second.
fn steps(values: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let ends = values.windows(2).map(|pair| (pair[1].0 - 1, pair[0].1));
    let mut points: Vec<(i64, i64)> = values.iter().copied().chain(ends).collect();
    points.sort_unstable();
    points
}

fn pods(value: i32, period: i32) -> Value {
    json!({"type": "Pods", "value": value, "periodSeconds": period})
}
