//! From one value for all pods to replicas.

use hpa_engine::trace::{Pass, RatioFormula};
use hpa_testing::{World, average, value};

use crate::algorithm::{
    case::{case, pod},
    computed::{Computed, Difference, Displayed, Since},
    example::{outcomes, proposal, ratio, short, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[VALUE_REPLICAS, AVERAGE_PER_REPLICA];

const VALUE_REPLICAS: Computed = Computed {
    id: "value-replicas",
    picture: || {
        let rows: Vec<(String, i64, String)> = [1, 2, 3, 4]
            .map(|ready: usize| {
                let proposal = proposal(&latency(ready).decide());
                (
                    format!("{ready} of 4 ready"),
                    proposal.parse().unwrap_or(0),
                    proposal,
                )
            })
            .to_vec();
        let mut out = picture::bars(&rows);
        out.push_str("\nrecommended replicas: 4 replicas, metric at 195, value 100\n");
        out
    },
    worked: || {
        outcomes(
            "value 100",
            [
                ("4 of 4 ready, metric at 195", latency(4)),
                ("1 of 4 ready, metric at 195", latency(1)),
                (
                    "4 of 4 ready, metric at 105",
                    case(4)
                        .external(value("100"))
                        .series(&["105"])
                        .pods(vec![pod(); 4]),
                ),
                (
                    "0 replicas, set by the HPA itself, metric at 250",
                    case(0)
                        .min(0)
                        .gate("HPAScaleToZero", true)
                        .condition("ScaledToZero", "True", "ScaledToZero")
                        .external(value("100"))
                        .series(&["250"]),
                ),
            ],
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.value_caps),
        numbers: Some(|minor| {
            let trace = case(4)
                .kube(minor)
                .external(value("1m"))
                .series(&["4000000000"])
                .pods(vec![pod(); 4])
                .decide();
            format!("4e9 with a value of 1m asks for {}", proposal(&trace))
        }),
    }],
    displayed: Displayed::Own(|| latency(4)),
};

const AVERAGE_PER_REPLICA: Computed = Computed {
    id: "average-per-replica",
    picture: || {
        let rows: Vec<(String, i64, String)> = [0, 10, 25, 40, 44, 45, 60, 100]
            .map(|usage: i32| {
                let proposal = proposal(&queue(usage, 4).decide());
                (usage.to_string(), proposal.parse().unwrap_or(0), proposal)
            })
            .to_vec();
        let mut out = picture::bars(&rows);
        out.push_str("\nrecommended replicas for each total: averageValue 10, 4 replicas\n");
        out
    },
    worked: || {
        let rows =
            [(42, 4), (42, 5), (45, 4), (80, 4), (0, 4)].map(|(usage, status): (i32, i32)| {
                let trace = queue(usage, status).decide();
                let found = ratio(&trace, Pass::First);
                let displayed = found.map_or(0, |ratio| match ratio.formula {
                    RatioFormula::AveragePerReplica { average, .. } => average.0,
                    _ => 0,
                });
                [
                    usage.to_string(),
                    status.to_string(),
                    found.map_or_else(String::new, |ratio| short(ratio.usage_ratio)),
                    proposal(&trace),
                    format!("{displayed}m"),
                ]
            });
        format!(
            "averageValue 10, `spec.replicas` 4:\n\n{}",
            table(
                [
                    "total",
                    "status.replicas",
                    "ratio",
                    "asks for",
                    "average in the status"
                ],
                rows
            )
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.external_average_caps),
            numbers: Some(|minor| {
                let trace = case(4)
                    .kube(minor)
                    .external(average("1m"))
                    .series(&["4000000000"])
                    .decide();
                format!(
                    "4e9 with an averageValue of 1m asks for {}",
                    proposal(&trace)
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.average_from_zero),
            numbers: None,
        },
    ],
    displayed: Displayed::Own(|| queue(80, 4)),
};

fn latency(ready: usize) -> World {
    let mut pods = vec![pod(); ready];
    pods.extend(vec![pod().unready(); 4 - ready]);
    case(4).external(value("100")).series(&["195"]).pods(pods)
}

fn queue(usage: i32, status_replicas: i32) -> World {
    case(4)
        .status_replicas(status_replicas)
        .external(average("10"))
        .series(&[&usage.to_string()])
}
