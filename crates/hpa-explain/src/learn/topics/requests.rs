//! What pods request, and which are ready.

use crate::{
    learn::{
        case::{Case, PodCase, case, container, pod, sidecar, value},
        example::{asks, metric_step, outcomes, percent, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    model::{Container, PodPhase},
    trace::{MetricStep, SumRequests, Trace, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[SUM_REQUESTS, POD_LEVEL_REQUESTS, READY_PODS];

const SUM_REQUESTS: Topic = Topic {
    id: "sum-requests",
    title: "The requests of each pod",
    answers: "Of how much is the usage a percentage?",
    chapter: Chapter::Pods,
    functions: &[
        Upstream::replica_calculator("calculateRequests"),
        Upstream::replica_calculator("calculatePodRequestsFromContainers"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "requests of each container",
            "quantity",
            "the spec of every selected pod, in any phase",
        ),
        input(
            "container",
            "name, for ContainerResource metrics",
            "the spec of the metric",
        ),
    ],
    formula: "\
request of a pod = sum over its containers and, since 1.29, its sidecars
                   (init containers with restartPolicy: Always)
one of them without a request: the whole metric fails",
    remarks: &[
        "Every pod that the selector matches is asked, also those that are terminating, finished or Pending.",
        "A container with a limit alone has that limit as its request; the API server fills it in.",
        "A request of 0 is a request; but if all are 0 there is nothing to divide by, and the metric fails.",
        "Ordinary init containers don't count.",
        "After a resize in place the spec counts, not what the node has granted so far.",
    ],
    picture: || {
        let shown = with_sidecar();
        let mut rows: Vec<(String, i64, String)> = Vec::new();
        let all = shown
            .pod
            .containers
            .iter()
            .chain(&shown.pod.init_containers);
        for one in all {
            let kind = if one.is_restartable {
                "sidecar"
            } else if shown.pod.containers.iter().any(|own| own.name == one.name) {
                "container"
            } else {
                "not counted: init"
            };
            let milli = one.request("cpu").map_or(0, |request| {
                request.milli_value(crate::model::quantity::Overflow::Wrap)
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
            "2 pods that use 90m each, target 50 %",
            [
                ("each requests 100m", case(2).cpu(50).ready(2, "90m")),
                (
                    "one of them requests 300m",
                    case(2)
                        .cpu(50)
                        .pods([pod().uses("90m"), pod().requesting("300m").uses("90m")]),
                ),
                (
                    "a sidecar of one has no request",
                    case(2).cpu(50).pods([
                        pod().uses("90m"),
                        pod()
                            .containers(vec![
                                container("app", Some("100m")),
                                container("proxy", None),
                            ])
                            .uses("90m"),
                    ]),
                ),
                (
                    "a finished pod of a Job without requests is selected as well",
                    case(2).cpu(50).ready(2, "90m").pods([pod()
                        .phase(PodPhase::Succeeded)
                        .containers(vec![container("job", None)])]),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.empty_map_before_requests),
            text: "whether any sample is left is tested before the requests are added up, which changes the message.",
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.missing_request_names_pod),
            text: "the message names container and pod.",
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.sidecar_requests),
            text: "sidecars count, and need a request.",
            numbers: Some(|minor| {
                format!("the pod of the picture requests {}m", request(&one(minor)))
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.absent_container_is_error),
            text: "a named container that a pod doesn't have fails the metric \
                   ([container-resource-metric](container-resource-metric.md)).",
            numbers: None,
        },
    ],
    beliefs: &[
        (
            "A pod without requests is left out.",
            "It fails the metric for the whole HPA, even if it is only one of a hundred, and even if it is finished.",
        ),
        (
            "Utilization can't exceed 100 %.",
            "It can, up to what the limits allow: requests are no ceiling.",
        ),
    ],
    shown: Shown::Own(|| case(3).cpu(50).ready(3, "80m")),
    rules: &[
        ("HPA202", "missing-request"),
        ("HPA203", "request-implicit"),
        ("HPA204", "zero-request"),
        ("HPA205", "injected-container-no-request"),
        ("HPA226", "tiny-denominator"),
        ("HPA508", "inplace-resize-pending"),
        ("HPA607", "keda-missing-request"),
    ],
};

const POD_LEVEL_REQUESTS: Topic = Topic {
    id: "pod-level-requests",
    title: "Requests of a pod as a whole",
    answers: "What does a pod request that states its requests for all containers together?",
    chapter: Chapter::Pods,
    functions: &[Upstream::replica_calculator("calculatePodLevelRequests")],
    part_of: &[],
    inputs: &[
        input(
            "spec.resources.requests of the pod",
            "quantity",
            "the pod's spec",
        ),
        input("requests of its containers", "quantity", "the pod's spec"),
        input("spec.overhead", "quantity", "the pod's spec"),
        input(
            "gate PodLevelResources",
            "on or off",
            "kube-controller-manager",
        ),
    ],
    formula: "\
if spec.resources.requests names cpu, memory or hugepages:
  request = that of the resource, if it is there
            otherwise what the scheduler reserves for the containers:
            max(containers + sidecars, the neediest init phase)
          + overhead (up to 1.37)
  nothing of all that: the metric fails
otherwise as sum-requests",
    remarks: &[
        "Only Resource metrics: ContainerResource ones go on asking the container.",
        "In this mode a container without a request is no error.",
        "Limits of the pod alone don't switch it on.",
    ],
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
                let mut one = pod().uses("90m");
                if let Some(level) = level {
                    one = one.pod_level(level);
                }
                if let Some(overhead) = overhead {
                    one = one.overhead(overhead);
                }
                let trace = case(1).under(minor).cpu(50).pods([one]).decide();
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
                format!("{} %", percent(&trace)),
                asks(&trace),
            ]
        });
        format!(
            "2 pods that use 90m each; container 100m, pod level 200m; target 50 %:\n\n{}",
            table(
                ["version", "request of a pod", "utilization", "asks for"],
                rows
            )
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.pod_level_requests),
            text: "pod-level requests count (gate `PodLevelResources`, on by default).",
            numbers: Some(|minor| {
                format!(
                    "the pods of the table ask for {}",
                    asks(&level_case(minor).decide())
                )
            }),
        },
        Difference {
            since: Since::Minor(38),
            text: "`spec.overhead` no longer counts with them.",
            numbers: Some(|minor| {
                let trace = case(1)
                    .under(minor)
                    .cpu(50)
                    .pods([pod().pod_level("200m").overhead("50m").uses("90m")])
                    .decide();
                format!("200m and an overhead of 50m are {}m", request(&trace))
            }),
        },
    ],
    beliefs: &[(
        "Pod-level requests are added to those of the containers.",
        "They replace them.",
    )],
    shown: Shown::Of("sum-requests", || level_case(36)),
    rules: &[
        ("HPA509", "pod-level-resources"),
        ("HPA202", "missing-request"),
    ],
};

const READY_PODS: Topic = Topic {
    id: "ready-pods",
    title: "Ready pods for a total",
    answers: "By how many pods is the ratio of a total multiplied?",
    chapter: Chapter::Pods,
    functions: &[Upstream::replica_calculator("getReadyPodsCount")],
    part_of: &[],
    inputs: &[input(
        "phase, condition Ready",
        "per pod",
        "the selected pods",
    )],
    formula: "ready = number of selected pods with phase Running and Ready True",
    remarks: &[
        "Used by Object and External metrics with `value` alone ([value-replicas](value-replicas.md)).",
        "Pods that are being deleted count as long as they are ready.",
        "There is no second look at missing or unready pods: a pod that is not ready is simply not there.",
    ],
    picture: || {
        let mut rows = vec![["pod", "counts"].map(str::to_owned).to_vec()];
        let kinds: [(&str, PodCase); 5] = [
            ("Running, Ready", pod()),
            ("Running, not Ready", pod().unready()),
            ("being deleted, still Ready", pod().deleted()),
            ("Pending", pod().pending()),
            ("Succeeded", pod().phase(PodPhase::Succeeded)),
        ];
        for (what, one) in kinds {
            let trace = case(2)
                .external(value("10"), &["20"])
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
            "4 replicas, value 10, the metric reads 20",
            [
                (
                    "4 ready pods",
                    case(4).external(value("10"), &["20"]).pods(vec![pod(); 4]),
                ),
                (
                    "2 ready, 2 starting",
                    case(4).external(value("10"), &["20"]).pods([
                        pod(),
                        pod(),
                        pod().unready(),
                        pod().unready(),
                    ]),
                ),
                (
                    "1 ready, 3 Pending",
                    case(4).external(value("10"), &["20"]).pods([
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
    beliefs: &[(
        "Twice the target means twice the replicas.",
        "Twice the *ready* pods: with one ready of four it asks for 2, and scales down.",
    )],
    shown: Shown::Own(|| {
        case(4).external(value("10"), &["20"]).pods([
            pod(),
            pod(),
            pod().unready(),
            pod().unready(),
        ])
    }),
    rules: &[
        ("HPA221", "value-with-readiness"),
        ("HPA503", "no-readiness-probe"),
    ],
};

fn with_sidecar() -> PodCase {
    let init: Vec<Container> = vec![container("migrate", Some("200m")), sidecar("proxy", "50m")];
    pod()
        .containers(vec![
            container("app", Some("100m")),
            container("log", Some("30m")),
        ])
        .init_containers(init)
        .uses("90m")
        .container_uses("log", "cpu", "5m")
}

fn one(minor: u32) -> Trace {
    case(1).under(minor).cpu(50).pods([with_sidecar()]).decide()
}

fn level_case(minor: u32) -> Case {
    case(2)
        .under(minor)
        .cpu(50)
        .pods(vec![pod().pod_level("200m").uses("90m"); 2])
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
