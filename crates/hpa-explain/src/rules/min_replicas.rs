//! `minReplicas` limits the replicas.

use super::{RuleWords, are_all_counted, max_replicas};
use crate::{Action, ExplainContext};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("minReplicas"),
    label: |_| "at_min",
    short: |_, action| match action {
        Action::Hold => Some("at min".into()),
        Action::ScaleDown => Some("down to min".into()),
        Action::ScaleUp => Some("up to min".into()),
        _ => None,
    },
    sentences: |cx, _| sentences(cx),
    recovers: are_all_counted,
    why_nothing: |cx| {
        if cx.facts.min() == cx.facts.max() {
            "the ready pods meet this load"
        } else {
            "the load needs no more than minReplicas"
        }
    },
    advice: |_| None,
    command: |_| None,
    what_ifs: &[],
    ..max_replicas::WORDS
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let facts = &cx.facts;
    let (min, current) = (facts.min(), facts.current().unwrap_or_default());
    let proposal = cx.demand();
    if min < current {
        return vec![format!(
            "{proposal}, but minReplicas stops the scale-down at {min}."
        )];
    }
    if min == facts.max() {
        return vec![format!(
            "minReplicas and maxReplicas are both {min}, so the HPA never scales: {proposal}."
        )];
    }
    let is_idle = are_all_counted(cx);
    let normal =
        "Normal for an idle workload: ScalingLimited=True (TooFewReplicas) is not an error here.";
    [
        Some(format!("At minReplicas {min}: {proposal}.")),
        is_idle.then(|| normal.to_owned()),
    ]
    .into_iter()
    .flatten()
    .collect()
}
