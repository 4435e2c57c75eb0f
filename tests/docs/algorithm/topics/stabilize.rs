//! What the recommendation history allows.

use crate::algorithm::{
    case::case,
    computed::{Computed, Displayed},
    example::{condition, replicas, stabilized, table},
    picture,
};
use hpa_testing::{World, down, up};

pub(super) static TOPICS: &[Computed] = &[STABILIZE_RECOMMENDATION, STABILIZE_WITH_BEHAVIOR];

const STABILIZE_RECOMMENDATION: Computed = Computed {
    id: "stabilize-recommendation",
    picture: || {
        let mut case = spike();
        let mut points = Vec::new();
        let mut columns = Vec::new();
        for minute in 0..=8 {
            case.set_proposal(if minute == 1 { 9 } else { 3 });
            let trace = case.sync_and_wait(60);
            let proposal = stabilized(&trace).map_or(0, |step| step.recommendation);
            points.push((proposal, replicas(&trace)));
            columns.push(format!("{minute} min"));
        }
        let mut out = picture::chart(&points, &columns);
        out.push_str("\n○ recommendation   ● replicas (covers ○ if both are equal)\n");
        out
    },
    worked: || {
        let remembered: [(&str, &[(i32, &str)]); 5] = [
            ("empty", &[]),
            ("5, 60 s ago", &[(5, "60s")]),
            ("9, 299 s ago", &[(9, "299s")]),
            ("9, 300 s ago", &[(9, "300s")]),
            ("9, 301 s ago", &[(9, "301s")]),
        ];
        let rows = remembered.map(|(what, memory)| {
            let trace = case(9).proposing(3).remembering(memory).decide();
            let step = stabilized(&trace);
            [
                what.to_owned(),
                step.map_or_else(String::new, |step| step.stabilized.to_string()),
                step.map_or_else(String::new, |step| step.reason.as_str().to_owned()),
                replicas(&trace).to_string(),
            ]
        });
        let raised = case(4)
            .max(10)
            .proposing(4)
            .remembering(&[(9, "60s")])
            .decide();
        format!(
            "9 replicas, the metric asks for 3:\n\n{}\n\
             The window can also scale up. Example: 4 replicas, the metric asks for 4 now and asked for 9 a minute \
             ago. The result is {}, and ScalingLimited is {}.\n",
            table(
                [
                    "recommendation history",
                    "stabilized",
                    "AbleToScale",
                    "new replicas"
                ],
                rows
            ),
            replicas(&raised),
            condition(&raised, "ScalingLimited"),
        )
    },
    differences: &[],
    displayed: Displayed::Own(|| {
        case(9)
            .proposing(3)
            .remembering(&[(9, "200s"), (5, "100s")])
    }),
};

/// An HPA at 3 replicas whose metric asks for 3.
fn spike() -> World {
    case(3).max(10).proposing(3)
}

const STABILIZE_WITH_BEHAVIOR: Computed = Computed {
    id: "stabilize-with-behavior",
    picture: || {
        let mut case = case(5)
            .max(12)
            .proposing(5)
            .behavior(up().window(120))
            .behavior(down().window(300));
        let proposal = [5, 9, 9, 9, 9, 3, 3, 3, 3, 3, 3, 3];
        let mut points = Vec::new();
        let mut columns = Vec::new();
        for (minute, proposal) in proposal.into_iter().enumerate() {
            case.set_proposal(proposal);
            let trace = case.sync_and_wait(60);
            let proposal = stabilized(&trace).map_or(0, |step| step.recommendation);
            points.push((proposal, replicas(&trace)));
            columns.push(format!("{minute}"));
        }
        let mut out = picture::chart(&points, &columns);
        out.push_str("\nminutes; scaleUp 120 s, scaleDown 300 s   ○ recommendation   ● replicas\n");
        out
    },
    worked: || {
        let cases: [(&str, World); 5] = [
            (
                "8 now, 3 two minutes ago",
                case(5).proposing(8).remembering(&[(3, "120s")]),
            ),
            (
                "8 now, 7 two minutes ago",
                case(5).proposing(8).remembering(&[(7, "120s")]),
            ),
            (
                "3 now, 6 two minutes ago",
                case(5).proposing(3).remembering(&[(6, "120s")]),
            ),
            (
                "3 now, 4 two minutes ago",
                case(5).proposing(3).remembering(&[(4, "120s")]),
            ),
            ("3 now, no history", case(5).proposing(3)),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case
                .behavior(up().window(300))
                .behavior(down().window(300))
                .decide();
            let step = stabilized(&trace);
            [
                what.to_owned(),
                step.map_or_else(String::new, |step| step.stabilized.to_string()),
                step.map_or_else(String::new, |step| step.reason.as_str().to_owned()),
            ]
        });
        format!(
            "5 replicas, both windows 300 s:\n\n{}",
            table(["recommendations", "stabilized", "AbleToScale"], rows)
        )
    },
    differences: &[],
    displayed: Displayed::Own(|| {
        case(5)
            .proposing(8)
            .remembering(&[(3, "120s"), (9, "60s")])
            .behavior(up().window(300))
            .behavior(down().window(300))
    }),
};
