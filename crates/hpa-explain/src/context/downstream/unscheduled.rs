//! Pods that wait for a node, and what the HPA can do about it: nothing.

use hpa_diagnosis::{
    effect::Effect,
    pods_not_running::{SCHEDULING_TAKES, unscheduled},
};
use hpa_engine::model::Pod;
use hpa_words::amount::count;

use crate::{
    Decider, ExplainContext,
    command::describe_pod,
    pods::{lacks_nodes, pending, pending_pods},
    situation::{Place, Situation, within_a_cell},
};

/// Situation: wanted pods have no node, and the metrics ask for more pods than run.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    // At `maxReplicas`, and where pods that are not ready decide, the decision names them.
    if matches!(cx.rule.decider(), Decider::Max | Decider::UncountedPods) {
        return None;
    }
    let facts = &cx.facts;
    let pending_pods = without_node(cx);
    let late = unscheduled(
        facts.observation,
        cx.context,
        cx.clock.now,
        SCHEDULING_TAKES,
    );
    if !lacks_nodes(facts) && late.is_none() {
        return None;
    }
    let running = facts
        .current()?
        .saturating_sub(i32::try_from(pending_pods.len()).unwrap_or(i32::MAX));
    if facts.proposal()? <= running {
        return None;
    }
    let first = pending_pods.first()?;
    Some(Situation {
        place: Place::Before,
        words: Some(within_a_cell(
            format!("{} Pending", count(pending_pods.len(), "pod")),
            || "pods Pending".to_owned(),
        )),
        sentences: vec![
            format!("{}.", pending(facts)?),
            if lacks_nodes(facts) {
                "Add node capacity: the HPA has done its part.".to_owned()
            } else {
                "Find out why they get no node: the HPA has done its part.".to_owned()
            },
        ],
        command: Some(describe_pod(cx, &first.name)),
    })
}

/// The pods that have no node are lacking.
pub(crate) fn effect(cx: &ExplainContext<'_>) -> Option<Effect> {
    Effect::lacking(i32::try_from(without_node(cx).len()).unwrap_or(i32::MAX))
}

fn without_node<'a>(cx: &ExplainContext<'a>) -> Vec<&'a Pod> {
    let mut pods = pending_pods(&cx.facts);
    pods.retain(|pod| !pod.has_node());
    pods
}
