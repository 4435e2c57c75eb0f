//! Whether the controller reads metrics, and of which pods.

use hpa_engine::trace::{BoundsBranch, SelectorVerdict, Step, Trace};
use hpa_testing::{World, average, down};

use crate::algorithm::{
    case::{case, pod},
    computed::{Computed, Difference, Displayed, Since},
    example::{bounds, condition, outcomes, replicas, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[BOUNDS, ZERO_REPLICAS, SELECTOR, AMBIGUOUS_SELECTOR];

const BOUNDS: Computed = Computed {
    id: "bounds",
    picture: || {
        let mut rows = vec![
            vec!["replicas".to_owned()],
            vec!["decides".to_owned()],
            vec!["new replicas".to_owned()],
        ];
        for current in [0, 1, 2, 5, 10, 11, 30] {
            let trace = bounded(current).decide();
            let branch = bounds(&trace).map(|bounds| bounds.branch);
            rows[0].push(current.to_string());
            rows[1].push(
                match branch {
                    Some(BoundsBranch::AboveMax) => "max",
                    Some(BoundsBranch::BelowMin) => "min",
                    Some(BoundsBranch::Disabled(_)) => "off",
                    Some(BoundsBranch::Metrics) => "metric",
                    None => "",
                }
                .to_owned(),
            );
            rows[2].push(replicas(&trace).to_string());
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nminReplicas 2, maxReplicas 10, the metric asks for 4\n");
        out
    },
    worked: || {
        let slow = || down().pods(1, 60);
        outcomes(
            "maxReplicas 10; the scaleDown policy allows 1 pod per minute",
            [
                ("30 replicas, scaled manually", bounded(30).behavior(slow())),
                (
                    "10 replicas, the metric asks for 4",
                    bounded(10).behavior(slow()),
                ),
                ("1 replica, minReplicas 2", bounded(1)),
            ],
        )
    },
    differences: &[],
    displayed: Displayed::Own(|| bounded(30)),
};

const ZERO_REPLICAS: Computed = Computed {
    id: "zero-replicas",
    picture: || {
        let head = ["minReplicas", "ScaledToZero", "1.35", "1.36", "1.37"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for (min, condition) in [(1, None), (0, None), (0, Some("True")), (1, Some("True"))] {
            let mut row = vec![min.to_string(), condition.unwrap_or("absent").to_owned()];
            for minor in [35, 36, 37] {
                let trace = at_zero(min, condition).kube(minor).decide();
                let branch = bounds(&trace).map(|bounds| bounds.branch);
                row.push(match branch {
                    Some(BoundsBranch::Metrics) => format!("scales to {}", replicas(&trace)),
                    _ => "off".to_owned(),
                });
            }
            rows.push(row);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nan External metric that asks for 3, default feature gates\n");
        out
    },
    worked: || {
        let on = |case: World| case.gate("HPAScaleToZero", true);
        outcomes(
            "1.36 with the feature gate on, 0 replicas",
            [
                (
                    "minReplicas 0, ScaledToZero True, metric at 30, averageValue 10",
                    on(at_zero(0, Some("True"))),
                ),
                (
                    "the same without the condition: scaled to 0 manually",
                    on(at_zero(0, None)),
                ),
                (
                    "minReplicas raised to 2, ScaledToZero True, the metric asks for 0",
                    on(case(0)
                        .min(2)
                        .condition("ScaledToZero", "True", "ScaledToZero")
                        .external(average("10"))
                        .series(&["0"])),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.scaled_to_zero_condition),
            numbers: Some(|minor| {
                let trace = at_zero(0, None).kube(minor).decide();
                format!(
                    "minReplicas 0 without the condition leads to {}",
                    replicas(&trace)
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.scale_to_zero_gate),
            numbers: Some(|minor| {
                let trace = at_zero(0, Some("True")).kube(minor).decide();
                format!(
                    "minReplicas 0 with the condition leads to {}",
                    replicas(&trace)
                )
            }),
        },
    ],
    displayed: Displayed::Of("bounds", || at_zero(0, None)),
};

const SELECTOR: Computed = Computed {
    id: "selector",
    picture: || {
        let mut rows = vec![vec!["selector".to_owned(), "result".to_owned()]];
        for selector in [
            "app=web",
            "app in (web, api)",
            "app!=web",
            "tier",
            "",
            "app=web,,",
        ] {
            let trace = selected(selector).decide();
            rows.push(vec![
                if selector.is_empty() {
                    "(empty)".to_owned()
                } else {
                    selector.to_owned()
                },
                verdict(&trace),
            ]);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\n3 pods with the label app=web\n");
        out
    },
    worked: || {
        let rows = ["app=web", "", "app=web,,"].map(|selector| {
            let trace = selected(selector).decide();
            [
                format!("`{selector}`"),
                replicas(&trace).to_string(),
                condition(&trace, "ScalingActive"),
            ]
        });
        format!(
            "3 replicas, CPU at 90%, target 50%:\n\n{}",
            table(["selector", "new replicas", "ScalingActive"], rows)
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.ambiguous_selector),
        numbers: None,
    }],
    displayed: Displayed::Own(|| selected("app=web")),
};

const AMBIGUOUS_SELECTOR: Computed = Computed {
    id: "ambiguous-selector",
    picture: || {
        let mut rows = vec![vec!["another HPA selects".to_owned(), "result".to_owned()]];
        for other in ["app=api", "app", "app=web,tier=front"] {
            let trace = selected("app=web").other_hpa("other", other).decide();
            rows.push(vec![other.to_owned(), verdict(&trace)]);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nthis HPA selects app=web; its 3 pods have only that label\n");
        out
    },
    worked: || {
        outcomes(
            "3 replicas, CPU at 90%, target 50%; another HPA",
            [
                (
                    "selects app=api",
                    selected("app=web").other_hpa("api", "app=api"),
                ),
                (
                    "selects app=web",
                    selected("app=web").other_hpa("copy", "app=web"),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.ambiguous_selector),
            numbers: Some(|minor| {
                let trace = selected("app=web")
                    .other_hpa("copy", "app=web")
                    .kube(minor)
                    .decide();
                format!(
                    "two HPAs on 3 pods at 90% (target 50%) lead to {}",
                    replicas(&trace)
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.ambiguous_selector_names_two),
            numbers: None,
        },
    ],
    displayed: Displayed::Of("selector", || {
        selected("app=web").other_hpa("copy", "app=web")
    }),
};

fn bounded(current: i32) -> World {
    case(current).min(2).max(10).proposing(4)
}

fn at_zero(min: i32, scaled_to_zero: Option<&str>) -> World {
    let case = case(0).min(min).external(average("10")).series(&["30"]);
    match scaled_to_zero {
        Some(status) => case.condition("ScaledToZero", status, "ScaledToZero"),
        None => case,
    }
}

fn selected(selector: &str) -> World {
    case(3)
        .cpu(50)
        .pods(vec![pod().cpu("90m"); 3])
        .selector(selector)
}

fn verdict(trace: &Trace) -> String {
    let check = trace.steps.iter().find_map(|step| match step {
        Step::SelectorCheck(check) => Some(&check.verdict),
        _ => None,
    });
    match check {
        Some(SelectorVerdict::Ambiguous { hpas }) => format!("ambiguous: {}", hpas.join(", ")),
        Some(SelectorVerdict::Missing) => "no selector".to_owned(),
        Some(SelectorVerdict::Selects { pods }) => {
            format!("{} pods", pods.unwrap_or_default())
        }
        Some(SelectorVerdict::Unparsable(error)) => error.clone(),
        None => String::new(),
    }
}
