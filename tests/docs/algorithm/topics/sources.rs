//! Where the samples come from.

use hpa_engine::{
    model::MetricTarget,
    trace::{MetricOutcome, Pass, RatioFormula, Trace},
};
use hpa_testing::{PodFixture, World, average, container, value};

use super::pods::name_of;
use crate::algorithm::{
    case::{case, pod, ready},
    computed::{Computed, Difference, Displayed, Since},
    example::{groups, outcomes, proposal, ratio, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[
    PODS_METRIC,
    OBJECT_METRIC,
    EXTERNAL_METRIC,
    READ_RESOURCE_METRICS,
];

const PODS_METRIC: Computed = Computed {
    id: "pods-metric",
    picture: || {
        let rows: Vec<(String, i64, String)> = [("web-1", 30), ("web-2", 10), ("web-3", 26)]
            .map(|(name, reads)| (name.to_owned(), reads, reads.to_string()))
            .to_vec();
        let trace = requests(&["30", "10", "26"]).decide();
        let mut out = picture::bars(&rows);
        out.push_str(&format!(
            "\naverage 22, target 15: asks for {}\n",
            proposal(&trace)
        ));
        out
    },
    worked: || {
        outcomes(
            "3 replicas, averageValue 15; values of the pods",
            [
                ("30, 10, 26", requests(&["30", "10", "26"])),
                ("14, 15, 16", requests(&["14", "15", "16"])),
                (
                    "30, 26; the third pod has no value",
                    requests(&["30", "26"]).pods([pod()]),
                ),
                ("no values", requests(&[]).pods([pod(), pod(), pod()])),
            ],
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.plain_missing_untouched_at_one),
        numbers: None,
    }],
    displayed: Displayed::Of("average-ratio", || requests(&["30", "10", "26"])),
};

const OBJECT_METRIC: Computed = Computed {
    id: "object-metric",
    picture: || {
        let both = |target_type: &str| MetricTarget {
            target_type: target_type.to_owned(),
            value: value("20").value,
            average_value: average("20").average_value,
            average_utilization: None,
        };
        picture::branches(&[
            (
                "type Value, both fields set",
                format!("asks for {}", proposal(&object(both("Value")))),
            ),
            (
                "type AverageValue, both fields set",
                format!("asks for {}", proposal(&object(both("AverageValue")))),
            ),
            (
                "type Value, averageValue alone",
                if fails(&object(MetricTarget {
                    value: None,
                    ..both("Value")
                })) {
                    "fails".to_owned()
                } else {
                    "asks".to_owned()
                },
            ),
        ])
    },
    worked: || {
        let rows = [
            ("Value 20", object(value("20"))),
            ("AverageValue 20", object(average("20"))),
        ]
        .map(|(what, trace)| {
            let displayed = ratio(&trace, Pass::First).map(|ratio| ratio.usage_ratio);
            [
                what.to_owned(),
                crate::algorithm::example::short(displayed.unwrap_or_default()),
                proposal(&trace),
            ]
        });
        format!(
            "3 ready pods, 3 replicas, object at 50:\n\n{}\n\
             As a total, 50 is 2.5 times its target of 20. Divided by 3 replicas, it is below the target.\n",
            table(["target", "ratio", "asks for"], rows)
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(29),
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.object_average_has_described_object),
            numbers: None,
        },
        Difference {
            since: Since::Minor(37),
            numbers: None,
        },
        Difference {
            since: Since::Minor(38),
            numbers: None,
        },
    ],
    displayed: Displayed::Of("value-replicas", || {
        case(3).object(value("20")).hits("50").pods(ready(3, "50m"))
    }),
};

const EXTERNAL_METRIC: Computed = Computed {
    id: "external-metric",
    picture: || {
        let series = [("shard 1", 12), ("shard 2", 30), ("shard 3", 8)];
        let rows: Vec<(String, i64, String)> = series
            .map(|(name, reads)| (name.to_owned(), reads, reads.to_string()))
            .to_vec();
        let trace = case(3)
            .external(average("10"))
            .series(&["12", "30", "8"])
            .decide();
        let sum = match ratio(&trace, Pass::First).map(|ratio| ratio.formula) {
            Some(RatioFormula::AveragePerReplica { usage, .. }) => usage.0 / 1000,
            _ => 0,
        };
        let mut out = picture::bars(&rows);
        out.push_str(&format!(
            "\nsum {sum}, averageValue 10: asks for {}\n",
            proposal(&trace)
        ));
        out
    },
    worked: || {
        outcomes(
            "3 replicas, 3 ready pods",
            [
                (
                    "series 12, 30, 8; averageValue 10",
                    case(3).external(average("10")).series(&["12", "30", "8"]),
                ),
                (
                    "series 12, 30, 8; value 30",
                    case(3)
                        .external(value("30"))
                        .series(&["12", "30", "8"])
                        .pods(ready(3, "50m")),
                ),
                (
                    "one series at 0; averageValue 10",
                    case(3).external(average("10")).series(&["0"]),
                ),
                (
                    "no series; averageValue 10",
                    case(3).external(average("10")).series(&[]),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.external_average_caps),
            numbers: Some(|minor| {
                let trace = case(3)
                    .kube(minor)
                    .external(average("1"))
                    .series(&["9000000000000000", "9000000000000000"])
                    .decide();
                format!("two series of 9e15 ask for {}", proposal(&trace))
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.value_caps),
            numbers: None,
        },
    ],
    displayed: Displayed::Of("average-per-replica", || {
        case(3).external(average("10")).series(&["12", "30", "8"])
    }),
};

const READ_RESOURCE_METRICS: Computed = Computed {
    id: "read-resource-metrics",
    picture: || {
        let mut rows = vec![
            ["usage of the containers", "usage of the pod", "class"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (what, one) in [
            (
                "app 80m",
                two_containers()
                    .container_usage("app", "cpu", "80m")
                    .container_usage("proxy", "cpu", "5m"),
            ),
            (
                "app 80m, proxy memory only",
                two_containers()
                    .container_usage("app", "cpu", "80m")
                    .container_usage("proxy", "memory", "5Mi"),
            ),
            ("none", two_containers()),
        ] {
            let what = if rows.len() == 1 {
                "app 80m, proxy 5m"
            } else {
                what
            };
            let trace = case(2).cpu(50).pods([one, pod().cpu("50m")]).decide();
            let first = groups(&trace).and_then(|groups| groups.pods.first().copied());
            rows.push(vec![
                what.to_owned(),
                first
                    .and_then(|first| first.usage)
                    .map_or_else(|| "none".to_owned(), |usage| format!("{}m", usage.0)),
                first.map_or("", |first| name_of(first.class)).to_owned(),
            ]);
        }
        picture::grid(&rows)
    },
    worked: || {
        let rows = ["1m", "1234567n", "999999n", "0.1005"].map(|usage| {
            let trace = case(1).cpu(50).pods([pod().cpu(usage)]).decide();
            let first = groups(&trace).and_then(|groups| groups.pods.first().copied());
            [
                usage.to_owned(),
                first
                    .and_then(|first| first.usage)
                    .map_or_else(String::new, |usage| format!("{}m", usage.0)),
            ]
        });
        table(["usage in the metrics API", "counted as"], rows)
    },
    differences: &[Difference {
        since: Since::Minor(38),
        numbers: None,
    }],
    displayed: Displayed::Own(|| case(3).cpu(50).pods(ready(3, "80m"))),
};

fn requests(reads: &[&str]) -> World {
    case(3)
        .requests("15")
        .pods(reads.iter().map(|value| pod().value(value)))
}

fn fails(trace: &Trace) -> bool {
    trace
        .metrics()
        .any(|metric| matches!(metric.outcome, MetricOutcome::Invalid(_)))
}

fn object(target: MetricTarget) -> Trace {
    case(3)
        .object(target)
        .hits("50")
        .pods(ready(3, "50m"))
        .decide()
}

fn two_containers() -> PodFixture {
    pod().containers([
        container("app").requesting("cpu", "100m"),
        container("proxy").requesting("cpu", "10m"),
    ])
}
