//! Pods that wait for a node, and what the HPA does about it: at most it adds others that wait.

use hpa_analysis::own_pods;
use hpa_diagnosis::{
    effect::Effect,
    pods_not_running::{SCHEDULING_TAKES, unscheduled},
};
use hpa_engine::{model::Pod, trace::Decision};
use hpa_words::amount::count;

use super::quotas::{Quotas, heading};
use crate::{
    Decider, ExplainContext,
    command::describe_pod,
    pods::{pending, pending_pods, waits_for_room},
    rules::invalid_metrics::is_none_ready,
    situation::{MeasuredProblem, Place, Situation, within_a_cell},
};

/// Problem: wanted pods have no node, and the metrics ask for more pods than run.
pub(crate) fn problem(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    // At `maxReplicas`, and where pods that are not ready decide, the decision names them.
    if matches!(cx.rule.decider(), Decider::Max | Decider::UncountedPods) {
        return None;
    }
    let facts = &cx.facts;
    let without_node = without_node(cx);
    let lacks_nodes = without_node.iter().any(|pod| waits_for_room(pod));
    let late = unscheduled(
        facts.observation,
        cx.context,
        cx.clock.now,
        SCHEDULING_TAKES,
    );
    if !lacks_nodes && late.is_none() {
        return None;
    }
    let first = without_node.first()?;
    let situation = Situation {
        place: Place::Before,
        words: Some(within_a_cell(
            format!("{} Pending", count(without_node.len(), "pod")),
            || "pods Pending".to_owned(),
        )),
        sentences: vec![format!("{}.", pending(facts)?), remedy(cx, lacks_nodes)],
        command: Some(describe_pod(cx, &first.name)),
    };
    situation.measured(effect(cx, without_node.len()))
}

/// `Add node capacity and raise quota few to pods=3: the pod that the HPA adds now will wait as well.`
fn remedy(cx: &ExplainContext<'_>, lacks_nodes: bool) -> String {
    let first = if lacks_nodes {
        "Add node capacity"
    } else {
        "Find out why they get no node"
    };
    let quotas = Quotas::of(cx);
    let allowed = quotas.as_ref().and_then(Quotas::tightest);
    let allowed = allowed.map_or(i32::MAX, |(_, allowed)| allowed);
    let raise = quotas.and_then(|quotas| quotas.raise_named(heading(cx)?));
    let second = raise.map_or_else(String::new, |raise| format!(" and {raise}"));
    let then = match cx.facts.trace.decision {
        _ if is_unmeasured(cx) => ": until a pod runs, there is nothing to measure".to_owned(),
        Decision::Rescale { from, to, .. } => match to.min(allowed) - from {
            ..=0 => String::new(),
            1 => ": the pod that the HPA adds now will wait as well".to_owned(),
            more => format!(": the {more} pods that the HPA adds now will wait as well"),
        },
        _ => String::new(),
    };
    format!("{first}{second}{then}.")
}

/// Whether a metric of the pods cannot be read, and none of them is ready.
fn is_unmeasured(cx: &ExplainContext<'_>) -> bool {
    let failed = cx.facts.failed();
    failed.iter().any(|metric| is_none_ready(cx, metric))
}

/// The pods that have no node are lacking, as far as the metrics ask for them; without any there may be no number.
fn effect(cx: &ExplainContext<'_>, waiting: usize) -> Option<Effect> {
    if cx.facts.proposal().is_none() {
        return is_unmeasured(cx).then_some(Effect::Undecided);
    }
    let waiting = i32::try_from(waiting).unwrap_or(i32::MAX);
    let running = cx.facts.current()?.saturating_sub(waiting);
    Effect::lacking(cx.facts.proposal()?.saturating_sub(running).min(waiting))
}

/// The target's pods that wait for a node. Those of other owners are not lacking.
fn without_node<'a>(cx: &ExplainContext<'a>) -> Vec<&'a Pod> {
    let own = own_pods(cx.facts.observation, cx.context);
    let mut pods = pending_pods(&cx.facts);
    pods.retain(|pod| !pod.has_node() && own.iter().any(|one| one.name == pod.name));
    pods
}
