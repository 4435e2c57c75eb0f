//! A metric decides, and nothing limits it.

use hpa_analysis::AlterationKind;
use hpa_engine::trace::{ProposalRule, RatioFormula, StabilizePath};
use hpa_words::{
    amount::{count, ratio, replicas},
    clock::duration,
};

use super::{NOT_SCALING, RuleWords, are_all_counted};
use crate::{
    ExplainContext, MetricFacts, StepKind,
    context::downstream::generations,
    rules::second_pass::{counted_back, with_them},
    situation::Situation,
    steps_ahead::next_steps,
};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: None,
    needed_first: None,
    failed: NOT_SCALING,
    label: |_| "within_tolerance",
    reason: |numbers| numbers.proposed().unwrap_or_else(|| "metric".to_owned()),
    short: |_, _| None,
    sentences,
    recovers: |cx| {
        // The pods of a rollout are not ready for a while.
        is_below_target_in_status_only(cx) || are_all_counted(cx)
    },
    command: |_| None,
    before_command: None,
    steps: |is_single| {
        if is_single {
            &[(StepKind::Proposal, true)]
        } else {
            &[(StepKind::Choice, false)]
        }
    },
    what_ifs: &[AlterationKind::WinningMetrics],
};

fn sentences(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return vec!["No metric asks for anything.".to_owned()];
    };
    let proposal = cx.facts.proposal().unwrap_or_default();
    let current = cx.facts.current().unwrap_or_default();
    let is_down = proposal < current;
    let is_known = cx.range().is_none();
    let window = if is_down && is_known {
        down_window(cx)
    } else {
        None
    };
    let recommendation = replicas(proposal);
    let first = match counted_back(winner) {
        Some(counted_back) => format!(
            "{counted_back}: {}, which asks for {recommendation}.",
            with_them(winner)
        ),
        None => above_by_status(cx, winner)
            .unwrap_or_else(|| format!("{} and asks for {recommendation}.", winner.is_at())),
    };
    let mut sentences = vec![first];
    sentences.extend(window.map(|window| format!("Nothing asked for more in the last {window}.")));
    // If the answer names the rollout, it says so with its reason.
    let names_rollout =
        situation.is_some_and(|one| generations::situation(cx).as_ref() == Some(one));
    if !is_down
        && !names_rollout
        && let Some(ProposalRule::CeilRatioTimesReady { ready, .. }) =
            winner.proposal.map(|proposal| proposal.rule)
        && usize::try_from(current).is_ok_and(|current| current != ready)
    {
        sentences.push(format!(
            "The HPA multiplies by the {}, not by the {current} replicas.",
            count(ready, "ready pod")
        ));
    }
    sentences.extend(highest_of_several(cx));
    sentences.extend(next_steps(cx));
    sentences
}

/// Whether `kubectl get hpa` shows less than the target, while the metric asks for more.
pub(crate) fn is_below_target_in_status_only(cx: &ExplainContext<'_>) -> bool {
    cx.facts.winner().is_some_and(|winner| {
        counted_back(winner).is_none() && above_by_status(cx, winner).is_some()
    })
}

/// That the average is below the target while the metric asks for more: it divides by all pods that exist.
fn above_by_status(cx: &ExplainContext<'_>, winner: &MetricFacts<'_>) -> Option<String> {
    let ratio = winner.ratio?;
    let RatioFormula::AveragePerReplica {
        usage,
        target,
        status_replicas,
        average,
    } = ratio.formula
    else {
        return None;
    };
    let (current, proposal) = (cx.facts.current()?, cx.facts.proposal()?);
    let kept = winner.proposal.map(|one| one.rule) == Some(ProposalRule::KeepStatusReplicas);
    if proposal <= current || status_replicas <= current || target < average || kept {
        return None;
    }
    let unit = winner.unit();
    let why = if generations::are_several(cx) {
        " during the rollout"
    } else {
        ""
    };
    let subject = winner.subject();
    let target = unit.amount(target);
    let (low, high) = winner.tolerance?.band();
    Some(format!(
        "{subject} is {} in total, which at {target} per replica needs {}. kubectl get hpa shows {}, below the target, \
         only because it divides by the {status_replicas} pods that exist{why}; spec.replicas is still {current}. \
         The ratio of {} is outside the tolerance ({} to {}), which therefore does not keep {current}.",
        unit.amount(usage),
        replicas(proposal),
        winner.current_text()?,
        self::ratio(ratio.usage_ratio, &[low, high]),
        self::ratio(low, &[]),
        self::ratio(high, &[]),
    ))
}

/// The window in which nothing asked for more, as far as the recommendation history is known.
fn down_window(cx: &ExplainContext<'_>) -> Option<String> {
    let stabilize = cx.facts.stabilize?;
    let window = match stabilize.path {
        StabilizePath::NoBehavior { window } => window.value,
        StabilizePath::Behavior { down_window, .. } => down_window.value,
    };
    window.is_positive().then(|| duration(window))
}

/// `Memory asks for 3; the highest recommendation wins.`
pub(super) fn highest_of_several(cx: &ExplainContext<'_>) -> Option<String> {
    let others = cx.others()?;
    Some(format!("{others}; the highest recommendation wins."))
}
