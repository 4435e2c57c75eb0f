//! What one metric is, and which of its targets counts.

use hpa_engine::{model::MetricTarget, trace::MetricOutcome};
use hpa_testing::{World, average, container, value};

use crate::algorithm::{
    case::{case, pod, ready},
    computed::{Computed, Difference, Displayed, Since},
    example::{outcomes, proposal, table},
    picture,
};

pub(super) static TOPICS: &[Computed] =
    &[METRIC_PROPOSAL, RESOURCE_METRIC, CONTAINER_RESOURCE_METRIC];

const METRIC_PROPOSAL: Computed = Computed {
    id: "metric-proposal",
    picture: || {
        let mut out = String::new();
        for (kind, case) in of_each_type() {
            let trace = case.decide();
            let outcome = trace.metrics().next().map(|metric| metric.outcome.clone());
            if let Some(MetricOutcome::Proposal { name, .. }) = outcome {
                out.push_str(&format!("{kind}\n  ─▶ {name}\n"));
            }
        }
        out.push_str("\nthe names in conditions and Events\n");
        out
    },
    worked: || {
        let rows = of_each_type()
            .into_iter()
            .map(|(kind, case)| [kind.to_owned(), proposal(&case.decide())]);
        format!(
            "4 replicas, each metric at 1.5 times its target:\n\n{}",
            table(["metric", "asks for"], rows)
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(25),
            numbers: None,
        },
        Difference {
            since: Since::Minor(27),
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.fresh_metrics_on_failure),
            numbers: None,
        },
    ],
    displayed: Displayed::Own(|| {
        case(3)
            .cpu(50)
            .pods(vec![pod().containers([container("app")]).cpu("90m"); 3])
    }),
};

const RESOURCE_METRIC: Computed = Computed {
    id: "resource-metric",
    picture: || {
        picture::branches(&[
            (
                "averageValue: 50m",
                outcome_of(case(3).average("cpu", "50m")),
            ),
            ("averageUtilization: 50", outcome_of(case(3).cpu(50))),
            (
                "neither",
                outcome_of(case(3).resource("cpu", MetricTarget::default())),
            ),
        ])
    },
    worked: || {
        outcomes(
            "3 pods use 90m of CPU each; requests and target",
            [
                (
                    "100m, averageUtilization 50",
                    case(3).cpu(50).pods(ready(3, "90m")),
                ),
                (
                    "100m, averageValue 50m",
                    case(3).average("cpu", "50m").pods(ready(3, "90m")),
                ),
                (
                    "no requests, averageValue 50m",
                    case(3).average("cpu", "50m").pods(vec![
                        pod()
                            .containers([container("app")])
                            .cpu("90m");
                        3
                    ]),
                ),
                (
                    "no requests, averageUtilization 50",
                    case(3)
                        .cpu(50)
                        .pods(vec![pod().containers([container("app")]).cpu("90m"); 3]),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(26),
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.memory_in_binary),
            numbers: None,
        },
    ],
    displayed: Displayed::Of("usage-ratio", || case(3).cpu(50).pods(ready(3, "90m"))),
};

const CONTAINER_RESOURCE_METRIC: Computed = Computed {
    id: "container-resource-metric",
    picture: || {
        let rows: Vec<Vec<String>> = [
            ["the third pod", "1.32", "1.33", "1.35"]
                .map(str::to_owned)
                .to_vec(),
            by("has the container", &|| with_third(true, true)),
            by("has no metrics of it", &|| with_third(true, false)),
            by("has no such container", &|| with_third(false, false)),
        ]
        .to_vec();
        let mut out = picture::grid(&rows);
        out.push_str("\n3 pods at 90%, target 50%\n");
        out
    },
    worked: || {
        let rows = [
            ("CPU of all containers", blended(case(3).cpu(50))),
            (
                "CPU of container app",
                blended(case(3).container_cpu("app", 50)),
            ),
        ]
        .map(|(what, case)| {
            let trace = case.decide();
            [
                what.to_owned(),
                format!("{}%", crate::algorithm::example::percent(&trace)),
                proposal(&trace),
            ]
        });
        format!(
            "3 pods; `app` uses 90m of 100m, `proxy` 10m of 300m; target 50%:\n\n{}",
            table(["metric", "utilization", "asks for"], rows)
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(27),
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.container_metric_missing_is_missing_pod),
            numbers: Some(|minor| {
                format!(
                    "1 of 3 pods has no metrics of the container; the metric {}",
                    verdict(&with_third(true, false).kube(minor))
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.absent_container_is_error),
            numbers: Some(|minor| {
                format!(
                    "1 of 3 pods has no such container; the metric {}",
                    verdict(&with_third(false, false).kube(minor))
                )
            }),
        },
    ],
    displayed: Displayed::Of("usage-ratio", || blended(case(3).container_cpu("app", 50))),
};

fn of_each_type() -> Vec<(&'static str, World)> {
    vec![
        (
            "Resource, averageUtilization",
            case(4).cpu(60).pods(ready(4, "90m")),
        ),
        (
            "Resource, averageValue",
            case(4).average("cpu", "60m").pods(ready(4, "90m")),
        ),
        (
            "ContainerResource",
            case(4).container_cpu("app", 60).pods(ready(4, "90m")),
        ),
        (
            "Pods",
            case(4).requests("20").pods(vec![pod().value("30"); 4]),
        ),
        (
            "Object, Value",
            case(4).object(value("20")).hits("30").pods(ready(4, "90m")),
        ),
        (
            "Object, AverageValue",
            case(4)
                .object(average("20"))
                .hits("120")
                .pods(ready(4, "90m")),
        ),
        (
            "External, value",
            case(4)
                .external(value("20"))
                .series(&["30"])
                .pods(ready(4, "90m")),
        ),
        (
            "External, averageValue",
            case(4)
                .external(average("20"))
                .series(&["120"])
                .pods(ready(4, "90m")),
        ),
    ]
}

fn outcome_of(case: World) -> String {
    let trace = case.pods(ready(3, "90m")).decide();
    let outcome_of = proposal(&trace);
    if outcome_of.parse::<i32>().is_ok() {
        format!("asks for {outcome_of} (3 pods at 90m of 100m)")
    } else {
        "fails: no target".to_owned()
    }
}

fn blended(case: World) -> World {
    let one = pod()
        .containers([
            container("app").requesting("cpu", "100m"),
            container("proxy").requesting("cpu", "300m"),
        ])
        .container_usage("app", "cpu", "90m")
        .container_usage("proxy", "cpu", "10m");
    case.pods(vec![one; 3])
}

/// Two pods with the container, and a third one with or without the container and its sample.
fn with_third(has_container: bool, has_sample: bool) -> World {
    let name = if has_container { "app" } else { "worker" };
    let third = pod().containers([container(name).requesting("cpu", "100m")]);
    let third = if has_sample {
        third.cpu("90m")
    } else {
        third.container_usage("worker", "cpu", "90m")
    };
    case(3)
        .container_cpu("app", 50)
        .pods([pod().cpu("90m"), pod().cpu("90m"), third])
}

fn verdict(case: &World) -> String {
    let proposal = proposal(&case.decide());
    if proposal.parse::<i32>().is_ok() {
        format!("asks for {proposal}")
    } else {
        "fails".to_owned()
    }
}

fn by(what: &str, of: &dyn Fn() -> World) -> Vec<String> {
    let mut row = vec![what.to_owned()];
    for minor in [32, 33, 35] {
        row.push(verdict(&of().kube(minor)));
    }
    row
}

#[test]
fn every_type_of_metric_asks_for_one_and_a_half_times_the_replicas() {
    for (kind, case) in of_each_type() {
        assert_eq!(proposal(&case.decide()), "6", "{kind}");
    }
}
