//! How many replicas the quotas of the namespace allow.

use hpa_analysis::{pod_size, quota};
use hpa_diagnosis::effect::Effect;
use hpa_engine::{
    model::{Container, Direction, Pod, QuotaResource, ResourceQuota},
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
    // Where pods were refused already, that is said.
    if missing::is_stuck(cx) {
        return None;
    }
    let quotas = Quotas::of(cx)?;
    let (quota, allowed) = quotas.tightest()?;
    let lacking = Effect::lacking(to.saturating_sub(allowed))?;
    let raise = quotas.raise(heading(cx)?)?;
    let situation = Situation {
        place: Place::Before,
        words: Some(within_a_cell(format!("quota allows {allowed}"), || {
            "quota is used up".to_owned()
        })),
        sentences: vec![format!(
            "Quota {quota} allows only {allowed} of these {}: {raise}.",
            replicas(to)
        )],
        command: Some(command(cx)),
    };
    situation.measured(Some(lacking))
}

/// A quota behind the decision: it allows fewer replicas than the HPA sets later, or with what the answer advises.
pub(crate) struct QuotaBehind {
    /// `Quota few allows only 7 replicas`.
    pub(crate) what: String,
    /// `: raise it to pods=9`; empty: it refuses none that are asked for.
    pub(crate) then: String,
}

/// The quota that would refuse pods next, also those beyond `maxReplicas` if that was raised to `higher`.
pub(crate) fn behind(cx: &ExplainContext<'_>, higher: Option<i32>) -> Option<QuotaBehind> {
    let facts = &cx.facts;
    let (current, max) = (facts.current()?, facts.max());
    let is_down = matches!(facts.trace.decision, Decision::Rescale { from, to, .. } if to < from);
    if is_down || facts.is_off(Direction::Up) {
        return None;
    }
    let quotas = Quotas::of(cx)?;
    let (quota, allowed) = quotas.tightest()?;
    let ready = cx.tipping_points().if_ready;
    let ready = ready.map(|then| then.replicas);
    let within = heading(cx).max(facts.proposal()).max(ready)?.min(max);
    let higher = higher.unwrap_or(within);
    let raise = match quotas.raise(within) {
        Some(raise) => Some(raise),
        None => quotas
            .raise(higher)
            .map(|raise| format!("{raise} before maxReplicas")),
    };
    let is_full = allowed <= current && current < max;
    (raise.is_some() || is_full).then(|| QuotaBehind {
        what: format!("Quota {quota} allows only {}", replicas(allowed)),
        then: raise.map_or_else(String::new, |raise| format!(": {raise}")),
    })
}

/// The tightest quota, and how many replicas it allows.
pub(crate) fn tightest<'a>(cx: &ExplainContext<'a>) -> Option<(&'a str, i32)> {
    Quotas::of(cx)?.tightest()
}

/// What shows the quotas.
pub(crate) fn command(cx: &ExplainContext<'_>) -> ShellCommand {
    ShellCommand::new("kubectl describe quota").in_namespace(cx)
}

/// The most replicas that the HPA sets now, or goes to at this load.
pub(crate) fn heading(cx: &ExplainContext<'_>) -> Option<i32> {
    let last = cx.analysis.timeline.last().map(|last| last.to);
    cx.facts.trace.decision.replicas().max(last)
}

/// What the quotas of the namespace allow the target, the tightest first.
pub(super) struct Quotas<'a> {
    rooms: Vec<Room<'a>>,
    existing: i32,
}

impl<'a> Quotas<'a> {
    pub(super) fn of(cx: &ExplainContext<'a>) -> Option<Self> {
        let own = own_pods::of(cx)?;
        let pod = own.newest()?;
        let rooms = counted(cx, pod).flat_map(|quota| Room::all_in(&own, pod, quota));
        let mut rooms: Vec<Room<'a>> = rooms.collect();
        rooms.sort_by_key(|room| room.replicas);
        Some(Self {
            rooms,
            existing: i32::try_from(own.active.len()).ok()?,
        })
    }

    /// The quota that allows the fewest replicas, and how many: those that exist are there.
    pub(super) fn tightest(&self) -> Option<(&'a str, i32)> {
        let first = self.rooms.first()?;
        let allowed = i32::try_from(first.replicas).unwrap_or(i32::MAX);
        Some((first.quota, allowed.max(self.existing)))
    }

    /// `raise it to pods=9`, after a sentence about the tightest; `None` if none refuses so many replicas.
    pub(super) fn raise(&self, replicas: i32) -> Option<String> {
        let needed = self.needed(replicas);
        let (first, _) = needed.first()?;
        if needed.iter().any(|(quota, _)| quota != first) {
            return self.raise_named(replicas);
        }
        let each: Vec<String> = needed.into_iter().map(|(_, needed)| needed).collect();
        Some(format!("raise it to {}", each.join(" and ")))
    }

    /// `raise quota few to pods=9`.
    pub(super) fn raise_named(&self, replicas: i32) -> Option<String> {
        let needed = self.needed(replicas).into_iter();
        let each = needed.map(|(quota, needed)| format!("{quota} to {needed}"));
        let each: Vec<String> = each.collect();
        (!each.is_empty()).then(|| format!("raise quota {}", each.join(" and ")))
    }

    /// The limits that refuse so many replicas: the quota, and what it needs.
    fn needed(&self, replicas: i32) -> Vec<(&'a str, String)> {
        let rooms = self.rooms.iter();
        let short = rooms.filter(|room| room.replicas < replicas.into());
        short
            .map(|room| (room.quota, room.needed(replicas)))
            .collect()
    }
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
    let tightest = Room::all_in(own, pod, quota).min_by_key(|room| room.replicas)?;
    let (allowed, max) = (tightest.replicas, i128::from(cx.facts.max()));
    // Where nothing scales up, it refuses nothing.
    let is_off = cx.facts.is_off(Direction::Up);
    let weight = if allowed < max && !is_off {
        NoteWeight::Warning
    } else if allowed < largest_desired(cx).into() {
        NoteWeight::Normal
    } else {
        NoteWeight::Detail
    };
    let text = format!(
        "{name} allows {}, {}: {}, a pod takes {}",
        replicas(i32::try_from(allowed).unwrap_or(i32::MAX)),
        max_in_words(cx),
        tightest.used(),
        tightest.per_pod()
    );
    Some(NoteTopic::Downstream.note("quota", weight, text))
}

/// The room that a resource of a quota leaves.
struct Room<'a> {
    quota: &'a str,
    resource: &'a QuotaResource,
    /// Replicas in total, existing ones included.
    replicas: i128,
    /// The pods that use it now.
    there: i128,
    /// In thousandths.
    per_pod: i128,
    unit: &'a str,
}

impl<'a> Room<'a> {
    /// Those of the resources that a pod uses.
    fn all_in(
        own: &OwnPods<'_>,
        pod: &Pod,
        quota: &'a ResourceQuota,
    ) -> impl Iterator<Item = Self> {
        let resources = quota.resources.iter();
        resources.filter_map(|resource| Self::of(own, pod, &quota.name, resource))
    }

    /// `None` if a pod uses none of it.
    fn of(
        own: &OwnPods<'_>,
        pod: &Pod,
        quota: &'a str,
        resource: &'a QuotaResource,
    ) -> Option<Self> {
        let (per_pod, unit) = quota::taken(pod, &resource.name)?;
        if per_pod <= 0 {
            return None;
        }
        let left = pod_size::milli(&resource.hard) - pod_size::milli(&resource.used);
        let there = i128::try_from(own.active.len() + own.terminating).unwrap_or(i128::MAX);
        Some(Self {
            quota,
            resource,
            replicas: there + (left / per_pod).max(0),
            there,
            per_pod,
            unit,
        })
    }

    /// `7 of 7 pods are used`.
    fn used(&self) -> String {
        let QuotaResource { name, hard, used } = self.resource;
        let used = used.to_string();
        let are = if used == "1" { "is" } else { "are" };
        format!("{used} of {hard} {name} {are} used")
    }

    fn per_pod(&self) -> String {
        pod_size::text(self.per_pod, self.unit)
    }

    /// `pods=9`: the hard limit that so many replicas need.
    fn needed(&self, replicas: i32) -> String {
        let more = (i128::from(replicas) - self.there) * self.per_pod;
        let needed = pod_size::milli(&self.resource.used) + more;
        format!(
            "{}={}",
            self.resource.name,
            pod_size::text(needed, self.unit)
        )
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
