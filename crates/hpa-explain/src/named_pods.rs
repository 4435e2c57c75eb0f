//! Which pods the answer names, so that no note repeats them.

use hpa_engine::{
    model::Pod,
    trace::{PodClass, PodReason},
};

use crate::{Decider, ExplainContext, MetricFacts, not_counted::uncounted, pods::pending_pods};

/// What the answer says about pods that are not counted.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedPods<'a> {
    /// Whether it says that pods are not ready.
    pub(super) are_unready: bool,
    /// Why pods wait, as the scheduler or the kubelet reports it.
    pub(super) waiting: Vec<&'a str>,
}

impl<'a> NamedPods<'a> {
    /// The pods in the answer of this page.
    pub(super) fn of(cx: &'a ExplainContext<'a>) -> Self {
        if has_other_number(cx) {
            return Self::default();
        }
        match cx.rule.decider() {
            Decider::Rounding | Decider::UncountedPods => Self::of_second_pass(cx),
            Decider::Metric => Self {
                are_unready: cx.facts.winner().is_some_and(counts_back_unready),
                waiting: Vec::new(),
            },
            Decider::Max => Self {
                are_unready: false,
                waiting: pending_pods(&cx.facts)
                    .into_iter()
                    .find_map(why)
                    .into_iter()
                    .collect(),
            },
            _ => Self::default(),
        }
    }

    /// The pods that are added back, and those to check.
    fn of_second_pass(cx: &'a ExplainContext<'a>) -> Self {
        let winner = cx.facts.winner();
        let Some((winner, groups)) = winner.and_then(|winner| Some((winner, winner.groups?)))
        else {
            return Self::default();
        };
        if !counts_back(winner) {
            return Self::default();
        }
        let firsts = uncounted(&cx.facts, groups)
            .into_iter()
            .filter_map(|group| group.first().copied());
        let firsts: Vec<_> = firsts.collect();
        let is_unready = |reason| {
            matches!(
                reason,
                PodReason::NeverReady | PodReason::NotReadyInInitialization
            )
        };
        Self {
            are_unready: counts_back_unready(winner)
                || firsts.iter().any(|(one, _)| is_unready(one.reason)),
            waiting: firsts.iter().filter_map(|(_, pod)| why(pod)).collect(),
        }
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

fn why(pod: &Pod) -> Option<&str> {
    Some(pod.waiting.as_deref()?.trim_end_matches('.'))
}
