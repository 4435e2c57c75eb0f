//! A metric decides, and nothing limits it.

use hpa_analysis::AlterationKind;
use hpa_engine::model::Direction;
use hpa_engine::trace::{ProposalRule, RatioFormula, StabilizePath};
use hpa_words::{
    amount::{fraction_as_percent, ratio, replicas},
    clock::duration,
};

use super::{NOT_SCALING, RuleWords, are_all_counted};
use crate::{
    ExplainContext, MetricFacts, StepKind, context::downstream::generations,
    rules::second_pass::counted_back, steps_ahead::next_steps,
};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: None,
    needed_first: None,
    failed: NOT_SCALING,
    label: |_| "within_tolerance",
    short: |_, _| None,
    sentences: |cx, _| sentences(cx),
    recovers: |cx| {
        // The pods of a rollout are not ready for a while.
        is_below_target_in_status_only(cx) || are_all_counted(cx)
    },
    why_nothing: |_| "the HPA does it at its next sync",
    advice: |_| None,
    command: |_| None,
    before_command: |_| None,
    steps: |is_single| {
        if is_single {
            &[(StepKind::Proposal, true)]
        } else {
            &[(StepKind::Choice, false)]
        }
    },
    what_ifs: &[AlterationKind::WinningMetrics],
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
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
    let above = || above_by_status(cx, winner).filter(|_| counted_back(winner).is_none());
    let first = above().unwrap_or_else(|| demanded(winner, is_down));
    let mut sentences = vec![first];
    sentences.extend(own_tolerance(cx, winner, is_down));
    sentences.extend(window.map(|window| format!("Nothing asked for more in the last {window}.")));
    sentences.extend(highest_of_several(cx));
    sentences.extend(next_steps(cx));
    sentences
}

/// What a metric asks for, and why it is less than there is if its value is above the target.
fn demanded(winner: &MetricFacts<'_>, is_down: bool) -> String {
    let demand = winner.demand().unwrap_or_else(|| winner.is_at());
    let is_above = winner.ratio.is_some_and(|ratio| 1.0 < ratio.usage_ratio);
    let is_multiplied = winner.ready.is_some_and(|step| step.ready < step.selected);
    if is_down && is_above && is_multiplied {
        return format!(
            "{demand}: it scales down above its target, because a Value target counts only ready pods."
        );
    }
    format!("{demand}.")
}

/// `scaleUp.tolerance is 0, so 4% above the target are enough.`, where the default would keep the replicas.
fn own_tolerance(
    cx: &ExplainContext<'_>,
    winner: &MetricFacts<'_>,
    is_down: bool,
) -> Option<String> {
    let ratio = winner.tolerance?.usage_ratio;
    let (direction, field, side) = if is_down {
        (Direction::Down, "scaleDown.tolerance", "below")
    } else {
        (Direction::Up, "scaleUp.tolerance", "above")
    };
    let default = cx.facts.observation.controller.tolerance.value;
    let rules = cx.facts.observation.hpa.spec.rules(direction)?;
    let tolerance = rules.tolerance.as_ref()?;
    let distance = (ratio - 1.0).abs();
    (distance <= default).then(|| {
        let by = fraction_as_percent((distance * 100.0).round() / 100.0);
        format!("{field} is {tolerance}, so {by} {side} the target is enough.")
    })
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
