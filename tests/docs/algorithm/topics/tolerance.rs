//! Whether a ratio is far enough from 1 to act on.

use crate::algorithm::{
    case::{case, ready},
    computed::{Computed, Difference, Displayed, Since},
    example::{percent, proposal, short, table, tolerance_check},
    picture,
};
use hpa_testing::{World, up};

pub(super) static TOPICS: &[Computed] = &[TOLERANCE];

const TOLERANCE: Computed = Computed {
    id: "tolerance",
    picture: || {
        let rows: Vec<Vec<String>> = [("CPU", 0_u32), ("1.32", 32), ("1.36", 36)]
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
                    let proposal = proposal(&trace).parse().unwrap_or(0);
                    match proposal.cmp(&10) {
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
        out.push_str("\nCPU: utilization, target 50%, 10 pods   ▼ fewer  = stays  ▲ more\n");
        out
    },
    worked: || {
        let rows = [40, 44, 45, 46, 50, 54, 55, 56, 60].map(|use_of_each| {
            let old = at(use_of_each, 32).decide();
            let new = at(use_of_each, 36).decide();
            let ratio = tolerance_check(&new).map_or(0.0, |check| check.usage_ratio);
            [
                format!("{}%", percent(&new)),
                short(ratio),
                proposal(&old),
                proposal(&new),
            ]
        });
        format!(
            "10 ready pods, target 50%, tolerance 0.1:\n\n{}",
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
            numbers: Some(|minor| {
                format!(
                    "10 pods at 55% (target 50%) ask for {}",
                    proposal(&at(55, minor).decide())
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.per_hpa_tolerance),
            numbers: Some(|minor| {
                let proposal = proposal(&at(53, minor).behavior(up().tolerance("0.05")).decide());
                format!(
                    "10 pods at 53% (target 50%) with `scaleUp.tolerance: 0.05` ask for {proposal}"
                )
            }),
        },
    ],
    displayed: Displayed::Own(|| at(54, 36)),
};

/// 10 ready pods at this percentage, with a target of 50.
fn at(percent: i32, minor: u32) -> World {
    case(10)
        .kube(minor)
        .cpu(50)
        .pods(ready(10, &format!("{percent}m")))
}
