//! Single pods in words: class and reason.

use std::collections::{BTreeMap, BTreeSet};

use hpa_analysis::{Belonging, foreign_pods, ownership, selected_pods};
use hpa_engine::{
    model::{Owner, Pod, PodPhase},
    trace::{ClassifiedPod, PodClass, PodReason, PodRequest},
};
use hpa_words::{amount::count, clock::Clock};

use crate::{
    ContainerView, ExplainContext, Facts, MetricFacts, StartupView,
    containers::{MeasuredPods, containers, measured_resource},
    failing_pods::failure,
    startup::startup,
};

/// One pod that the selector matches.
#[derive(Clone, Debug, PartialEq)]
pub struct PodView {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: PodClass,
    /// Why it is in that class.
    pub why: String,
    /// Its sample.
    pub usage: Option<String>,
    /// Its request, where requests count.
    pub request: Option<String>,
    /// Its controlling owner, `kind/name`.
    pub owner: Option<String>,
    /// That owner and those above it, each `kind/name`.
    pub owner_chain: Vec<String>,
    /// Whether it belongs to the scale target.
    pub belonging: Belonging,
    /// Its startup compared with its sample.
    pub startup: StartupView,
    /// Its containers that count for the metric, those without a request first.
    pub containers: Vec<ContainerView>,
}

/// The metric whose pod classes are shown: the winner, or the first that uses pods.
pub(super) fn displayed_metric<'s, 'a>(facts: &'s Facts<'a>) -> Option<&'s MetricFacts<'a>> {
    let with_groups = |metric: &&MetricFacts<'_>| metric.groups.is_some();
    facts
        .winner()
        .filter(with_groups)
        .or_else(|| facts.metrics.iter().find(with_groups))
}

/// The matched pods as one metric classifies them: first those without a request, then those that are not counted.
pub(super) fn pods(cx: &ExplainContext<'_>) -> Vec<PodView> {
    let (facts, clock) = (&cx.facts, cx.clock);
    let target = cx.context.target.as_ref();
    let Some((metric, groups)) =
        displayed_metric(facts).and_then(|metric| Some((metric, metric.groups?)))
    else {
        return Vec::new();
    };
    let unit = metric.unit();
    let foreign: BTreeSet<&str> = foreign_pods(facts.observation, cx.context)
        .into_iter()
        .map(|pod| pod.name.as_str())
        .collect();
    let requests: BTreeMap<usize, &PodRequest> = metric
        .requests
        .into_iter()
        .flat_map(|requests| &requests.requests)
        .map(|request| (request.pod, request))
        .collect();
    let measured_resource = measured_resource(metric)
        .map(|measured_resource| (measured_resource, MeasuredPods::new(facts)));
    let mut classified: Vec<&ClassifiedPod> = groups.pods.iter().collect();
    classified.sort_by_key(|pod| match pod.class {
        PodClass::Unready => 0,
        PodClass::Missing => 1,
        PodClass::Ignored => 2,
        PodClass::Ready => 3,
    });
    let mut views: Vec<PodView> = classified
        .into_iter()
        .filter_map(|classified| {
            let pod = facts.pod(classified.pod)?;
            let request = requests.get(&classified.pod);
            let mut ownership = ownership(pod, cx.facts.observation, cx.context);
            if ownership.belonging == Belonging::Other && !foreign.contains(pod.name.as_str()) {
                ownership.belonging = Belonging::Unknown;
            }
            let of_target = target.filter(|_| ownership.belonging != Belonging::Other);
            Some(PodView {
                name: pod.name.clone(),
                class: classified.class,
                why: why(pod, classified, clock),
                usage: classified.usage.map(|usage| unit.amount(usage)),
                request: request.map(|request| unit.amount(request.request)),
                owner: pod.owner.as_ref().map(Owner::to_string),
                owner_chain: ownership.chain.iter().map(Owner::to_string).collect(),
                belonging: ownership.belonging,
                startup: startup(facts, metric, pod, classified, clock),
                containers: measured_resource
                    .as_ref()
                    .map(|(measured_resource, measured)| {
                        containers(facts, measured, pod, *measured_resource, of_target)
                    })
                    .unwrap_or_default(),
            })
        })
        .collect();
    let lacks_request = |pod: &PodView| {
        pod.containers
            .iter()
            .any(|container| container.lacks_request)
    };
    views.sort_by_key(|pod| !lacks_request(pod));
    views
}

/// Why a pod is in its class, as a fragment.
pub(super) fn why(pod: &Pod, classified: &ClassifiedPod, clock: &Clock) -> String {
    let started = || match pod.started {
        Some(at) => format!("started {} ago", clock.ago(at)),
        None => "not started".to_owned(),
    };
    let waiting = |text: String| match &pod.waiting {
        Some(waiting) => format!("{text} ({})", waiting.trim_end_matches('.')),
        None => text,
    };
    match classified.reason {
        PodReason::Deleted => match pod.deleted {
            Some(at) if at <= clock.now => format!("terminating for {}", clock.ago(at)),
            _ => "terminating".to_owned(),
        },
        PodReason::Failed => "its phase is Failed".to_owned(),
        PodReason::Succeeded => "finished (Succeeded)".to_owned(),
        PodReason::Pending => waiting(match pod.created {
            Some(at) => format!("Pending for {}", clock.ago(at)),
            None => "Pending".to_owned(),
        }),
        PodReason::NoSample if pod.phase == PodPhase::Succeeded => {
            "finished, so it has no metrics".to_owned()
        }
        PodReason::NoSample => waiting(format!("no metrics, {}", started())),
        PodReason::NoReadyConditionOrStart => waiting("no condition Ready yet".to_owned()),
        PodReason::NotReadyInInitialization => {
            let since = since_transition(pod, clock)
                .map_or_else(String::new, |since| format!(" for {since}"));
            match &pod.waiting {
                Some(waiting) => format!("{}, not ready{since}", waiting.trim_end_matches('.')),
                None if is_never_ready(pod) => format!("not ready, {}", started()),
                None => format!("not ready{since}, {}", started()),
            }
        }
        PodReason::SampleBeforeReady => match since_transition(pod, clock) {
            Some(since) => format!("ready for {since}, its sample starts before that"),
            None => "its sample starts before it was ready".to_owned(),
        },
        PodReason::NeverReady => waiting(match pod.started {
            Some(at) => format!("not ready since it started {} ago", clock.ago(at)),
            None => "never ready since it started".to_owned(),
        }),
        PodReason::Counted => "counted".to_owned(),
        PodReason::CountedThoughNotReady => match since_transition(pod, clock) {
            Some(since) => waiting(format!(
                "not ready for {since}, counted because it was ready before"
            )),
            None => waiting("not ready, counted because it was ready before".to_owned()),
        },
    }
}

/// Whether its condition Ready is as old as the pod: then both times are equal.
fn is_never_ready(pod: &Pod) -> bool {
    let changed = pod.ready.and_then(|ready| ready.last_transition);
    pod.started.is_some() && changed == pod.started
}

fn since_transition(pod: &Pod, clock: &Clock) -> Option<String> {
    let at = pod.ready?.last_transition?;
    (at < clock.now).then(|| clock.ago(at))
}

/// Pods that are Pending, except those whose containers cannot run.
pub(super) fn pending_pods<'a>(facts: &Facts<'a>) -> Vec<&'a Pod> {
    let mut pods = selected_pods(facts.observation);
    pods.retain(|pod| {
        pod.phase == PodPhase::Pending && pod.deleted.is_none() && failure(pod).is_none()
    });
    pods
}

/// Whether a pod waits for room on a node, in the scheduler's words.
pub(super) fn waits_for_room(pod: &Pod) -> bool {
    let why = pod.waiting.as_deref();
    why.is_some_and(|why| why.contains("nodes are available"))
}

/// The part of a reason to wait that says what is lacking: `6 Insufficient cpu` of the scheduler's `0/6 nodes are available:
/// 6 Insufficient cpu. preemption: …`, `ImagePullBackOff` of others.
pub(super) fn what_lacks(waiting: &str) -> &str {
    let (before, after) = waiting.split_once(": ").unwrap_or((waiting, ""));
    if after.is_empty() || !before.ends_with("nodes are available") {
        return before;
    }
    let what = after.split(". ").next().unwrap_or(after);
    what.trim_end_matches('.')
}

/// `2 of 20 pods are Pending (0/6 nodes are available)`, if there are any but those whose containers cannot run.
pub(super) fn pending(facts: &Facts<'_>) -> Option<String> {
    let pending = pending_pods(facts);
    let first = pending.first()?;
    let is = if pending.len() == 1 { "is" } else { "are" };
    let all = count(selected_pods(facts.observation).len(), "pod");
    let why = pending
        .iter()
        .find_map(|pod| pod.waiting.as_deref())
        .unwrap_or(first.name.as_str())
        .trim_end_matches('.');
    let which = match selected_pods(facts.observation).len() {
        1 => "The only pod".to_owned(),
        _ => format!("{} of {all}", pending.len()),
    };
    Some(format!("{which} {is} Pending ({why})"))
}
