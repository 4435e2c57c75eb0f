//! From a ratio of pods to replicas.

use hpa_engine::trace::{AdjustedVerdict, MetricStep, Pass, Trace};
use hpa_testing::World;

use crate::algorithm::{
    case::{case, pod, ready},
    computed::{Computed, Difference, Displayed, Since},
    example::{metric_step, outcomes, percent, proposal, ratio, short, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[
    UTILIZATION_REPLICAS,
    AVERAGE_VALUE_REPLICAS,
    ADJUSTED_AVERAGE,
];

const UTILIZATION_REPLICAS: Computed = Computed {
    id: "utilization-replicas",
    picture: || {
        let rows: Vec<(String, i64, String)> = [10, 25, 40, 45, 50, 55, 60, 75, 100, 150]
            .map(|percent: i32| {
                let proposal = proposal(&at(percent).decide());
                (
                    format!("{percent}%"),
                    proposal.parse().unwrap_or(0),
                    proposal,
                )
            })
            .to_vec();
        let mut out = picture::bars(&rows);
        out.push_str("\nrecommended replicas: 10 ready pods, target 50%\n");
        out
    },
    worked: || {
        outcomes(
            "target 50%, 10 replicas",
            [
                ("10 ready pods at 75%", at(75)),
                ("10 ready pods at 54%", at(54)),
                ("10 ready pods at 56%", at(56)),
                (
                    "6 ready pods at 30%, 4 starting",
                    case(10)
                        .cpu(50)
                        .pods(ready(6, "30m"))
                        .pods(vec![pod().unready().cpu("90m"); 4]),
                ),
                ("10 ready pods at 0%", at(0)),
            ],
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.tolerance_interval_form),
        numbers: Some(|minor| {
            format!(
                "10 pods at 55% (target 50%) ask for {}",
                proposal(&at(55).kube(minor).decide())
            )
        }),
    }],
    displayed: Displayed::Own(|| at(75)),
};

const AVERAGE_VALUE_REPLICAS: Computed = Computed {
    id: "average-value-replicas",
    picture: || {
        let rows: Vec<(String, i64, String)> = [100, 300, 450, 500, 550, 600, 900]
            .map(|each: i32| {
                let proposal = proposal(&plain(each, 4, 4).decide());
                (format!("{each}m"), proposal.parse().unwrap_or(0), proposal)
            })
            .to_vec();
        let mut out = picture::bars(&rows);
        out.push_str("\nrecommended replicas: 4 ready pods, averageValue 500m\n");
        out
    },
    worked: || {
        outcomes(
            "CPU averageValue 500m, 4 replicas",
            [
                ("4 ready pods at 900m", plain(900, 4, 4)),
                ("4 ready pods at 530m", plain(530, 4, 4)),
                (
                    "3 ready pods at 200m, 1 without metrics",
                    plain(200, 3, 4).pods([pod()]),
                ),
            ],
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.plain_missing_untouched_at_one),
        numbers: Some(|minor| {
            let trace = plain(500, 3, 5).pods([pod(), pod()]).kube(minor).decide();
            format!(
                "3 pods exactly at the target and 2 without metrics ask for {}",
                proposal(&trace)
            )
        }),
    }],
    displayed: Displayed::Own(|| plain(900, 4, 4)),
};

const ADJUSTED_AVERAGE: Computed = Computed {
    id: "adjusted-average",
    picture: || {
        let trace = hidden_load().decide();
        let of = |pass| ratio(&trace, pass).map_or(0.0, |ratio| ratio.usage_ratio);
        let cells = |ratio: f64| -> i64 {
            (0..200)
                .take_while(|cell| f64::from(*cell) * 0.05 < ratio)
                .count()
                .try_into()
                .unwrap_or(0)
        };
        let rows = [
            ("first ratio, 6 pods", of(Pass::First)),
            ("adjusted, 2 pods at 0", of(Pass::Adjusted)),
            ("tolerance ends at", 1.1),
        ]
        .map(|(what, ratio)| {
            (
                what.to_owned(),
                cells(ratio),
                format!("ratio {}", short(ratio)),
            )
        });
        let mut out = picture::bars(&rows);
        out.push_str(&format!(
            "\nCPU at 85%, target 60%, 8 replicas: asks for {}\n",
            proposal(&trace)
        ));
        out
    },
    worked: || {
        let cases: [(&str, World); 6] = [
            ("6 ready at 85%, 2 not ready", hidden_load()),
            (
                "6 ready at 120%, 2 not ready",
                case(8)
                    .cpu(60)
                    .pods(ready(6, "120m"))
                    .pods(vec![pod().unready().cpu("10m"); 2]),
            ),
            (
                "6 ready at 30%, 2 not ready",
                case(8)
                    .cpu(60)
                    .pods(ready(6, "30m"))
                    .pods(vec![pod().unready().cpu("10m"); 2]),
            ),
            (
                "6 ready at 30%, 2 without metrics",
                case(8).cpu(60).pods(ready(6, "30m")).pods(vec![pod(); 2]),
            ),
            (
                "7 ready at 45%, 1 without metrics",
                case(8).cpu(60).pods(ready(7, "45m")).pods([pod()]),
            ),
            (
                "6 ready at 60%, 2 without metrics",
                case(8).cpu(60).pods(ready(6, "60m")).pods(vec![pod(); 2]),
            ),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            [
                what.to_owned(),
                format!("{}%", percent(&trace)),
                ratio(&trace, Pass::Adjusted)
                    .map_or_else(|| "none".to_owned(), |ratio| short(ratio.usage_ratio)),
                verdict(&trace).to_owned(),
                proposal(&trace),
            ]
        });
        format!(
            "Target 60%, 8 replicas:\n\n{}",
            table(
                [
                    "pods",
                    "first utilization",
                    "adjusted ratio",
                    "result",
                    "asks for"
                ],
                rows
            )
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.missing_fill_uses_target_over_100),
            numbers: Some(|minor| {
                let trace = case(4)
                    .kube(minor)
                    .cpu(300)
                    .pods(ready(3, "10m"))
                    .pods([pod()])
                    .decide();
                format!(
                    "3 pods at 10% (target 300%) and 1 without metrics ask for {}",
                    proposal(&trace)
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.plain_missing_untouched_at_one),
            numbers: Some(|minor| {
                let trace = plain(500, 3, 5).pods([pod(), pod()]).kube(minor).decide();
                format!(
                    "3 pods exactly at the averageValue and 2 without metrics ask for {}",
                    proposal(&trace)
                )
            }),
        },
    ],
    displayed: Displayed::Own(hidden_load),
};

/// 10 ready pods at this percentage, with a target of 50.
fn at(percent: i32) -> World {
    case(10).cpu(50).pods(ready(10, &format!("{percent}m")))
}

fn plain(each: i32, pods: usize, replicas: i32) -> World {
    case(replicas)
        .average("cpu", "500m")
        .pods(ready(pods, &format!("{each}m")))
}

/// The load of 6 ready pods asks for more, and 2 pods that are not ready hide it.
fn hidden_load() -> World {
    case(8)
        .cpu(60)
        .pods(ready(6, "85m"))
        .pods(vec![pod().unready().cpu("10m"); 2])
}

fn verdict(trace: &Trace) -> &'static str {
    let found = metric_step(trace, |step| match step {
        MetricStep::Adjustment(adjustment) => Some(adjustment.verdict),
        _ => None,
    });
    match found {
        Some(AdjustedVerdict::Applied) => "applies",
        Some(AdjustedVerdict::CountWouldMoveOtherWay) => "opposite direction",
        Some(AdjustedVerdict::DirectionFlipped) => "other side of 1",
        Some(AdjustedVerdict::WithinTolerance) => "within tolerance",
        None => "no adjusted average",
    }
}
