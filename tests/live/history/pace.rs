//! How fast time passes, and what happens meanwhile.

use serde_json::{Value, json};

use super::monitoring::{Extra, Intervals};
use crate::manifest::{Hpa, average, hpa, value};

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
    /// What there is besides, or is otherwise.
    pub(super) extra: Extra<'static>,
    /// The HPA that `capture` records meanwhile.
    pub(super) captured: Option<&'static str>,
}

/// A Deployment of two pods at first, and its HPA of the same name.
pub(super) struct Workload {
    pub(super) name: &'static str,
    pub(super) hpa: Value,
    pub(super) metric: Metric,
    /// How long a pod takes until it is ready.
    pub(super) ready: &'static str,
    /// How long it takes to stop: then it is a StatefulSet, which makes and removes its pods one after another.
    pub(super) stops: Option<&'static str>,
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
        extra: Extra::None,
        captured: None,
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
                hpa.bounds(6, max).cpu(60).behavior(json!({
                    "scaleUp": {"policies": [pods(up, 60)]},
                    "scaleDown": {"stabilizationWindowSeconds": 60, "policies": [pods(6, 60)]},
                }))
            },
            thrice(&load),
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
        workloads: vec![of("web", 24, 6), of("other", 42, 12), calm()],
        length: 720,
        silence: None,
        extra: Extra::None,
        captured: Some("web"),
    }
}

/// Seven minutes with the sync period of the controller. CPU comes from metrics-server, and as a metric of pods, of the Deployment and as
/// an External one from prometheus-adapter. All is over before the end, when a rescale would come after the last scrape.
pub(super) fn served(name: &'static str, state_metrics: &'static str) -> Pace {
    let load = [
        (0, 100),
        (20, 100),
        (100, 500),
        (140, 500),
        (150, 850),
        (210, 850),
        (230, 200),
    ];
    let of = |name, metric: &dyn Fn(Hpa) -> Hpa| {
        let behavior = json!({
            "scaleUp": {"policies": [pods(4, 30)]},
            "scaleDown": {"stabilizationWindowSeconds": 60},
        });
        let edit = |hpa: Hpa| metric(hpa.bounds(2, 14)).behavior(behavior);
        workload(name, Metric::Cpu, edit, load.to_vec())
    };
    let object = |name: &str, metric: &str, target: Value| {
        json!({
            "describedObject": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
            "metric": {"name": metric},
            "target": target,
        })
    };
    let external = json!({
        "metric": {
            "name": "deployment_cpu",
            "selector": {"matchLabels": {"deployment": "external"}},
        },
        "target": average("60"),
    });
    let of_pods = json!({"metric": {"name": "pod_cpu"}, "target": average("60")});
    let of_all = object("object", "deployment_cpu", average("60"));
    let of_each = object("value", "deployment_cpu_per_pod", value("60"));
    Pace {
        name,
        period: 15,
        window: 300,
        intervals: Intervals {
            state_metrics,
            cadvisor: "10s",
        },
        workloads: vec![
            of("cpu", &|hpa| hpa.cpu(60)),
            of("pods", &|hpa| hpa.metric("Pods", "pods", of_pods.clone())),
            of("object", &|hpa| {
                hpa.metric("Object", "object", of_all.clone())
            }),
            of("value", &|hpa| {
                hpa.metric("Object", "object", of_each.clone())
            }),
            of("external", &|hpa| {
                hpa.metric("External", "external", external.clone())
            }),
        ],
        length: 420,
        silence: None,
        extra: Extra::MetricsApis,
        captured: None,
    }
}

/// Four minutes with a sync every 3 s of a target that needs far longer than that for each of its pods.
pub(super) fn slow() -> Pace {
    let at_once = json!({
        "scaleUp": {"policies": [pods(20, 3)]},
        "scaleDown": {"stabilizationWindowSeconds": 0},
    });
    let load = steps(&[
        (0, 20),
        (10, 80),
        (50, 42),
        (80, 70),
        (110, 30),
        (140, 95),
        (180, 50),
        (210, 20),
    ]);
    let edit = |hpa: Hpa| {
        hpa.target("apps/v1", "StatefulSet", "slow")
            .bounds(2, 20)
            .external("queue", average("10"))
            .behavior(at_once)
    };
    Pace {
        name: "history-slow",
        period: 3,
        window: 15,
        intervals: Intervals {
            state_metrics: "3s",
            cadvisor: "3s",
        },
        workloads: vec![Workload {
            stops: Some("5s"),
            ..workload("slow", Metric::Queue, edit, load)
        }],
        length: 240,
        silence: None,
        extra: Extra::None,
        captured: None,
    }
}

/// Large enough that one pod more or less at a peak, which a window holds for minutes, is a small part of all pod hours.
pub(super) fn thrice(load: &[(i64, i64)]) -> Vec<(i64, i64)> {
    load.iter().map(|(at, value)| (*at, 3 * value)).collect()
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

pub(super) fn workload(
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
        ready: "3s",
        stops: None,
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

pub(super) fn pods(value: i32, period: i32) -> Value {
    json!({"type": "Pods", "value": value, "periodSeconds": period})
}
