//! Whether a ratio is far enough from 1 to act on.

use crate::{
    learn::{
        case::{Case, case, tolerance},
        example::{asks, percent, short, table, tolerance_check},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    trace::Upstream,
};

pub(super) static TOPICS: &[Topic] = &[TOLERANCE];

const TOLERANCE: Topic = Topic {
    id: "tolerance",
    title: "Is the ratio within the tolerance?",
    answers: "Is the usage so near to its target that the replicas stay?",
    chapter: Chapter::Ratio,
    functions: &[Upstream::replica_calculator("isWithin")],
    part_of: &[],
    inputs: &[
        input(
            "usage ratio",
            "current ÷ target, a double",
            "[usage-ratio](usage-ratio.md) and its kin",
        ),
        input(
            "tolerance down, tolerance up",
            "fraction, default 0.1 each",
            "[tolerance-of-hpa](tolerance-of-hpa.md)",
        ),
    ],
    formula: "\
since 1.33:   1 − down ≤ ratio  and  ratio ≤ 1 + up     both ends inside
up to 1.32:   |1 − ratio| ≤ tolerance                   both ends inside
within:       the replicas stay as they are",
    remarks: &[
        "It is computed in doubles, so the two forms differ at the very edge: 1 − 1.1 is -0.10000000000000009.",
        "With a target in percent the ratio moves in steps of 1 % ÷ target, because the utilization is a whole percentage.",
        "From 0 replicas (an Object or External metric of type Value) the tolerance is not asked.",
        "With missing or unready pods the first ratio is not compared at all: the second one is \
         ([second-look](second-look.md)).",
    ],
    picture: || {
        let rows: Vec<Vec<String>> = [("use", 0_u32), ("1.32", 32), ("1.36", 36)]
            .into_iter()
            .map(|(label, minor)| {
                let mut row = vec![label.to_owned()];
                row.extend((40..=60).step_by(1).map(|percent: i32| {
                    if minor == 0 {
                        return if percent % 5 == 0 {
                            percent.to_string()
                        } else {
                            String::new()
                        };
                    }
                    let trace = at(percent, minor).decide();
                    let asked = asks(&trace).parse().unwrap_or(0);
                    match asked.cmp(&10) {
                        std::cmp::Ordering::Less => "▼",
                        std::cmp::Ordering::Equal => "=",
                        std::cmp::Ordering::Greater => "▲",
                    }
                    .to_owned()
                }));
                row
            })
            .collect();
        let mut out = picture::grid(&rows);
        out.push_str(
            "\nuse: percent of requests, target 50 %, 10 pods   ▼ fewer  = stays  ▲ more\n",
        );
        out
    },
    worked: || {
        let rows = [40, 44, 45, 46, 50, 54, 55, 56, 60].map(|use_of_each| {
            let old = at(use_of_each, 32).decide();
            let new = at(use_of_each, 36).decide();
            let ratio = tolerance_check(&new).map_or(0.0, |check| check.usage_ratio);
            [
                format!("{} %", percent(&new)),
                short(ratio),
                asks(&old),
                asks(&new),
            ]
        });
        format!(
            "10 ready pods, target 50 %, tolerance 0.1:\n\n{}",
            table(
                [
                    "utilization",
                    "ratio",
                    "asks for in 1.32",
                    "asks for in 1.36"
                ],
                rows
            )
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.tolerance_interval_form),
            text: "the interval form instead of the distance from 1; a ratio of exactly 1.1 is inside.",
            numbers: Some(|minor| {
                format!(
                    "55 % of 50 % with 10 pods asks for {}",
                    asks(&at(55, minor).decide())
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.per_hpa_tolerance),
            text: "`tolerance` in `behavior` counts, for each direction on its own \
                   ([tolerance-of-hpa](tolerance-of-hpa.md)).",
            numbers: Some(|minor| {
                let asked = asks(&at(53, minor).up(tolerance("0.05")).decide());
                format!("53 % of 50 % with `scaleUp.tolerance: 0.05` asks for {asked}")
            }),
        },
    ],
    beliefs: &[
        (
            "10 % tolerance means 10 percentage points.",
            "It is 10 % of the target: with a target of 50 % it reaches from 45 % to 55 %.",
        ),
        (
            "Outside the tolerance the HPA corrects only what lies beyond it.",
            "It goes all the way to the target: 56 % of 50 % with 10 pods asks for 12, not for 11.",
        ),
        (
            "A small workload follows its load down to the last pod.",
            "Rounding up keeps it: 2 pods at 60 % of their target ask for ceil(0.6 × 2), which is 2.",
        ),
    ],
    shown: Shown::Own(|| at(54, 36)),
    rules: &[
        ("HPA321", "tolerance-scale"),
        ("HPA322", "tolerance-zero"),
        ("HPA323", "tolerance-below-step"),
        ("HPA324", "tolerance-large-fleet"),
        ("HPA225", "coarse-percent-step"),
        ("HPA115", "single-extra-pod"),
    ],
};

/// 10 ready pods at so many percent of a target of 50.
fn at(percent: i32, minor: u32) -> Case {
    case(10)
        .under(minor)
        .cpu(50)
        .ready(10, &format!("{percent}m"))
}
