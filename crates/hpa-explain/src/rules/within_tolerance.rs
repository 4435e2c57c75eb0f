//! The metric is within tolerance.

use hpa_analysis::AlterationKind;
use hpa_engine::{engine::AfterMetrics, trace::ProposalRule};
use hpa_words::amount::fraction_as_percent;

use super::{RuleWords, are_all_counted, metric};
use crate::{
    ExplainContext, StepKind,
    context::downstream::generations,
    next::{down_in_words, up_in_words},
    situation::Situation,
};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("within tolerance"),
    sentences,
    recovers: are_all_counted,
    why_nothing: |_| "the replicas fit the load",
    advice: |_| None,
    before_command: |_| None,
    steps: |_| {
        &[
            (StepKind::Adjustment, true),
            (StepKind::Tolerance, true),
            (StepKind::Proposal, true),
        ]
    },
    what_ifs: &[AlterationKind::WinningMetrics, AlterationKind::Tolerance],
    ..metric::WORDS
};

fn sentences(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return Vec::new();
    };
    let is_at = winner.is_at();
    let current = cx.facts.current().unwrap_or_default();
    let kept_status = matches!(
        winner.proposal.map(|proposal| proposal.rule),
        Some(ProposalRule::KeepStatusReplicas)
    );
    if kept_status && winner.replicas() != Some(current) {
        let status = winner.replicas().unwrap_or_default();
        if generations::are_several(cx) && current < status {
            return vec![
                format!("{is_at}: within tolerance."),
                format!(
                    "A rollout is running, and for an average per replica the HPA then takes status.replicas, which \
                     is {status} with the pods of both versions; spec.replicas is {current}."
                ),
            ];
        }
        return vec![
            format!("{is_at}: within tolerance."),
            format!(
                "For an average per replica the HPA then takes status.replicas, which is {status} while spec.replicas \
                 is {current}."
            ),
        ];
    }
    let tolerance = winner.ratio.map_or_else(String::new, |ratio| {
        let (up, down) = AfterMetrics::of(cx.facts.observation).tolerances();
        let side = if ratio.usage_ratio < 1.0 { down } else { up };
        format!(" of {}", fraction_as_percent(side.value))
    });
    let mut sentences = vec![format!(
        "{is_at}: within the tolerance{tolerance}, no change."
    )];
    sentences.extend(cx.others().map(|others| format!("{others}.")));
    if situation.is_none() {
        sentences.extend(change_in_words(cx));
    }
    sentences
}

/// `It scales up to 6 at 67% or more, and down to 4 at 48% or less for 5 min.`
pub(super) fn change_in_words(cx: &ExplainContext<'_>) -> Option<String> {
    if cx.facts.metrics.len() != 1 {
        return None;
    }
    let up = up_in_words(cx).map(|at| format!("up {at}"));
    let down = down_in_words(cx).map(|at| format!("down {at}"));
    match (up, down) {
        (Some(up), Some(down)) => Some(format!("It scales {up}, and {down}.")),
        (Some(one), None) | (None, Some(one)) => Some(format!("It scales {one}.")),
        (None, None) => None,
    }
}
