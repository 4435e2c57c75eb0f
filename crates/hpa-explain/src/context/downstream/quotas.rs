//! How many replicas the quotas of the namespace allow.

use hpa_analysis::{pod_size, quota};
use hpa_diagnosis::effect::Effect;
use hpa_engine::{
    model::{Container, Pod, QuotaResource, ResourceQuota},
    trace::Decision,
};
use hpa_words::amount::replicas;

use super::{
    missing,
    own_pods::{self, OwnPods},
};
use crate::{
    ExplainContext,
    command::ShellCommand,
    note::{NoteTopic, NoteView, NoteWeight},
    situation::{MeasuredProblem, Place, Situation, within_a_cell},
};

/// Problem: a quota does not allow the replicas that the HPA sets now.
pub(crate) fn problem(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let Decision::Rescale { to, .. } = cx.facts.trace.decision else {
        return None;
    };
    let own = own_pods::of(cx)?;
    let pod = own.newest()?;
    // Where pods were refused already, that is said.
    if missing::is_stuck(cx) {
        return None;
    }
    let rooms =
        counted(cx, pod).filter_map(|quota| Some((quota, Room::in_quota(&own, pod, quota)?)));
    let (quota, room) = rooms.min_by_key(|(_, room)| room.replicas)?;
    let existing = i32::try_from(own.active.len()).ok()?;
    let allowed = i32::try_from(room.replicas).ok()?.max(existing);
    let lacking = to.saturating_sub(allowed);
    let QuotaResource {
        name: resource,
        hard,
        used,
    } = room.resource;
    let name = &quota.name;
    let situation = Situation {
        place: Place::Before,
        words: Some(within_a_cell(format!("quota allows {allowed}"), || {
            "quota is used up".to_owned()
        })),
        sentences: vec![
            format!(
                "Quota {name} allows {} ({used} of {hard} {resource} are used), so {lacking} of the {to} that the HPA sets \
                 cannot be created.",
                replicas(allowed)
            ),
            "Raise the quota: the HPA has done its part.".to_owned(),
        ],
        command: Some(ShellCommand::new("kubectl describe quota").in_namespace(cx)),
    };
    situation.measured(Effect::lacking(lacking))
}

/// The quotas that count a pod.
fn counted<'a>(cx: &ExplainContext<'a>, pod: &Pod) -> impl Iterator<Item = &'a ResourceQuota> {
    let quotas = cx.context.surroundings.downstream.quotas.iter().flatten();
    let target = cx.context.target.as_ref();
    let class = target.and_then(|target| target.priority_class.as_deref());
    quotas.filter(move |quota| quota::counts(quota, pod, class))
}

/// How many replicas each quota allows, as a warning if that is less than may be wanted. A quota with enough room for
/// all is a detail.
pub(super) fn notes(cx: &ExplainContext<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let Some(pod) = own.newest() else {
        return Vec::new();
    };
    counted(cx, pod)
        .filter_map(|quota| quota_note(cx, own, pod, quota))
        .collect()
}

fn quota_note(
    cx: &ExplainContext<'_>,
    own: &OwnPods<'_>,
    pod: &Pod,
    quota: &ResourceQuota,
) -> Option<NoteView> {
    let name = &quota.name;
    if let Some((resource, container)) = unnamed(quota, pod) {
        let text = format!(
            "{name} counts {resource}, and container {container} of {} names none: further pods are refused",
            pod.name
        );
        return Some(NoteTopic::Downstream.note("quota", NoteWeight::Warning, text));
    }
    let tightest = Room::in_quota(own, pod, quota)?;
    let (allowed, max) = (tightest.replicas, i128::from(cx.facts.max()));
    let weight = if allowed < max {
        NoteWeight::Warning
    } else if allowed < largest_desired(cx).into() {
        NoteWeight::Normal
    } else {
        NoteWeight::Detail
    };
    let QuotaResource {
        name: resource,
        hard,
        used,
    } = tightest.resource;
    let text = format!(
        "{name} allows {allowed} replicas, {}: {used} of {hard} {resource} are used, a pod takes {}",
        max_in_words(cx),
        tightest.per_pod
    );
    Some(NoteTopic::Downstream.note("quota", weight, text))
}

/// The room that a resource of a quota leaves.
struct Room<'a> {
    resource: &'a QuotaResource,
    /// Replicas in total, existing ones included.
    replicas: i128,
    per_pod: String,
}

impl<'a> Room<'a> {
    /// That of the resource that leaves the least; `None` if a pod uses none of them.
    fn in_quota(own: &OwnPods<'_>, pod: &Pod, quota: &'a ResourceQuota) -> Option<Self> {
        let resources = quota.resources.iter();
        let rooms = resources.filter_map(|resource| Self::of(own, pod, resource));
        rooms.min_by_key(|room| room.replicas)
    }

    /// `None` if a pod uses none of it.
    fn of(own: &OwnPods<'_>, pod: &Pod, resource: &'a QuotaResource) -> Option<Self> {
        let (per_pod, unit) = quota::taken(pod, &resource.name)?;
        if per_pod <= 0 {
            return None;
        }
        let left = pod_size::milli(&resource.hard) - pod_size::milli(&resource.used);
        let there = i128::try_from(own.active.len() + own.terminating).unwrap_or(i128::MAX);
        Some(Self {
            resource,
            replicas: there + (left / per_pod).max(0),
            per_pod: pod_size::text(per_pod, unit),
        })
    }
}

/// A resource that every container must specify under the quota, and a container of the pod that does not. Pods
/// created before the quota can be like that. Upstream: `podEvaluator.Constraints`.
fn unnamed<'a>(quota: &'a ResourceQuota, pod: &'a Pod) -> Option<(&'a str, &'a str)> {
    if !pod.requests.is_empty() {
        // A pod-level request covers the containers.
        return None;
    }
    quota.resources.iter().find_map(|resource| {
        let (name, is_limit) = match resource.name.as_str() {
            "cpu" | "requests.cpu" => ("cpu", false),
            "memory" | "requests.memory" => ("memory", false),
            "limits.cpu" => ("cpu", true),
            "limits.memory" => ("memory", true),
            _ => return None,
        };
        let names_it = |container: &&Container| {
            let list = if is_limit {
                &container.limits
            } else {
                &container.requests
            };
            list.iter().any(|(listed, _)| listed == name)
        };
        let mut containers = pod.containers.iter().chain(&pod.init_containers);
        let container = containers.find(|container| !names_it(container))?;
        Some((resource.name.as_str(), container.name.as_str()))
    })
}

/// The largest number of replicas that may be wanted: `maxReplicas`, or what the metrics ask for beyond it.
pub(super) fn largest_desired(cx: &ExplainContext<'_>) -> i32 {
    cx.facts.proposal().unwrap_or_default().max(cx.facts.max())
}

/// `max is 20`, and what the metrics ask for if that is more: `max is 20, cpu asks for 32`.
pub(super) fn max_in_words(cx: &ExplainContext<'_>) -> String {
    let max = cx.facts.max();
    match cx.facts.proposal() {
        Some(proposal) if max < proposal => match cx.facts.winner() {
            Some(_) => format!("max is {max}, {}", cx.asks()),
            None => format!("max is {max}, the metrics ask for {proposal}"),
        },
        _ => format!("max is {max}"),
    }
}
