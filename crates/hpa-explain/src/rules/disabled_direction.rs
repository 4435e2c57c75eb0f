//! `selectPolicy: Disabled` in the direction of the metrics.

use hpa_analysis::AlterationKind;
use hpa_engine::model::Direction;

use super::{RuleWords, policy};
use crate::{Action, ExplainContext};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("selectPolicy is Disabled"),
    reason: |numbers| {
        numbers.asking(if numbers.proposal < numbers.current {
            "scale-down is off"
        } else {
            "scale-up is off"
        })
    },
    short: |cx, action| {
        let is_down = cx.facts.proposal() < cx.facts.current();
        let words = if is_down {
            "scale-down is off"
        } else {
            "scale-up is off"
        };
        (action == Action::Hold).then(|| words.into())
    },
    sentences: |cx, _| sentences(cx),
    recovers: |_| false,
    what_ifs: &[
        AlterationKind::SelectPolicy(Direction::Up),
        AlterationKind::SelectPolicy(Direction::Down),
    ],
    ..policy::DOWN
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let proposal = cx.facts.proposal().unwrap_or_default();
    let is_down = cx.facts.current().is_some_and(|current| proposal < current);
    let side = if is_down { "scaleDown" } else { "scaleUp" };
    let way = if is_down { "down" } else { "up" };
    vec![
        format!(
            "{}, but {side}.selectPolicy is Disabled, so no metric scales it {way}.",
            cx.proposal_text()
        ),
        "Only minReplicas and maxReplicas still change the replicas.".to_owned(),
    ]
}
