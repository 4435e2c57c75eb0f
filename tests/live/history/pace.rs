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

/// Pairs of HPAs, each with the same load and another spec.
pub(super) struct Twins {
    pub(super) pace: Pace,
    /// The names of each pair, and what `--compare` takes for their specs.
    pub(super) pairs: Vec<[(&'static str, &'static str); 2]>,
}

/// Forty minutes with the defaults of the controller.
pub(super) fn twins() -> Twins {
    const THREE_A_MINUTE: &str =
        "behavior.scaleUp.policies=[{type: Pods, value: 3, periodSeconds: 60}]";
    let down = |seconds: i32| json!({"scaleDown": {"stabilizationWindowSeconds": seconds}});
    let up =
        |rules: Value| json!({"scaleDown": {"stabilizationWindowSeconds": 300}, "scaleUp": rules});
    let of = |name, ready, load: &[(i64, i64)], edit: &dyn Fn(Hpa) -> Hpa| Workload {
        ready,
        ..workload(name, Metric::Cpu, edit, thrice(load))
    };
    let three_a_minute = up(json!({"policies": [pods(3, 60)]}));
    let late = up(json!({"stabilizationWindowSeconds": 60}));
    let workloads = vec![
        of("max", "6s", &EARLY, &|hpa| hpa.bounds(6, 30).cpu(60)),
        of("max-twin", "6s", &EARLY, &|hpa| hpa.bounds(6, 60).cpu(60)),
        of("window", "10s", &UNEVEN, &|hpa| {
            hpa.bounds(6, 60).cpu(60).behavior(down(60))
        }),
        of("window-twin", "10s", &UNEVEN, &|hpa| {
            hpa.bounds(6, 60).cpu(60).behavior(down(600))
        }),
        of("target", "20s", &WAVES, &|hpa| {
            hpa.bounds(3, 90).cpu(60).behavior(down(120))
        }),
        of("target-twin", "20s", &WAVES, &|hpa| {
            hpa.bounds(3, 90).cpu(80).behavior(down(120))
        }),
        of("policy", "6s", &FALLING, &|hpa| {
            hpa.bounds(6, 75).cpu(60).behavior(three_a_minute.clone())
        }),
        of("policy-twin", "6s", &FALLING, &|hpa| {
            hpa.bounds(6, 75).cpu(60).behavior(down(300))
        }),
        of("min", "35s", &RISING, &|hpa| {
            hpa.bounds(6, 45).cpu(60).behavior(down(180))
        }),
        of("min-twin", "35s", &RISING, &|hpa| {
            hpa.bounds(18, 45).cpu(60).behavior(down(180))
        }),
        of("late", "15s", &PEAKS, &|hpa| {
            hpa.bounds(6, 60).cpu(60).behavior(late.clone())
        }),
        of("late-twin", "15s", &PEAKS, &|hpa| {
            hpa.bounds(6, 60).cpu(60).behavior(down(300))
        }),
    ];
    Twins {
        pace: Pace {
            name: "history-twins",
            period: 15,
            window: 300,
            intervals: Intervals {
                state_metrics: "15s",
                cadvisor: "10s",
            },
            workloads,
            length: 2400,
            silence: None,
            extra: Extra::None,
            captured: None,
        },
        pairs: vec![
            [("max", "maxReplicas=30"), ("max-twin", "maxReplicas=60")],
            [
                ("window", "behavior.scaleDown.stabilizationWindowSeconds=60"),
                (
                    "window-twin",
                    "behavior.scaleDown.stabilizationWindowSeconds=600",
                ),
            ],
            [
                (
                    "target",
                    "metrics[name=cpu].resource.target.averageUtilization=60",
                ),
                (
                    "target-twin",
                    "metrics[name=cpu].resource.target.averageUtilization=80",
                ),
            ],
            [
                ("policy", THREE_A_MINUTE),
                ("policy-twin", "behavior.scaleUp-"),
            ],
            [("min", "minReplicas=6"), ("min-twin", "minReplicas=18")],
            [
                ("late", "behavior.scaleUp.stabilizationWindowSeconds=60"),
                ("late-twin", "behavior.scaleUp-"),
            ],
        ],
    }
}

/// Large enough that one pod more or less at a peak, which a window holds for minutes, is a small part of all pod hours.
fn thrice(load: &[(i64, i64)]) -> Vec<(i64, i64)> {
    load.iter().map(|(at, value)| (*at, 3 * value)).collect()
}

/// Loads that go up and down by chance; at some seconds from one value to another.
const EARLY: [(i64, i64); 18] = [
    (0, 340),
    (90, 391),
    (270, 548),
    (360, 466),
    (660, 326),
    (840, 163),
    (960, 163),
    (960, 81),
    (1260, 69),
    (1350, 60),
    (1440, 60),
    (1680, 60),
    (1680, 60),
    (1980, 60),
    (1980, 60),
    (2160, 60),
    (2400, 60),
    (2640, 60),
];
const UNEVEN: [(i64, i64); 22] = [
    (0, 176),
    (180, 176),
    (180, 246),
    (240, 283),
    (480, 141),
    (540, 141),
    (840, 141),
    (840, 99),
    (885, 139),
    (945, 139),
    (1035, 159),
    (1095, 159),
    (1395, 111),
    (1440, 111),
    (1530, 156),
    (1770, 109),
    (1830, 60),
    (1920, 60),
    (1980, 60),
    (2100, 84),
    (2400, 96),
    (2700, 183),
];
const WAVES: [(i64, i64); 25] = [
    (0, 492),
    (300, 688),
    (390, 792),
    (435, 792),
    (615, 396),
    (915, 396),
    (915, 277),
    (935, 277),
    (935, 138),
    (995, 117),
    (1055, 223),
    (1295, 223),
    (1295, 313),
    (1385, 313),
    (1385, 219),
    (1475, 252),
    (1775, 353),
    (1895, 671),
    (2195, 939),
    (2315, 939),
    (2315, 1785),
    (2375, 1785),
    (2375, 2053),
    (2495, 2053),
    (2675, 2053),
];
const FALLING: [(i64, i64); 34] = [
    (0, 484),
    (90, 339),
    (330, 339),
    (330, 475),
    (390, 237),
    (450, 237),
    (450, 166),
    (495, 166),
    (495, 315),
    (675, 157),
    (765, 157),
    (945, 110),
    (1065, 110),
    (1365, 93),
    (1425, 60),
    (1470, 60),
    (1470, 114),
    (1515, 96),
    (1755, 96),
    (1755, 60),
    (1935, 69),
    (2025, 60),
    (2045, 60),
    (2345, 60),
    (2405, 60),
    (2405, 69),
    (2465, 69),
    (2465, 69),
    (2485, 69),
    (2485, 60),
    (2575, 60),
    (2595, 60),
    (2595, 60),
    (2655, 60),
];
const RISING: [(i64, i64); 24] = [
    (0, 453),
    (180, 226),
    (200, 226),
    (200, 430),
    (380, 430),
    (380, 818),
    (560, 818),
    (560, 573),
    (605, 487),
    (665, 560),
    (905, 560),
    (995, 392),
    (1115, 745),
    (1235, 745),
    (1235, 633),
    (1280, 886),
    (1340, 1684),
    (1580, 1937),
    (1880, 2228),
    (2120, 2400),
    (2165, 2040),
    (2285, 2346),
    (2345, 2400),
    (2645, 2400),
];
const PEAKS: [(i64, i64); 23] = [
    (0, 390),
    (300, 390),
    (300, 448),
    (600, 448),
    (600, 852),
    (720, 596),
    (1020, 596),
    (1140, 835),
    (1440, 835),
    (1440, 835),
    (1500, 835),
    (1500, 709),
    (1800, 603),
    (1980, 603),
    (1980, 1146),
    (2040, 1146),
    (2040, 573),
    (2060, 573),
    (2060, 487),
    (2105, 925),
    (2285, 1064),
    (2405, 1064),
    (2705, 745),
];

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

fn pods(value: i32, period: i32) -> Value {
    json!({"type": "Pods", "value": value, "periodSeconds": period})
}
