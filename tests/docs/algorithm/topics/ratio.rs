//! Usage ÷ target.

use hpa_engine::trace::{Pass, RatioFormula};
use hpa_testing::{World, up};

use crate::algorithm::{
    case::{case, pod, ready},
    computed::{Computed, Difference, Displayed, Since},
    example::{percent, proposal, ratio, short, table, tolerance_check},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[USAGE_RATIO, AVERAGE_RATIO, TOLERANCE_OF_HPA];

const USAGE_RATIO: Computed = Computed {
    id: "usage-ratio",
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
            .pods(uses.map(|milli| pod().cpu(&format!("{milli}m"))))
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
                "\n{}m × 100 ÷ {}m = {}%   {} ÷ {} = {}\n",
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
        let cases: [(&str, World); 4] = [
            (
                "3 pods, 85m of 100m each",
                case(3).cpu(50).pods(ready(3, "85m")),
            ),
            (
                "3 pods, 809m of 1000m each",
                case(3)
                    .cpu(50)
                    .pods(vec![pod().requesting("1").cpu("809m"); 3]),
            ),
            (
                "2 pods, 90m of 100m and 90m of 900m",
                case(2)
                    .cpu(50)
                    .pods([pod().cpu("90m"), pod().requesting("900m").cpu("90m")]),
            ),
            ("1 pod, 49m of 100m", case(1).cpu(50).pods(ready(1, "49m"))),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            [
                what.to_owned(),
                format!("{}%", percent(&trace)),
                ratio(&trace, Pass::First)
                    .map_or_else(String::new, |ratio| short(ratio.usage_ratio)),
                proposal(&trace),
            ]
        });
        format!(
            "Target 50%:\n\n{}",
            table(
                ["usage of requests", "utilization", "ratio", "asks for"],
                rows
            )
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.exact_sums),
        numbers: Some(|minor| {
            let trace = case(2)
                .kube(minor)
                .cpu(50)
                .pods(vec![pod().requesting("100").cpu("90T"); 2])
                .decide();
            format!(
                "2 pods that use 90T cores of 100 are at {}%",
                percent(&trace)
            )
        }),
    }],
    displayed: Displayed::Own(|| {
        case(3)
            .cpu(50)
            .pods([pod().cpu("95m"), pod().cpu("70m"), pod().cpu("40m")])
    }),
};

const AVERAGE_RATIO: Computed = Computed {
    id: "average-ratio",
    picture: || {
        let reads = [30_i64, 10, 26];
        let rows: Vec<(String, i64, String)> = reads
            .iter()
            .zip(1..)
            .map(|(reads, number)| (format!("web-{number}"), *reads, reads.to_string()))
            .collect();
        let trace = case(3)
            .requests("15")
            .pods(reads.map(|reads| pod().value(&reads.to_string())))
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
        let cases: [(&str, World); 3] = [
            (
                "30, 10, 26; target 15",
                case(3)
                    .requests("15")
                    .pods(["30", "10", "26"].map(|value| pod().value(value))),
            ),
            (
                "10, 10, 11; target 10",
                case(3)
                    .requests("10")
                    .pods(["10", "10", "11"].map(|value| pod().value(value))),
            ),
            (
                "3, 3, 3; target 500m",
                case(3)
                    .requests("500m")
                    .pods(["3", "3", "3"].map(|value| pod().value(value))),
            ),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            [
                what.to_owned(),
                ratio(&trace, Pass::First)
                    .map_or_else(String::new, |ratio| short(ratio.usage_ratio)),
                proposal(&trace),
            ]
        });
        table(["values of 3 pods", "ratio", "asks for"], rows)
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.exact_sums),
        numbers: Some(|minor| {
            let trace = case(3)
                .kube(minor)
                .requests("5P")
                .pods(vec![pod().value("5P"); 3])
                .decide();
            format!(
                "3 pods that read 5P with a target of 5P ask for {}",
                proposal(&trace)
            )
        }),
    }],
    displayed: Displayed::Own(|| {
        case(3)
            .requests("15")
            .pods(["30", "10", "26"].map(|value| pod().value(value)))
    }),
};

const TOLERANCE_OF_HPA: Computed = Computed {
    id: "tolerance-of-hpa",
    picture: || {
        let mut rows = vec![
            ["scaleUp.tolerance", "down", "up", "stays from", "to"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for text in [None, Some("0"), Some("50m"), Some("0.3")] {
            let base = case(100).max(200).cpu(50);
            let of = |percent: i32| {
                let case = base.clone().pods(ready(100, &format!("{percent}m")));
                match text {
                    Some(text) => case.behavior(up().tolerance(text)),
                    None => case,
                }
            };
            let stays: Vec<i32> = (30..=70)
                .filter(|percent| proposal(&of(*percent).decide()) == "100")
                .collect();
            let check = tolerance_check(&of(50).decide());
            rows.push(vec![
                text.unwrap_or("not set").to_owned(),
                check.map_or_else(String::new, |check| check.scale_down.value.to_string()),
                check.map_or_else(String::new, |check| check.scale_up.value.to_string()),
                stays
                    .first()
                    .map_or_else(String::new, |percent| format!("{percent}%")),
                stays
                    .last()
                    .map_or_else(String::new, |percent| format!("{percent}%")),
            ]);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\n100 pods, target 50%, Kubernetes 1.36\n");
        out
    },
    worked: || {
        let rows = [None, Some("0.05"), Some("0.2")].map(|text| {
            let case = case(10).cpu(50).pods(ready(10, "54m"));
            let case = match text {
                Some(text) => case.behavior(up().tolerance(text)),
                None => case,
            };
            [
                text.unwrap_or("not set").to_owned(),
                proposal(&case.decide()),
            ]
        });
        format!(
            "10 pods at 54%, target 50%, flag 0.1:\n\n{}",
            table(["scaleUp.tolerance", "asks for"], rows)
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.per_hpa_tolerance),
        numbers: Some(|minor| {
            let trace = case(10)
                .kube(minor)
                .cpu(50)
                .pods(ready(10, "54m"))
                .behavior(up().tolerance("0.05"))
                .decide();
            format!(
                "10 pods at 54% (target 50%) with `scaleUp.tolerance: 0.05` ask for {}",
                proposal(&trace)
            )
        }),
    }],
    displayed: Displayed::Of("tolerance", || {
        case(10)
            .cpu(50)
            .pods(ready(10, "54m"))
            .behavior(up().tolerance("0.05"))
    }),
};
