//! What pods request, and which are ready.

use hpa_engine::{
    model::PodPhase,
    trace::{MetricStep, SumRequests, Trace},
};
use hpa_testing::{PodFixture, World, container, value};

use crate::algorithm::{
    case::{case, pod, ready},
    computed::{Computed, Difference, Displayed, Since},
    example::{metric_step, outcomes, percent, proposal, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[SUM_REQUESTS, POD_LEVEL_REQUESTS, READY_PODS];

const SUM_REQUESTS: Computed = Computed {
    id: "sum-requests",
    picture: || {
        let displayed = with_sidecar();
        let mut rows: Vec<(String, i64, String)> = Vec::new();
        let all = displayed
            .pod()
            .containers
            .iter()
            .chain(&displayed.pod().init_containers);
        for one in all {
            let kind = if one.is_restartable {
                "sidecar"
            } else if displayed
                .pod()
                .containers
                .iter()
                .any(|own| own.name == one.name)
            {
                "container"
            } else {
                "not counted: init"
            };
            let milli = one.request("cpu").map_or(0, |request| {
                request.milli_value(hpa_engine::model::quantity::Overflow::Wrap)
            });
            rows.push((
                format!("{kind} {}", one.name),
                milli / 10,
                format!("{milli}m"),
            ));
        }
        let mut out = picture::bars(&rows);
        for minor in [28, 29] {
            out.push_str(&format!(
                "\nrequest of the pod in 1.{minor}: {}m",
                request(&one(minor))
            ));
        }
        out.push('\n');
        out
    },
    worked: || {
        outcomes(
            "2 pods use 90m each, target 50%",
            [
                ("each requests 100m", case(2).cpu(50).pods(ready(2, "90m"))),
                (
                    "one requests 300m",
                    case(2)
                        .cpu(50)
                        .pods([pod().cpu("90m"), pod().requesting("300m").cpu("90m")]),
                ),
                (
                    "one has a sidecar without a request",
                    case(2).cpu(50).pods([
                        pod().cpu("90m"),
                        pod()
                            .containers([
                                container("app").requesting("cpu", "100m"),
                                container("proxy"),
                            ])
                            .cpu("90m"),
                    ]),
                ),
                (
                    "the selector also matches a finished Job pod without requests",
                    case(2).cpu(50).pods(ready(2, "90m")).pods([pod()
                        .phase(PodPhase::Succeeded)
                        .containers([container("job")])]),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.empty_map_before_requests),
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.missing_request_names_pod),
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.sidecar_requests),
            numbers: Some(|minor| {
                format!("the pod in the picture requests {}m", request(&one(minor)))
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.absent_container_is_error),
            numbers: None,
        },
        Difference {
            since: Since::Minor(38),
            numbers: None,
        },
    ],
    displayed: Displayed::Own(|| case(3).cpu(50).pods(ready(3, "80m"))),
};

const POD_LEVEL_REQUESTS: Computed = Computed {
    id: "pod-level-requests",
    picture: || {
        let head = ["pod level", "overhead", "1.33", "1.34", "1.38"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for (level, overhead) in [
            (None, None),
            (Some("200m"), None),
            (Some("200m"), Some("50m")),
        ] {
            let mut row = vec![
                level.unwrap_or("none").to_owned(),
                overhead.unwrap_or("none").to_owned(),
            ];
            for minor in [33, 34, 38] {
                let mut one = pod().cpu("90m");
                if let Some(level) = level {
                    one = one.pod_level(level);
                }
                if let Some(overhead) = overhead {
                    one = one.overhead(overhead);
                }
                let trace = case(1).kube(minor).cpu(50).pods([one]).decide();
                row.push(format!("{}m", request(&trace)));
            }
            rows.push(row);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\na pod whose container requests 100m\n");
        out
    },
    worked: || {
        let rows = [33, 34].map(|minor| {
            let trace = level_case(minor).decide();
            [
                format!("1.{minor}"),
                format!("{}m", request(&trace)),
                format!("{}%", percent(&trace)),
                proposal(&trace),
            ]
        });
        format!(
            "2 pods use 90m each; container request 100m, pod-level request 200m, target 50%:\n\n{}",
            table(
                ["version", "request of a pod", "utilization", "asks for"],
                rows
            )
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.pod_level_requests),
            numbers: Some(|minor| {
                format!(
                    "the pods in the table ask for {}",
                    proposal(&level_case(minor).decide())
                )
            }),
        },
        Difference {
            since: Since::Minor(38),
            numbers: Some(|minor| {
                let trace = case(1)
                    .kube(minor)
                    .cpu(50)
                    .pods([pod().pod_level("200m").overhead("50m").cpu("90m")])
                    .decide();
                format!(
                    "200m at pod level with an overhead of 50m counts as {}m",
                    request(&trace)
                )
            }),
        },
    ],
    displayed: Displayed::Of("sum-requests", || level_case(36)),
};

const READY_PODS: Computed = Computed {
    id: "ready-pods",
    picture: || {
        let mut rows = vec![["pod", "counts"].map(str::to_owned).to_vec()];
        let kinds: [(&str, PodFixture); 5] = [
            ("Running, Ready", pod()),
            ("Running, not Ready", pod().unready()),
            ("terminating, still Ready", pod().terminating()),
            ("Pending", pod().pending()),
            ("Succeeded", pod().phase(PodPhase::Succeeded)),
        ];
        for (what, one) in kinds {
            let trace = case(2)
                .external(value("10"))
                .series(&["20"])
                .pods([pod(), one])
                .decide();
            let counted = counted(&trace).saturating_sub(1);
            rows.push(vec![
                what.to_owned(),
                if counted == 1 { "yes" } else { "no" }.to_owned(),
            ]);
        }
        picture::grid(&rows)
    },
    worked: || {
        outcomes(
            "4 replicas, value 10, metric at 20",
            [
                (
                    "4 ready pods",
                    case(4)
                        .external(value("10"))
                        .series(&["20"])
                        .pods(vec![pod(); 4]),
                ),
                (
                    "2 ready, 2 starting",
                    case(4).external(value("10")).series(&["20"]).pods([
                        pod(),
                        pod(),
                        pod().unready(),
                        pod().unready(),
                    ]),
                ),
                (
                    "1 ready, 3 Pending",
                    case(4).external(value("10")).series(&["20"]).pods([
                        pod(),
                        pod().pending(),
                        pod().pending(),
                        pod().pending(),
                    ]),
                ),
            ],
        )
    },
    differences: &[],
    displayed: Displayed::Own(|| {
        case(4).external(value("10")).series(&["20"]).pods([
            pod(),
            pod(),
            pod().unready(),
            pod().unready(),
        ])
    }),
};

fn with_sidecar() -> PodFixture {
    let init = [
        container("migrate").requesting("cpu", "200m"),
        container("proxy").requesting("cpu", "50m").restartable(),
    ];
    pod()
        .containers([
            container("app").requesting("cpu", "100m"),
            container("log").requesting("cpu", "30m"),
        ])
        .init_containers(init)
        .cpu("90m")
        .container_usage("log", "cpu", "5m")
}

fn one(minor: u32) -> Trace {
    case(1).kube(minor).cpu(50).pods([with_sidecar()]).decide()
}

fn level_case(minor: u32) -> World {
    case(2)
        .kube(minor)
        .cpu(50)
        .pods(vec![pod().pod_level("200m").cpu("90m"); 2])
}

/// The request of the first pod in milli-units.
fn request(trace: &Trace) -> i64 {
    let sum: Option<SumRequests> = metric_step(trace, |step| match step {
        MetricStep::SumRequests(sum) => Some(sum.clone()),
        _ => None,
    });
    let first = sum.and_then(|sum| sum.requests.first().copied());
    first.map_or(0, |first| first.request.0)
}

fn counted(trace: &Trace) -> usize {
    metric_step(trace, |step| match step {
        MetricStep::CountReadyPods(count) => Some(count.ready),
        _ => None,
    })
    .unwrap_or_default()
}
