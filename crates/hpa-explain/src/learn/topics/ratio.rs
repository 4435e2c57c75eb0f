//! Usage ÷ target.

use crate::{
    learn::{
        case::{Case, case, pod, tolerance},
        example::{asks, percent, ratio, short, table, tolerance_check},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    trace::{Pass, RatioFormula, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[USAGE_RATIO, AVERAGE_RATIO, TOLERANCE_OF_HPA];

const USAGE_RATIO: Topic = Topic {
    id: "usage-ratio",
    title: "Percent of requests ÷ target percent",
    answers: "How busy are the counted pods together, compared with the target percentage?",
    chapter: Chapter::Ratio,
    functions: &[Upstream::utilization("GetResourceUtilizationRatio")],
    part_of: &[],
    inputs: &[
        input(
            "samples",
            "milli-units",
            "the counted pods ([group-pods](group-pods.md))",
        ),
        input(
            "requests",
            "milli-units",
            "the same pods ([sum-requests](sum-requests.md))",
        ),
        input(
            "averageUtilization",
            "whole percent",
            "the target in the spec",
        ),
    ],
    formula: "\
utilization = sum of samples × 100 ÷ sum of requests    cut to whole percent
ratio       = utilization ÷ averageUtilization          a double
average     = sum of samples ÷ number of samples        cut, for the status",
    remarks: &[
        "It is the percentage of the sums, not the mean of the pods' percentages: a pod with large requests weighs more.",
        "Because the percentage is cut to a whole number first, 80.9 % is 80 %.",
        "Samples of pods that are not in the list don't count here.",
        "This is the number that `kubectl get hpa` shows, also where the second look decides by another one.",
    ],
    picture: || {
        let uses = [95_i64, 70, 40];
        let rows: Vec<(String, i64, String)> = uses
            .iter()
            .zip(1..)
            .map(|(milli, number)| {
                (
                    format!("web-{number}"),
                    milli / 3,
                    format!("{milli}m of 100m"),
                )
            })
            .collect();
        let trace = case(3)
            .cpu(50)
            .pods(uses.map(|milli| pod().uses(&format!("{milli}m"))))
            .decide();
        let mut out = picture::bars(&rows);
        if let Some(ratio) = ratio(&trace, Pass::First)
            && let RatioFormula::Utilization {
                usage,
                requests,
                utilization,
                target,
                ..
            } = ratio.formula
        {
            out.push_str(&format!(
                "\n{}m × 100 ÷ {}m = {} %   {} ÷ {} = {}\n",
                usage.0,
                requests.0,
                utilization.0,
                utilization.0,
                target.0,
                short(ratio.usage_ratio)
            ));
        }
        out
    },
    worked: || {
        let cases: [(&str, Case); 4] = [
            (
                "85m, 85m, 85m of 100m each",
                case(3).cpu(50).ready(3, "85m"),
            ),
            (
                "809m of 1000m each",
                case(3)
                    .cpu(50)
                    .pods(vec![pod().requesting("1").uses("809m"); 3]),
            ),
            (
                "90m of 100m, 90m of 900m",
                case(2)
                    .cpu(50)
                    .pods([pod().uses("90m"), pod().requesting("900m").uses("90m")]),
            ),
            ("49m of 100m", case(1).cpu(50).ready(1, "49m")),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            [
                what.to_owned(),
                format!("{} %", percent(&trace)),
                ratio(&trace, Pass::First)
                    .map_or_else(String::new, |ratio| short(ratio.usage_ratio)),
                asks(&trace),
            ]
        });
        format!(
            "Target 50 %:\n\n{}",
            table(["pods use", "utilization", "ratio", "asks for"], rows)
        )
    },
    differences: &[],
    beliefs: &[
        (
            "Each pod is compared with the target on its own.",
            "Only the sum is: one pod at 300 % and two at 0 % are 100 %.",
        ),
        (
            "The percentage is of the limits.",
            "It is of the requests; lowering a request raises it.",
        ),
    ],
    shown: Shown::Own(|| {
        case(3)
            .cpu(50)
            .pods([pod().uses("95m"), pod().uses("70m"), pod().uses("40m")])
    }),
    rules: &[
        ("HPA206", "blended-utilization"),
        ("HPA225", "coarse-percent-step"),
        ("HPA226", "tiny-denominator"),
        ("HPA511", "uneven-load"),
    ],
};

const AVERAGE_RATIO: Topic = Topic {
    id: "average-ratio",
    title: "Average of the pods ÷ target",
    answers: "What do the counted pods use on average, compared with the target value?",
    chapter: Chapter::Ratio,
    functions: &[Upstream::utilization("GetMetricUsageRatio")],
    part_of: &[],
    inputs: &[
        input(
            "samples",
            "milli-units",
            "the counted pods, and pods that are gone",
        ),
        input("averageValue", "milli-units", "the target in the spec"),
    ],
    formula: "\
average = sum of samples ÷ number of samples   cut to thousandths
ratio   = average ÷ averageValue               a double",
    remarks: &[
        "Requests play no part.",
        "Samples of pods that are not in the list any more count, in the sum and in the number: for a minute after a \
         scale-down the average may still be that of pods that are gone.",
        "`500m` is half a unit: a metric that counts requests and a target of `500m` asks for one pod for each half request.",
    ],
    picture: || {
        let reads = [30_i64, 10, 26];
        let rows: Vec<(String, i64, String)> = reads
            .iter()
            .zip(1..)
            .map(|(reads, number)| (format!("web-{number}"), *reads, reads.to_string()))
            .collect();
        let trace = case(3)
            .requests("15")
            .pods(reads.map(|reads| pod().reads(&reads.to_string())))
            .decide();
        let mut out = picture::bars(&rows);
        if let Some(ratio) = ratio(&trace, Pass::First)
            && let RatioFormula::PodAverage {
                usage,
                pods,
                average,
                target,
            } = ratio.formula
        {
            out.push_str(&format!(
                "\n{} ÷ {} = {}   {} ÷ {} = {}\n",
                usage.0 / 1000,
                pods,
                average.0 / 1000,
                average.0 / 1000,
                target.0 / 1000,
                short(ratio.usage_ratio)
            ));
        }
        out
    },
    worked: || {
        let cases: [(&str, Case); 3] = [
            (
                "30, 10, 26 against 15",
                case(3)
                    .requests("15")
                    .pods(["30", "10", "26"].map(|value| pod().reads(value))),
            ),
            (
                "10, 10, 11 against 10",
                case(3)
                    .requests("10")
                    .pods(["10", "10", "11"].map(|value| pod().reads(value))),
            ),
            (
                "3, 3, 3 against 500m",
                case(3)
                    .requests("500m")
                    .pods(["3", "3", "3"].map(|value| pod().reads(value))),
            ),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            [
                what.to_owned(),
                ratio(&trace, Pass::First)
                    .map_or_else(String::new, |ratio| short(ratio.usage_ratio)),
                asks(&trace),
            ]
        });
        table(["3 pods read", "ratio", "asks for"], rows)
    },
    differences: &[],
    beliefs: &[(
        "An averageValue of memory is a share of something.",
        "It is an amount for each pod, whatever the pod requests or may use.",
    )],
    shown: Shown::Own(|| {
        case(3)
            .requests("15")
            .pods(["30", "10", "26"].map(|value| pod().reads(value)))
    }),
    rules: &[
        ("HPA223", "quantity-scale"),
        ("HPA224", "averagevalue-above-limit"),
    ],
};

const TOLERANCE_OF_HPA: Topic = Topic {
    id: "tolerance-of-hpa",
    title: "Which tolerance holds for this HPA",
    answers: "By how much may the ratio lie below and above 1 before anything happens?",
    chapter: Chapter::Ratio,
    functions: &[Upstream::horizontal("tolerancesForHpa")],
    part_of: &[],
    inputs: &[
        input(
            "--horizontal-pod-autoscaler-tolerance",
            "fraction, default 0.1",
            "a flag of kube-controller-manager",
        ),
        input(
            "behavior.scaleDown.tolerance",
            "quantity",
            "the spec of the HPA",
        ),
        input(
            "behavior.scaleUp.tolerance",
            "quantity",
            "the spec of the HPA",
        ),
        input(
            "gate HPAConfigurableTolerance",
            "on or off",
            "kube-controller-manager",
        ),
    ],
    formula: "\
down = behavior.scaleDown.tolerance, if set and heeded; otherwise the flag
up   = behavior.scaleUp.tolerance,   if set and heeded; otherwise the flag",
    remarks: &[
        "Each direction is set on its own; the other one keeps the flag.",
        "It is a fraction, not a percentage: `0.05` or `50m` is 5 %, `5` is 500 %.",
        "A tolerance of 0 acts on every percent, and the replicas never come to rest.",
        "With the gate off the field may be stored and is not heeded; the API server drops it from new objects.",
    ],
    picture: || {
        let mut rows = vec![
            ["scaleUp.tolerance", "down", "up", "stays from", "to"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for text in [None, Some("0"), Some("50m"), Some("0.3")] {
            let base = case(100).max(200).cpu(50);
            let of = |percent: i32| {
                let case = base.clone().ready(100, &format!("{percent}m"));
                match text {
                    Some(text) => case.up(tolerance(text)),
                    None => case,
                }
            };
            let stays: Vec<i32> = (30..=70)
                .filter(|percent| asks(&of(*percent).decide()) == "100")
                .collect();
            let check = tolerance_check(&of(50).decide());
            rows.push(vec![
                text.unwrap_or("not set").to_owned(),
                check.map_or_else(String::new, |check| check.scale_down.value.to_string()),
                check.map_or_else(String::new, |check| check.scale_up.value.to_string()),
                stays
                    .first()
                    .map_or_else(String::new, |percent| format!("{percent} %")),
                stays
                    .last()
                    .map_or_else(String::new, |percent| format!("{percent} %")),
            ]);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\n100 pods, target 50 %, Kubernetes 1.36\n");
        out
    },
    worked: || {
        let rows = [None, Some("0.05"), Some("0.2")].map(|text| {
            let case = case(10).cpu(50).ready(10, "54m");
            let case = match text {
                Some(text) => case.up(tolerance(text)),
                None => case,
            };
            [text.unwrap_or("not set").to_owned(), asks(&case.decide())]
        });
        format!(
            "10 pods at 54 % of a 50 % target, the flag is 0.1:\n\n{}",
            table(["scaleUp.tolerance", "asks for"], rows)
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.per_hpa_tolerance),
        text: "`tolerance` in `behavior` is heeded by default; in 1.33 and 1.34 with the gate `HPAConfigurableTolerance`.",
        numbers: Some(|minor| {
            let trace = case(10)
                .under(minor)
                .cpu(50)
                .ready(10, "54m")
                .up(tolerance("0.05"))
                .decide();
            format!(
                "54 % of 50 % with `scaleUp.tolerance: 0.05` asks for {}",
                asks(&trace)
            )
        }),
    }],
    beliefs: &[
        (
            "tolerance: 5 means 5 %.",
            "It means 500 %: up to six times the target nothing happens.",
        ),
        (
            "The tolerance applies to each metric with its own value.",
            "One pair holds for all metrics of the HPA.",
        ),
    ],
    shown: Shown::Of("tolerance", || {
        case(10).cpu(50).ready(10, "54m").up(tolerance("0.05"))
    }),
    rules: &[
        ("HPA321", "tolerance-scale"),
        ("HPA322", "tolerance-zero"),
        ("HPA323", "tolerance-below-step"),
        ("HPA324", "tolerance-large-fleet"),
        ("HPA011", "feature-unavailable"),
    ],
};
