//! What one metric is, and which of its targets counts.

use crate::{
    learn::{
        case::{Case, average, case, container, pod, value},
        example::{asks, outcomes, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    model::MetricTarget,
    trace::{MetricOutcome, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[METRIC_PROPOSAL, RESOURCE_METRIC, CONTAINER_RESOURCE_METRIC];

const METRIC_PROPOSAL: Topic = Topic {
    id: "metric-proposal",
    title: "One metric gives a proposal, or fails",
    answers: "How many replicas does this one metric ask for, or why can't it say?",
    chapter: Chapter::Metric,
    functions: &[
        Upstream::horizontal("computeReplicasForMetric"),
        Upstream::horizontal("getUnableComputeReplicaCountCondition"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "one entry of metrics",
            "type, name, target",
            "the spec of the HPA",
        ),
        input(
            "current, statusReplicas",
            "replicas",
            "[read-scale](read-scale.md)",
        ),
        input("selected pods", "list", "[selector](selector.md)"),
    ],
    formula: "\
type Resource            resource-metric
type ContainerResource   container-resource-metric
type Pods                pods-metric
type Object              object-metric
type External            external-metric
any other                InvalidMetricSourceType",
    remarks: &[
        "A metric that fails has an event of its own, such as `FailedGetResourceMetric`; what becomes of the whole pass is \
         decided afterwards ([choose-proposal](choose-proposal.md)).",
        "A failed metric leaves an empty entry in `currentMetrics`.",
        "The name in conditions and in `… above target` is made here.",
    ],
    picture: || {
        let mut out = String::new();
        for (kind, case) in of_each_type() {
            let trace = case.decide();
            let outcome = trace.metrics().next().map(|metric| metric.outcome.clone());
            if let Some(MetricOutcome::Proposal { name, .. }) = outcome {
                out.push_str(&format!("{kind}\n  ─▶ {name}\n"));
            }
        }
        out.push_str("\nthe names in conditions and events\n");
        out
    },
    worked: || {
        let rows = of_each_type().map(|(kind, case)| [kind.to_owned(), asks(&case.decide())]);
        format!(
            "4 replicas, each metric at one and a half times its target:\n\n{}",
            table(["metric", "asks for"], rows)
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(25),
            text: "messages of Resource, ContainerResource and External metrics begin with `failed to get … metric value`.",
            numbers: None,
        },
        Difference {
            since: Since::Minor(27),
            text: "the utilization of a container has a name of its own, `cpu container resource utilization …`.",
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.fresh_metrics_on_failure),
            text: "`currentMetrics` is written anew when metrics fail; before, it kept its old numbers.",
            numbers: None,
        },
    ],
    beliefs: &[(
        "target.type says which target counts.",
        "Only for Object metrics. For all others the controller looks at which field is set.",
    )],
    shown: Shown::Own(|| {
        case(3).cpu(50).pods(vec![
            pod()
                .containers(vec![container("app", None)])
                .uses("90m");
            3
        ])
    }),
    rules: &[
        ("HPA005", "metric-shape"),
        ("HPA007", "ignored-target-type"),
        ("HPA011", "feature-unavailable"),
        ("HPA201", "metrics-defaulted"),
    ],
};

const RESOURCE_METRIC: Topic = Topic {
    id: "resource-metric",
    title: "Resource metrics: a percentage or a value",
    answers: "Is the usage of cpu or memory judged by percent of the requests, or by a plain amount for each pod?",
    chapter: Chapter::Metric,
    functions: &[
        Upstream::horizontal("computeStatusForResourceMetricGeneric"),
        Upstream::horizontal("computeStatusForResourceMetric"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "averageValue",
            "quantity for each pod",
            "the target in the spec",
        ),
        input(
            "averageUtilization",
            "whole percent of the requests",
            "the target in the spec",
        ),
    ],
    formula: "\
averageValue set         average-value-replicas, without requests
averageUtilization set   utilization-replicas, every pod needs a request
neither                  the metric fails",
    remarks: &[
        "`averageValue` is looked at first.",
        "The status shows both the percentage and the amount for a percentage target, the amount alone for the other.",
        "The resource name decides about readiness: for `cpu`, pods that are starting are left out; for `memory` none is.",
    ],
    picture: || {
        picture::branches(&[
            ("averageValue: 50m", asked(case(3).average("cpu", "50m"))),
            ("averageUtilization: 50", asked(case(3).cpu(50))),
            (
                "neither",
                asked(case(3).resource("cpu", MetricTarget::default())),
            ),
        ])
    },
    worked: || {
        outcomes(
            "3 pods that use 90m of cpu; they request",
            [
                (
                    "100m, and averageUtilization is 50",
                    case(3).cpu(50).ready(3, "90m"),
                ),
                (
                    "100m, and averageValue is 50m",
                    case(3).average("cpu", "50m").ready(3, "90m"),
                ),
                (
                    "nothing, and averageValue is 50m",
                    case(3).average("cpu", "50m").pods(vec![
                        pod()
                            .containers(vec![container("app", None)])
                            .uses("90m");
                        3
                    ]),
                ),
                (
                    "nothing, and averageUtilization is 50",
                    case(3).cpu(50).pods(vec![
                        pod()
                            .containers(vec![container("app", None)])
                            .uses("90m");
                        3
                    ]),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(26),
            text: "messages about `averageValue` say `usage` instead of `utilization`.",
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.memory_in_binary),
            text: "averages of memory are written in binary units into the status, `50Mi` instead of `52428800`.",
            numbers: None,
        },
    ],
    beliefs: &[
        (
            "Utilization is the share of the limit, or of the node.",
            "It is the share of the requests.",
        ),
        (
            "Without requests an HPA on cpu is impossible.",
            "With `averageValue` it works without.",
        ),
    ],
    shown: Shown::Of("usage-ratio", || case(3).cpu(50).ready(3, "90m")),
    rules: &[
        ("HPA214", "memory-only"),
        ("HPA216", "duplicate-metric"),
        ("HPA217", "same-resource-two-forms"),
        ("HPA230", "unsupported-resource"),
        ("HPA209", "unreachable-cpu-target"),
        ("HPA212", "target-high"),
        ("HPA213", "target-low"),
        ("HPA608", "vpa-same-resource"),
    ],
};

const CONTAINER_RESOURCE_METRIC: Topic = Topic {
    id: "container-resource-metric",
    title: "ContainerResource metrics: one container of each pod",
    answers: "How busy is this one container in each pod?",
    chapter: Chapter::Metric,
    functions: &[
        Upstream::horizontal("computeStatusForContainerResourceMetric"),
        Upstream::metrics_client("getContainerMetrics"),
    ],
    part_of: &[],
    inputs: &[
        input("container", "name", "the spec of the metric"),
        input("usage of that container", "milli-units", "metrics.k8s.io"),
        input(
            "request of that container",
            "milli-units",
            "each selected pod's spec",
        ),
    ],
    formula: "\
sample of a pod  = usage of the named container
request of a pod = request of the named container
then as resource-metric",
    remarks: &[
        "A sidecar without request no longer fails the metric, as only the named container is asked.",
        "The name is the same in every pod: while a rollout renames or adds the container, old pods lack it.",
    ],
    picture: || {
        let rows: Vec<Vec<String>> = [
            ["the third pod", "1.32", "1.33", "1.35"]
                .map(str::to_owned)
                .to_vec(),
            by("has the container", &|| with_third(true, true)),
            by("has no sample of it", &|| with_third(true, false)),
            by("has no such container", &|| with_third(false, false)),
        ]
        .to_vec();
        let mut out = picture::grid(&rows);
        out.push_str("\nwhat 3 pods at 90 % of a 50 % target ask for\n");
        out
    },
    worked: || {
        let rows = [
            ("cpu of all containers", blended(case(3).cpu(50))),
            (
                "cpu of container app",
                blended(case(3).container_cpu("app", 50)),
            ),
        ]
        .map(|(what, case)| {
            let trace = case.decide();
            [
                what.to_owned(),
                format!("{} %", crate::learn::example::percent(&trace)),
                asks(&trace),
            ]
        });
        format!(
            "3 pods; `app` uses 90m of 100m, `proxy` 10m of 300m; target 50 %:\n\n{}",
            table(["metric", "percent of requests", "asks for"], rows)
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(27),
            text: "on by default (gate `HPAContainerMetrics`, always on since 1.30).",
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.container_metric_missing_is_missing_pod),
            text: "a pod in whose metrics the container is absent is missing; before, it failed the whole metric.",
            numbers: Some(|minor| {
                format!(
                    "one pod of 3 without it asks for {}",
                    failure(&with_third(true, false).under(minor))
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.absent_container_is_error),
            text: "a selected pod whose spec has no such container fails the whole metric; before, its request was 0.",
            numbers: Some(|minor| {
                format!(
                    "one pod of 3 without it asks for {}",
                    failure(&with_third(false, false).under(minor))
                )
            }),
        },
    ],
    beliefs: &[(
        "Pods without the container are ignored.",
        "They failed the metric up to 1.32, were missing in 1.33 and 1.34, and fail it again since 1.35.",
    )],
    shown: Shown::Of("usage-ratio", || blended(case(3).container_cpu("app", 50))),
    rules: &[
        ("HPA205", "injected-container-no-request"),
        ("HPA206", "blended-utilization"),
        ("HPA207", "container-not-found"),
        ("HPA208", "container-rename-rollout"),
    ],
};

fn of_each_type() -> [(&'static str, Case); 8] {
    [
        (
            "Resource, averageUtilization",
            case(4).cpu(60).ready(4, "90m"),
        ),
        (
            "Resource, averageValue",
            case(4).average("cpu", "60m").ready(4, "90m"),
        ),
        (
            "ContainerResource",
            case(4).container_cpu("app", 60).ready(4, "90m"),
        ),
        (
            "Pods",
            case(4).requests("20").pods(vec![pod().reads("30"); 4]),
        ),
        (
            "Object, Value",
            case(4).object(value("20"), "30").ready(4, "90m"),
        ),
        (
            "Object, AverageValue",
            case(4).object(average("20"), "120").ready(4, "90m"),
        ),
        (
            "External, value",
            case(4).external(value("20"), &["30"]).ready(4, "90m"),
        ),
        (
            "External, averageValue",
            case(4).external(average("20"), &["120"]).ready(4, "90m"),
        ),
    ]
}

fn asked(case: Case) -> String {
    let trace = case.ready(3, "90m").decide();
    let asked = asks(&trace);
    if asked.parse::<i32>().is_ok() {
        format!("asks for {asked} (3 pods at 90m of 100m)")
    } else {
        "fails: no target".to_owned()
    }
}

fn blended(case: Case) -> Case {
    let one = pod()
        .containers(vec![
            container("app", Some("100m")),
            container("proxy", Some("300m")),
        ])
        .container_uses("app", "cpu", "90m")
        .container_uses("proxy", "cpu", "10m");
    case.pods(vec![one; 3])
}

/// Two pods with the container, and a third with or without it and its sample.
fn with_third(has_container: bool, has_sample: bool) -> Case {
    let name = if has_container { "app" } else { "worker" };
    let third = pod().containers(vec![container(name, Some("100m"))]);
    let third = if has_sample {
        third.uses("90m")
    } else {
        third.container_uses("worker", "cpu", "90m")
    };
    case(3)
        .container_cpu("app", 50)
        .pods([pod().uses("90m"), pod().uses("90m"), third])
}

fn failure(case: &Case) -> String {
    let asked = asks(&case.decide());
    if asked.parse::<i32>().is_ok() {
        asked
    } else {
        "nothing (it fails)".to_owned()
    }
}

fn by(what: &str, of: &dyn Fn() -> Case) -> Vec<String> {
    let mut row = vec![what.to_owned()];
    for minor in [32, 33, 35] {
        row.push(failure(&of().under(minor)));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_metric_asks_for_one_and_a_half_times_the_replicas() {
        for (kind, case) in of_each_type() {
            assert_eq!(asks(&case.decide()), "6", "{kind}");
        }
    }
}
