//! PodDisruptionBudgets against the bounds of the HPA: whether they block draining a node.

use hpa_engine::model::{self, DisruptionBudget, Pod, PodShare, label_selector::Wording};
use hpa_words::amount::names;

use super::own_pods::OwnPods;
use crate::{
    ExplainContext,
    note::{NoteTopic, NoteView, NoteWeight},
};

/// Budgets that allow no eviction at the sizes the HPA allows, and pods covered by several budgets.
pub(super) fn notes(cx: &ExplainContext<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let budgets = &cx.context.surroundings.downstream.disruption_budgets;
    let wording = Wording::of(cx.facts.observation.controller.version.value);
    let selected: Vec<(&DisruptionBudget, Vec<&Pod>)> = budgets
        .iter()
        .flatten()
        .filter_map(|budget| {
            let selector = budget.selector.as_ref()?.to_selector(wording).ok()?;
            let mut pods = own.active.clone();
            pods.retain(|pod| selector.matches(&pod.labels));
            (!pods.is_empty()).then_some((budget, pods))
        })
        .collect();
    let mut notes: Vec<NoteView> = selected
        .iter()
        .filter_map(|(budget, pods)| blocking(cx, own, budget, pods.len()))
        .collect();
    notes.extend(several(&selected));
    notes
}

/// Pods covered by several budgets: the API server refuses to evict them at all.
fn several(selected: &[(&DisruptionBudget, Vec<&Pod>)]) -> Option<NoteView> {
    let (_, pods) = selected.first()?;
    let pod = pods.iter().find(|pod| {
        let others = selected.iter().skip(1);
        others
            .flat_map(|(_, pods)| pods)
            .any(|other| other.name == pod.name)
    })?;
    let budgets: Vec<&str> = selected
        .iter()
        .filter(|(_, pods)| pods.iter().any(|other| other.name == pod.name))
        .map(|(budget, _)| budget.name.as_str())
        .collect();
    let text = format!(
        "several budgets select {} ({}): the API server refuses to evict such a pod, so drains of its node fail",
        pod.name,
        names(&budgets, 3)
    );
    Some(NoteTopic::Downstream.note("PDB", NoteWeight::Warning, text))
}

/// A budget under which no pod can be evicted.
fn blocking(
    cx: &ExplainContext<'_>,
    own: &OwnPods<'_>,
    budget: &DisruptionBudget,
    selected: usize,
) -> Option<NoteView> {
    let what = match (budget.min_available, budget.max_unavailable) {
        (Some(share), _) => format!("minAvailable {share}"),
        (None, Some(share)) => format!("maxUnavailable {share}"),
        (None, None) => return None,
    };
    let name = &budget.name;
    if allows_none_ever(budget) {
        let text = format!(
            "{name} ({what}) never lets a pod be evicted: drains of nodes wait. {NOT_THE_HPA}"
        );
        return Some(NoteTopic::Downstream.note("PDB", NoteWeight::Warning, text));
    }
    // A budget that also covers pods of other owners counts more than the replicas.
    let is_shared = budget
        .expected_pods
        .is_some_and(|expected| usize::try_from(expected) != Ok(selected))
        || selected != own.active.len();
    let (min, max) = (cx.facts.min().max(1), cx.facts.max());
    if is_shared || min > max || 0 < evictable(budget, min) {
        return None;
    }
    let most = largest_without_eviction(budget, min, max);
    let text = if most == max {
        format!(
            "{name} ({what}) lets no pod be evicted at any size that the HPA allows: drains of nodes wait. \
             {NOT_THE_HPA}"
        )
    } else {
        let replicas = if most == 1 {
            "1 replica".to_owned()
        } else {
            format!("{most} replicas or fewer")
        };
        format!(
            "{name} ({what}) lets no pod be evicted at {replicas}, and minReplicas is {}: while the load is low, \
             drains of nodes wait. {NOT_THE_HPA}",
            cx.facts.min()
        )
    };
    // If the load may never shrink the target to these sizes, there is nothing to do now.
    let is_now = own.desired <= most;
    let weight = if is_now {
        NoteWeight::Warning
    } else {
        NoteWeight::Detail
    };
    Some(NoteTopic::Downstream.note("PDB", weight, text))
}

/// The HPA lowers `spec.replicas`; deleting the surplus pods does not consult any budget.
const NOT_THE_HPA: &str = "Scaling down is not an eviction, so the budget does not stop the HPA.";

fn allows_none_ever(budget: &DisruptionBudget) -> bool {
    match (budget.min_available, budget.max_unavailable) {
        (Some(PodShare::Percent(percent)), _) => 100 <= percent,
        (Some(PodShare::Pods(_)) | None, None) => false,
        (_, Some(PodShare::Percent(share) | PodShare::Pods(share))) => share <= 0,
    }
}

/// Pods that may be evicted while `replicas` run and all are ready.
fn evictable(budget: &DisruptionBudget, replicas: i32) -> i32 {
    model::evictable_pods(budget.min_available, budget.max_unavailable, replicas)
}

/// The largest number of replicas, from `min` on, at which no pod may be evicted. With an absolute budget that is as
/// many as must be available. With a percentage it is the last number before the first one that allows an eviction,
/// which is 100 at the latest.
fn largest_without_eviction(budget: &DisruptionBudget, min: i32, max: i32) -> i32 {
    if let Some(PodShare::Pods(pods)) = budget.min_available {
        return pods.clamp(min, max);
    }
    (min..=max)
        .take_while(|replicas| evictable(budget, *replicas) <= 0)
        .last()
        .unwrap_or(min)
}
