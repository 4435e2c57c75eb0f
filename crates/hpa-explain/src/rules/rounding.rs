//! The result rounds up to the current replicas.

use hpa_engine::trace::ProposalRule;
use hpa_words::amount::{before_rounding, count, ratio, replicas};

use super::{
    RuleWords, are_all_counted,
    metric::{self, highest_of_several},
};
use crate::{
    Action, ExplainContext,
    named_pods::counts_back,
    not_counted::{of_uncounted, show_at},
    rules::{
        second_pass::{counted_back, with_them},
        within_tolerance::change_in_words,
    },
    situation::Situation,
};

pub(super) const WORDS: RuleWords = RuleWords {
    reason: |numbers| numbers.proposed().unwrap_or_else(|| "rounding".to_owned()),
    short: |cx, action| {
        let current = cx
            .facts
            .current()
            .map_or_else(|| "the same".to_owned(), |now| now.to_string());
        (action == Action::Hold).then(|| format!("rounds to {current}").into())
    },
    sentences,
    recovers: are_all_counted,
    command: |cx| of_uncounted(cx).filter(|_| cx.facts.winner().is_some_and(counts_back)),
    ..metric::WORDS
};

fn sentences(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return Vec::new();
    };
    let current = cx.facts.current().unwrap_or_default();
    let how = match winner.proposal.map(|proposal| proposal.rule) {
        Some(ProposalRule::CeilRatioTimesReady { usage_ratio, ready }) => {
            product(usage_ratio, ready, current)
        }
        Some(ProposalRule::CeilAdjustedRatioTimesPods {
            adjusted_usage_ratio,
            pods,
        }) => product(adjusted_usage_ratio, pods, current),
        _ => format!(
            "that asks for {}, which spec.replicas already is",
            replicas(current)
        ),
    };
    let counted_back = counted_back(winner);
    let to_check = winner.groups.filter(|_| counted_back.is_some());
    let mut sentences = match counted_back {
        Some(counted_back) => vec![format!("{counted_back}: {}. {how}.", with_them(winner))],
        None => vec![format!("{}: {how}.", winner.is_at())],
    };
    sentences.extend(highest_of_several(cx));
    if let Some(groups) = to_check {
        sentences.extend(show_at(&cx.facts, groups, cx.clock));
    } else if situation.is_none() {
        sentences.extend(change_in_words(cx));
    }
    sentences
}

/// `0.79 × 2 pods = 1.6, which rounds up to 2, the current replicas`.
fn product(usage_ratio: f64, pods: usize, current: i32) -> String {
    #[expect(clippy::cast_precision_loss, reason = "for display only")]
    let product = before_rounding(usage_ratio * pods as f64, current);
    let rounds = product.map_or_else(String::new, |product| {
        format!("{product}, which rounds up to ")
    });
    format!(
        "{} × {} = {rounds}{current}, the current replicas",
        ratio(usage_ratio, &[]),
        count(pods, "pod")
    )
}
