//! From a ratio of pods to a number of replicas.

use crate::{
    learn::{
        case::{Case, case, pod},
        example::{asks, metric_step, outcomes, percent, ratio, short, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    trace::{AdjustedVerdict, MetricStep, Pass, Trace, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[UTILIZATION_REPLICAS, AVERAGE_VALUE_REPLICAS, SECOND_LOOK];

const UTILIZATION_REPLICAS: Topic = Topic {
    id: "utilization-replicas",
    title: "From a percentage to replicas",
    answers: "How many replicas does a percentage of the requests ask for?",
    chapter: Chapter::Ratio,
    functions: &[Upstream::replica_calculator("GetResourceReplicas")],
    part_of: &[],
    inputs: &[
        input("ratio", "a double", "[usage-ratio](usage-ratio.md)"),
        input(
            "ready, unready, missing pods",
            "numbers",
            "[group-pods](group-pods.md)",
        ),
        input("current", "replicas", "[read-scale](read-scale.md)"),
    ],
    formula: "\
missing pods, or unready ones and ratio > 1:   see second-look
ratio within the tolerance:                    current
otherwise:                                     ceil(ratio × ready pods)",
    remarks: &[
        "It multiplies the *ready* pods, not the current replicas: unready pods make the number smaller on the way down.",
        "ceil always rounds up: rounding adds a replica, and never takes one away.",
        "Every selected pod that counts is a ready pod here, those of other owners too.",
    ],
    picture: || {
        let rows: Vec<(String, i64, String)> = [10, 25, 40, 45, 50, 55, 60, 75, 100, 150]
            .map(|percent: i32| {
                let asked = asks(&at(percent).decide());
                (format!("{percent} %"), asked.parse().unwrap_or(0), asked)
            })
            .to_vec();
        let mut out = picture::bars(&rows);
        out.push_str("\nreplicas asked for: 10 ready pods, target 50 %\n");
        out
    },
    worked: || {
        outcomes(
            "target 50 %, 10 replicas",
            [
                ("10 ready pods at 75 %", at(75)),
                ("10 ready pods at 54 %", at(54)),
                ("10 ready pods at 56 %", at(56)),
                (
                    "6 ready at 30 %, 4 starting",
                    case(10)
                        .cpu(50)
                        .ready(6, "30m")
                        .pods(vec![pod().unready().uses("90m"); 4]),
                ),
                ("10 ready pods at 0 %", at(0)),
            ],
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.tolerance_interval_form),
        text: "the edge of the tolerance is inside ([tolerance](tolerance.md)).",
        numbers: Some(|minor| {
            format!(
                "55 % of 50 % asks for {}",
                asks(&at(55).under(minor).decide())
            )
        }),
    }],
    beliefs: &[
        (
            "desired = ceil(current × ratio), as the documentation has it.",
            "It is ceil(ratio × ready pods), and with missing or unready pods another number altogether.",
        ),
        (
            "During a rollout the HPA sees twice the pods and asks for more.",
            "It multiplies the pods that are there; surge pods that are ready count, and guards of the second look hold \
             most of what would come of it.",
        ),
    ],
    shown: Shown::Own(|| at(75)),
    rules: &[
        ("HPA115", "single-extra-pod"),
        ("HPA416", "surge-inflation"),
        ("HPA506", "unready-share-high"),
        ("HPA511", "uneven-load"),
    ],
};

const AVERAGE_VALUE_REPLICAS: Topic = Topic {
    id: "average-value-replicas",
    title: "From an average of the pods to replicas",
    answers: "How many replicas does an amount for each pod ask for?",
    chapter: Chapter::Ratio,
    functions: &[
        Upstream::replica_calculator("calcPlainMetricReplicas"),
        Upstream::replica_calculator("GetRawResourceReplicas"),
        Upstream::replica_calculator("GetMetricReplicas"),
    ],
    part_of: &[],
    inputs: &[
        input("ratio", "a double", "[average-ratio](average-ratio.md)"),
        input(
            "ready, unready, missing pods",
            "numbers",
            "[group-pods](group-pods.md)",
        ),
        input("current", "replicas", "[read-scale](read-scale.md)"),
    ],
    formula: "\
missing pods, or unready ones and ratio > 1:   see second-look
ratio within the tolerance:                    current
otherwise:                                     ceil(ratio × ready pods)",
    remarks: &[
        "The same as for percentages, with another ratio; no requests are needed.",
        "Used for Pods metrics and for Resource and ContainerResource metrics with `averageValue`.",
        "Of these only `cpu` has the readiness rules.",
    ],
    picture: || {
        let rows: Vec<(String, i64, String)> = [100, 300, 450, 500, 550, 600, 900]
            .map(|each: i32| {
                let asked = asks(&plain(each, 4, 4).decide());
                (format!("{each}m"), asked.parse().unwrap_or(0), asked)
            })
            .to_vec();
        let mut out = picture::bars(&rows);
        out.push_str("\nreplicas asked for: 4 ready pods, averageValue 500m\n");
        out
    },
    worked: || {
        outcomes(
            "averageValue 500m of cpu, 4 replicas",
            [
                ("4 ready pods at 900m", plain(900, 4, 4)),
                ("4 ready pods at 530m", plain(530, 4, 4)),
                (
                    "3 ready pods at 200m, one without a sample",
                    plain(200, 3, 4).pods([pod()]),
                ),
            ],
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.plain_missing_untouched_at_one),
        text: "with a ratio of exactly 1 missing pods are left out; before, they counted as 0, and a workload right on \
               its target scaled down.",
        numbers: Some(|minor| {
            let trace = plain(500, 3, 5).pods([pod(), pod()]).under(minor).decide();
            format!(
                "3 pods right on the target and 2 without a sample ask for {}",
                asks(&trace)
            )
        }),
    }],
    beliefs: &[(
        "averageValue is an average over the replicas.",
        "For pods it is one over the samples; over the replicas it is for Object and External metrics only.",
    )],
    shown: Shown::Own(|| plain(900, 4, 4)),
    rules: &[
        ("HPA215", "memory-present"),
        ("HPA224", "averagevalue-above-limit"),
    ],
};

const SECOND_LOOK: Topic = Topic {
    id: "second-look",
    title: "The second look: missing and unready pods are added back",
    answers: "What is left of the ratio if the pods that could not be counted are added with a cautious guess?",
    chapter: Chapter::Ratio,
    functions: &[],
    part_of: &[
        Upstream::replica_calculator("GetResourceReplicas"),
        Upstream::replica_calculator("calcPlainMetricReplicas"),
    ],
    inputs: &[
        input(
            "first ratio",
            "a double",
            "[usage-ratio](usage-ratio.md), [average-ratio](average-ratio.md)",
        ),
        input(
            "missing, unready pods",
            "list",
            "[group-pods](group-pods.md)",
        ),
        input(
            "requests or target",
            "milli-units",
            "what a guess is made of",
        ),
    ],
    formula: "\
missing pods:  ratio < 1   with max(100, target) % of their request,
                           or with the target value
               ratio > 1   with 0
               ratio = 1   not at all
unready pods:  ratio > 1   with 0
               otherwise   not at all
second ratio over all of them; then the first line that fits:
  second ratio within the tolerance            current
  second ratio on the other side of 1          current
  n = ceil(second ratio × samples) moves
  against its ratio                            current
  otherwise                                    n",
    remarks: &[
        "It happens if a pod is missing, or if a pod is unready and the first ratio is above 1.",
        "The guess always works against the movement: low usage where more replicas were asked for, high where fewer.",
        "The first ratio is not compared with the tolerance any more; a first ratio of 1.05 with a missing pod goes on here.",
        "The status keeps the numbers of the first look: `kubectl get hpa` may show 85 % where 63 % decided.",
    ],
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
            ("first look, 6 pods", of(Pass::First)),
            ("2 unready added with 0", of(Pass::Adjusted)),
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
            "\n85 % of 60 %, 8 replicas: asks for {}\n",
            asks(&trace)
        ));
        out
    },
    worked: || {
        let cases: [(&str, Case); 6] = [
            ("6 ready at 85 %, 2 not ready", hidden_load()),
            (
                "6 ready at 120 %, 2 not ready",
                case(8)
                    .cpu(60)
                    .ready(6, "120m")
                    .pods(vec![pod().unready().uses("10m"); 2]),
            ),
            (
                "6 ready at 30 %, 2 not ready",
                case(8)
                    .cpu(60)
                    .ready(6, "30m")
                    .pods(vec![pod().unready().uses("10m"); 2]),
            ),
            (
                "6 ready at 30 %, 2 without a sample",
                case(8).cpu(60).ready(6, "30m").pods(vec![pod(); 2]),
            ),
            (
                "7 ready at 45 %, 1 without a sample",
                case(8).cpu(60).ready(7, "45m").pods([pod()]),
            ),
            (
                "6 ready at 60 %, 2 without a sample",
                case(8).cpu(60).ready(6, "60m").pods(vec![pod(); 2]),
            ),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            [
                what.to_owned(),
                format!("{} %", percent(&trace)),
                ratio(&trace, Pass::Adjusted)
                    .map_or_else(|| "none".to_owned(), |ratio| short(ratio.usage_ratio)),
                verdict(&trace).to_owned(),
                asks(&trace),
            ]
        });
        format!(
            "Target 60 %, 8 replicas:\n\n{}",
            table(
                ["pods", "first look", "second ratio", "verdict", "asks for"],
                rows
            )
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.missing_fill_uses_target_over_100),
            text: "a missing pod is filled with the target's percentage where the target is above 100 %; before, with 100 %.",
            numbers: Some(|minor| {
                let trace = case(4)
                    .under(minor)
                    .cpu(300)
                    .ready(3, "10m")
                    .pods([pod()])
                    .decide();
                format!(
                    "3 pods at 10 % of 300 % and one without a sample ask for {}",
                    asks(&trace)
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.plain_missing_untouched_at_one),
            text: "plain metrics with a ratio of exactly 1 leave missing pods out; before, they counted as 0.",
            numbers: Some(|minor| {
                let trace = plain(500, 3, 5).pods([pod(), pod()]).under(minor).decide();
                format!(
                    "3 pods right on an averageValue and 2 without a sample ask for {}",
                    asks(&trace)
                )
            }),
        },
    ],
    beliefs: &[
        (
            "The percentage that kubectl shows is the one that decides.",
            "It is that of the first look.",
        ),
        (
            "Pods that are not ready make the HPA scale up more.",
            "They count as 0 on the way up, so they damp it; on the way down they are not counted at all.",
        ),
    ],
    shown: Shown::Own(hidden_load),
    rules: &[
        ("HPA502", "finished-pods-selected"),
        ("HPA506", "unready-share-high"),
        ("HPA706", "unschedulable"),
    ],
};

/// 10 ready pods at so many percent of a target of 50.
fn at(percent: i32) -> Case {
    case(10).cpu(50).ready(10, &format!("{percent}m"))
}

fn plain(each: i32, pods: usize, replicas: i32) -> Case {
    case(replicas)
        .average("cpu", "500m")
        .ready(pods, &format!("{each}m"))
}

/// The load of 6 ready pods would ask for more, and 2 pods that are not ready hide it.
fn hidden_load() -> Case {
    case(8)
        .cpu(60)
        .ready(6, "85m")
        .pods(vec![pod().unready().uses("10m"); 2])
}

fn verdict(trace: &Trace) -> &'static str {
    let found = metric_step(trace, |step| match step {
        MetricStep::Adjustment(adjustment) => Some(adjustment.verdict),
        _ => None,
    });
    match found {
        Some(AdjustedVerdict::Applied) => "counts",
        Some(AdjustedVerdict::CountWouldMoveOtherWay) => "would move the other way",
        Some(AdjustedVerdict::DirectionFlipped) => "other side of 1",
        Some(AdjustedVerdict::WithinTolerance) => "within the tolerance",
        None => "no second look",
    }
}
