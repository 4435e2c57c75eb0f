//! One number from several metrics.

use crate::{
    learn::{
        case::{Case, average, case},
        example::{choice, condition, replicas, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    trace::{Choice, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[CHOOSE_PROPOSAL];

const CHOOSE_PROPOSAL: Topic = Topic {
    id: "choose-proposal",
    title: "The largest proposal wins",
    answers: "Which of the metrics decides, and what if one of them fails?",
    chapter: Chapter::Choice,
    functions: &[Upstream::horizontal("computeReplicasForMetrics")],
    part_of: &[],
    inputs: &[
        input(
            "proposals",
            "replicas, or an error, for each metric",
            "[metric-proposal](metric-proposal.md)",
        ),
        input("current", "replicas", "[read-scale](read-scale.md)"),
    ],
    formula: "\
all metrics failed                             nothing is scaled
some failed, and max(proposals) < current      nothing is scaled
otherwise                                      max(proposals)",
    remarks: &[
        "So one broken metric blocks scaling down, and only that: the working ones still scale up.",
        "The comparison is with the replicas before window and limits.",
        "Where two ask for the same the first one is named; while the largest is 0, the last one.",
        "The condition ScalingActive names the first failing metric; each failing one has an event of its own.",
        "The name of the winner is in the event of a scale-up (`… above target`), and `All metrics below target` in that of \
         a scale-down.",
    ],
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
        let cases: [(&str, Case); 5] = [
            ("8, 3 and 5", three(8, 3, 5)),
            ("8, and one that fails", case(6).asking(8).broken_external()),
            ("6, and one that fails", case(6).asking(6).broken_external()),
            ("3, and one that fails", case(6).asking(3).broken_external()),
            ("only one that fails", case(6).broken_external()),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            let verdict = choice(&trace).map_or("", |choice| match choice.choice {
                Choice::AllInvalid => "all failed",
                Choice::RefusedScaleDown => "refused",
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
                [
                    "proposals",
                    "choice",
                    "replicas afterwards",
                    "ScalingActive"
                ],
                rows
            )
        )
    },
    differences: &[Difference {
        since: Since::Minor(27),
        text: "where some metrics fail and the rest decides, the error goes into the controller's log and metrics as well.",
        numbers: None,
    }],
    beliefs: &[
        (
            "Several metrics are averaged, or all have to agree.",
            "The largest proposal counts; for a scale-down all have to ask for less.",
        ),
        (
            "A broken metric is skipped.",
            "It is for scaling up; scaling down stops until it is repaired or removed.",
        ),
        (
            "If ScalingActive is False the HPA is dead.",
            "It is as good as that for now; the next pass tries again, and succeeds as soon as the metric can be read.",
        ),
    ],
    shown: Shown::Own(|| case(6).asking(3).broken_external()),
    rules: &[
        ("HPA218", "single-adapter-dependency"),
        ("HPA219", "mixed-metrics-freeze"),
        ("HPA216", "duplicate-metric"),
        ("HPA228", "metric-order-drift"),
        ("HPA702", "metric-not-served"),
    ],
};

fn three(first: i32, second: i32, third: i32) -> Case {
    let text = [first, second, third].map(|asked| asked.to_string());
    let mut case = case(6);
    for asked in &text {
        case = case.external(average("1"), &[asked]);
    }
    case
}
