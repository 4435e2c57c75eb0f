//! From one number for all pods to a number of replicas.

use crate::{
    learn::{
        case::{Case, average, case, pod, value},
        example::{asks, outcomes, ratio, short, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    trace::{Pass, RatioFormula, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[VALUE_REPLICAS, AVERAGE_PER_REPLICA];

const VALUE_REPLICAS: Topic = Topic {
    id: "value-replicas",
    title: "From a total to replicas: target type Value",
    answers: "By which factor do the ready pods have to grow or shrink so that the total meets its target?",
    chapter: Chapter::Ratio,
    functions: &[
        Upstream::replica_calculator("getUsageRatioReplicaCount"),
        Upstream::replica_calculator("GetObjectMetricReplicas"),
        Upstream::replica_calculator("GetExternalMetricReplicas"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "usage",
            "milli-units",
            "the object, or the sum of all series",
        ),
        input("value", "milli-units", "the target in the spec"),
        input("ready pods", "number", "[ready-pods](ready-pods.md)"),
        input("current", "replicas", "[read-scale](read-scale.md)"),
    ],
    formula: "\
ratio = usage ÷ value
current = 0:                   ceil(ratio), whatever the tolerance
ratio within the tolerance:    current
otherwise:                     ceil(ratio × ready pods)",
    remarks: &[
        "It suits a value that falls when pods are added, such as a latency. A total that does not fall, such as the length \
         of a queue, asks for more replicas at every sync, up to maxReplicas: use `averageValue` there.",
        "If fewer pods are ready than replicas are wanted, even a ratio above 1 can ask for fewer.",
    ],
    picture: || {
        let rows: Vec<(String, i64, String)> = [1, 2, 3, 4]
            .map(|ready: usize| {
                let asked = asks(&latency(ready).decide());
                (
                    format!("{ready} of 4 ready"),
                    asked.parse().unwrap_or(0),
                    asked,
                )
            })
            .to_vec();
        let mut out = picture::bars(&rows);
        out.push_str("\nreplicas asked for: 4 replicas, the metric reads 195, value 100\n");
        out
    },
    worked: || {
        outcomes(
            "value 100",
            [
                ("4 ready of 4, reads 195", latency(4)),
                ("1 ready of 4, reads 195", latency(1)),
                (
                    "4 ready of 4, reads 105",
                    case(4)
                        .external(value("100"), &["105"])
                        .pods(vec![pod(); 4]),
                ),
                (
                    "0 replicas, scaled there by the HPA itself, reads 250",
                    case(0)
                        .min(0)
                        .gate("HPAScaleToZero", true)
                        .condition("ScaledToZero", "True")
                        .external(value("100"), &["250"]),
                ),
            ],
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.value_caps),
        text: "numbers beyond 2147483647 are cut to it; before, they became negative on amd64.",
        numbers: Some(|minor| {
            let trace = case(4)
                .under(minor)
                .external(value("1m"), &["4000000000"])
                .pods(vec![pod(); 4])
                .decide();
            format!("4e9 against a value of 1m asks for {}", asks(&trace))
        }),
    }],
    beliefs: &[
        (
            "Twice the target leads to twice the current replicas.",
            "To twice the *ready* pods.",
        ),
        (
            "With value, more pods bring the metric down.",
            "Only if they do. A backlog that more pods drain slowly keeps the ratio high, and each pass multiplies anew, up \
             to maxReplicas.",
        ),
    ],
    shown: Shown::Own(|| latency(4)),
    rules: &[
        ("HPA220", "value-on-backlog"),
        ("HPA221", "value-with-readiness"),
        ("HPA110", "wide-range-unlimited"),
    ],
};

const AVERAGE_PER_REPLICA: Topic = Topic {
    id: "average-per-replica",
    title: "From a total to replicas: target type AverageValue",
    answers: "How many replicas does it take so that each has no more than its share of the total?",
    chapter: Chapter::Ratio,
    functions: &[
        Upstream::replica_calculator("GetObjectPerPodMetricReplicas"),
        Upstream::replica_calculator("GetExternalPerPodMetricReplicas"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "usage",
            "milli-units",
            "the object, or the sum of all series",
        ),
        input(
            "averageValue",
            "milli-units for each replica",
            "the target in the spec",
        ),
        input(
            "statusReplicas",
            "replicas",
            "`status.replicas` of the scale",
        ),
    ],
    formula: "\
ratio = usage ÷ (averageValue × statusReplicas)
ratio within the tolerance:    statusReplicas
otherwise:                     ceil(usage ÷ averageValue)
shown in the status:           ceil(usage ÷ statusReplicas)",
    remarks: &[
        "Pods are never looked at: neither readiness nor missing samples matter.",
        "It compares with `status.replicas`, not `spec.replicas`; during a rollout with surge that is more, and within the \
         tolerance the HPA then asks for that number.",
        "The result does not depend on the current replicas once the ratio is outside: it cannot run away.",
    ],
    picture: || {
        let rows: Vec<(String, i64, String)> = [0, 10, 25, 40, 44, 45, 60, 100]
            .map(|usage: i32| {
                let asked = asks(&queue(usage, 4).decide());
                (usage.to_string(), asked.parse().unwrap_or(0), asked)
            })
            .to_vec();
        let mut out = picture::bars(&rows);
        out.push_str(
            "\nreplicas asked for at that length of a queue: averageValue 10, 4 replicas\n",
        );
        out
    },
    worked: || {
        let rows =
            [(42, 4), (42, 5), (45, 4), (80, 4), (0, 4)].map(|(usage, status): (i32, i32)| {
                let trace = queue(usage, status).decide();
                let found = ratio(&trace, Pass::First);
                let shown = found.map_or(0, |ratio| match ratio.formula {
                    RatioFormula::AveragePerReplica { average, .. } => average.0,
                    _ => 0,
                });
                [
                    usage.to_string(),
                    status.to_string(),
                    found.map_or_else(String::new, |ratio| short(ratio.usage_ratio)),
                    asks(&trace),
                    format!("{shown}m"),
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
            text: "External: numbers beyond 2147483647 are cut to it; before, they became negative on amd64.",
            numbers: Some(|minor| {
                let trace = case(4)
                    .under(minor)
                    .external(average("1m"), &["4000000000"])
                    .decide();
                format!("4e9 with an averageValue of 1m asks for {}", asks(&trace))
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.saturate_all),
            text: "Object, too; and with 0 status replicas the status shows the total instead of -9223372036854775808m.",
            numbers: None,
        },
    ],
    beliefs: &[(
        "The average is over the pods that are ready.",
        "It is over `status.replicas`, whatever these pods do.",
    )],
    shown: Shown::Own(|| queue(80, 4)),
    rules: &[
        ("HPA222", "external-no-selector"),
        ("HPA223", "quantity-scale"),
        ("HPA416", "surge-inflation"),
    ],
};

fn latency(ready: usize) -> Case {
    let mut pods = vec![pod(); ready];
    pods.extend(vec![pod().unready(); 4 - ready]);
    case(4).external(value("100"), &["195"]).pods(pods)
}

fn queue(usage: i32, status_replicas: i32) -> Case {
    case(4)
        .status_replicas(status_replicas)
        .external(average("10"), &[&usage.to_string()])
}
