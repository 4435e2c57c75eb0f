//! One recommendation from several metrics.

use hpa_engine::trace::Choice;
use hpa_testing::{World, average};

use crate::algorithm::{
    case::case,
    computed::{Computed, Difference, Displayed, Since},
    example::{choice, condition, replicas, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[CHOOSE_PROPOSAL];

const CHOOSE_PROPOSAL: Computed = Computed {
    id: "choose-proposal",
    picture: || {
        let case = three(8, 3, 5);
        let trace = case.decide();
        let proposals = choice(&trace)
            .map(|choice| choice.proposals.clone())
            .unwrap_or_default();
        let winner = choice(&trace).and_then(|choice| choice.winner);
        let rows: Vec<(String, i64, String)> = proposals
            .iter()
            .enumerate()
            .map(|(index, proposal)| {
                let proposal = proposal.unwrap_or_default();
                let mark = if winner == Some(index) {
                    format!("{proposal}  ◀ wins")
                } else {
                    proposal.to_string()
                };
                (format!("metric {}", index + 1), proposal.into(), mark)
            })
            .collect();
        picture::bars(&rows)
    },
    worked: || {
        let cases: [(&str, World); 5] = [
            ("8, 3 and 5", three(8, 3, 5)),
            (
                "8, and one metric fails",
                case(6).proposing(8).broken_external(),
            ),
            (
                "6, and one metric fails",
                case(6).proposing(6).broken_external(),
            ),
            (
                "3, and one metric fails",
                case(6).proposing(3).broken_external(),
            ),
            ("the only metric fails", case(6).broken_external()),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            let verdict = choice(&trace).map_or("", |choice| match choice.choice {
                Choice::AllInvalid => "all fail",
                Choice::RefusedScaleDown => "no scaling down",
                Choice::Winner => "the largest",
            });
            [
                what.to_owned(),
                verdict.to_owned(),
                replicas(&trace).to_string(),
                condition(&trace, "ScalingActive"),
            ]
        });
        format!(
            "6 replicas; the metrics ask for:\n\n{}",
            table(
                ["recommendations", "result", "new replicas", "ScalingActive"],
                rows
            )
        )
    },
    differences: &[Difference {
        since: Since::Minor(27),
        numbers: None,
    }],
    displayed: Displayed::Own(|| case(6).proposing(3).broken_external()),
};

fn three(first: i32, second: i32, third: i32) -> World {
    let text = [first, second, third].map(|proposal| proposal.to_string());
    let mut case = case(6);
    for proposal in &text {
        case = case.external(average("1")).series(&[proposal]);
    }
    case
}
