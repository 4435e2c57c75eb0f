//! Whether the answer names pods that are not ready, so that no note repeats them.

use hpa_engine::trace::{PodClass, PodReason};

use crate::{Decider, ExplainContext, MetricFacts, not_counted::uncounted};

/// Whether the answer says that pods are not ready.
pub(super) fn are_unready_named(cx: &ExplainContext<'_>) -> bool {
    if has_other_number(cx) {
        return false;
    }
    let Some(winner) = cx.facts.winner() else {
        return false;
    };
    match cx.rule.decider() {
        Decider::Metric => counts_back_unready(winner),
        Decider::Rounding | Decider::UncountedPods => {
            let groups = winner.groups.filter(|_| counts_back(winner));
            let uncounted = groups.map(|groups| uncounted(&cx.facts, groups));
            let firsts = uncounted.iter().flatten();
            let mut firsts = firsts.filter_map(|group| group.first());
            let is_unready = |reason| {
                matches!(
                    reason,
                    PodReason::NeverReady | PodReason::NotReadyInInitialization
                )
            };
            counts_back_unready(winner) || firsts.any(|(one, _)| is_unready(one.reason))
        }
        _ => false,
    }
}

/// Whether the answer starts with the pods that were added back.
pub(super) fn counts_back(winner: &MetricFacts<'_>) -> bool {
    winner.adjustment.is_some() && winner.add_back.is_some_and(|step| !step.added.is_empty())
}

fn counts_back_unready(winner: &MetricFacts<'_>) -> bool {
    let is_unready = |step: &hpa_engine::trace::AddBackPods| {
        step.added
            .iter()
            .any(|added| added.class == PodClass::Unready)
    };
    counts_back(winner) && winner.add_back.is_some_and(is_unready)
}

/// Whether the answer is about the desired replicas that the controller wrote instead.
fn has_other_number(cx: &ExplainContext<'_>) -> bool {
    cx.contradiction().is_some()
}
