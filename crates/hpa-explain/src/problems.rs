//! The problems around a decision, by what matters most, and what else qualifies it.

use crate::{
    Decider, ExplainContext,
    context::{
        autoscalers::{keda, progressive, vertical},
        downstream::{generations, missing, ordered, unscheduled},
        external, history,
        pods::{groups, memory, others, percentages, starting},
        reconciling, writers,
    },
    situation::Situation,
};

/// The problem that matters most.
///
/// Pods that fail lead by themselves, and nothing leads where the controller cannot decide at all.
pub(super) fn problem(cx: &ExplainContext<'_>) -> Option<Situation> {
    if let Some(situation) = reconciling::situation(cx) {
        return Some(situation);
    }
    // Another writer undoes a rescale whether or not a metric asks for it.
    if let Some(situation) = writers::situation(cx) {
        return Some(situation);
    }
    let situations = [
        // New pods do not start.
        ordered::situation,
        missing::situation,
        unscheduled::situation,
        // The HPA can never act.
        percentages::situation,
        // It acts wrongly now, or another writer acts against it.
        writers::recent,
        others::situation,
        history::situation,
        groups::situation,
        // Its numbers are distorted.
        external::replaced,
        memory::target_in_bytes,
        external::beyond_count,
        memory::idle,
        vertical::situation,
        starting::situation,
    ];
    first(cx, &situations)
}

/// Whether more replicas than now would not help: pods that are wanted do not exist, or the metric would ask for more with
/// any number of them.
pub(super) fn is_more_useless(cx: &ExplainContext<'_>) -> bool {
    missing::missing(cx).is_some()
        || groups::PodGroups::of(cx).is_some()
        || memory::idle_above_target(cx).is_some()
        || first(
            cx,
            &[
                external::replaced,
                memory::target_in_bytes,
                external::beyond_count,
            ],
        )
        .is_some()
}

/// What qualifies the decision where there is no problem. `watch` asks for problems alone: these take longer to find out.
pub(super) fn qualification(cx: &ExplainContext<'_>) -> Option<Situation> {
    let situations = [
        external::value_times_pods,
        external::negative,
        external::added_up,
        progressive::situation,
        generations::situation,
        keda::situation,
    ];
    first(cx, &situations)
}

fn first(
    cx: &ExplainContext<'_>,
    situations: &[fn(&ExplainContext<'_>) -> Option<Situation>],
) -> Option<Situation> {
    // Without metrics that were read, none of them has a say.
    if matches!(cx.rule.decider(), Decider::FailedMetric | Decider::NoMetric) {
        return None;
    }
    situations.iter().find_map(|situation| situation(cx))
}
