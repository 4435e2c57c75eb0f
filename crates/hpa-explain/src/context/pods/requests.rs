//! Containers without the request that a percentage needs.

use std::collections::{BTreeMap, BTreeSet};

use hpa_analysis::{foreign_pods, selected_pods};
use hpa_engine::{
    model::{Pod, PodPhase},
    trace::{Milli, SumRequests},
};
use hpa_words::amount::{count, names, resource_in_prose};

use super::without::without;
use crate::{
    ExplainContext, MetricFacts, NoteTopic, NoteView, NoteWeight,
    containers::{
        MeasuredResource, counted, has_pod_level_requests, is_injected, measured_resource,
    },
};

/// For each metric in percent of requests: the containers without one, their owners, and the shortest fix.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let pods = selected_pods(cx.facts.observation);
    let strangers = strangers(cx);
    let mut reported = BTreeSet::new();
    let mut notes = Vec::new();
    for metric in &cx.facts.metrics {
        let Some(measured_resource) =
            measured_resource(metric).filter(|measured_resource| measured_resource.needs_requests)
        else {
            continue;
        };
        if !reported.insert((measured_resource.resource, measured_resource.container)) {
            continue;
        }
        let offenders = offenders(cx, &pods, &strangers, measured_resource);
        if offenders.is_empty() {
            notes.extend(metric.requests.and_then(|sum| zero(metric, sum)).map(note));
        } else {
            notes.extend(gaps(cx, measured_resource, &pods, &strangers, &offenders));
        }
    }
    notes
}

/// Names of pods.
type Names<'a> = BTreeSet<&'a str>;

/// The pods that do not belong to the scale target.
fn strangers<'a>(cx: &ExplainContext<'a>) -> Names<'a> {
    foreign_pods(cx.facts.observation, cx.context)
        .into_iter()
        .map(|pod| pod.name.as_str())
        .collect()
}

/// The pods that lack the request of a container, by the container's name.
struct Offender<'a> {
    container: &'a str,
    is_injected: bool,
    pods: Vec<&'a Pod>,
}

fn offenders<'a>(
    cx: &ExplainContext<'a>,
    pods: &[&'a Pod],
    strangers: &Names<'_>,
    measured_resource: MeasuredResource<'a>,
) -> Vec<Offender<'a>> {
    let target = cx.context.target.as_ref();
    let mut by_container: BTreeMap<(&str, bool), Vec<&Pod>> = BTreeMap::new();
    for &pod in pods {
        if has_pod_level_requests(&cx.facts, pod, measured_resource) {
            continue;
        }
        let of_target = target.filter(|_| !strangers.contains(pod.name.as_str()));
        for container in counted(&cx.facts, pod, measured_resource) {
            if container.request(measured_resource.resource).is_none() {
                let key = (container.name.as_str(), is_injected(container, of_target));
                by_container.entry(key).or_default().push(pod);
            }
        }
    }
    by_container
        .into_iter()
        .map(|((container, is_injected), pods)| Offender {
            container,
            is_injected,
            pods,
        })
        .collect()
}

fn gaps(
    cx: &ExplainContext<'_>,
    measured_resource: MeasuredResource<'_>,
    pods: &[&Pod],
    strangers: &Names<'_>,
    offenders: &[Offender<'_>],
) -> Vec<NoteView> {
    let resource = measured_resource.resource;
    let mut notes: Vec<NoteView> = offenders
        .iter()
        .map(|offender| {
            let of = if offender.pods.len() == pods.len() && 1 < pods.len() {
                format!("all {}", count(pods.len(), "pod"))
            } else {
                let named: Vec<String> = offender
                    .pods
                    .iter()
                    .map(|pod| described(cx, strangers, pod))
                    .collect();
                names(&named, 2)
            };
            let injected = if offender.is_injected {
                "; injected: not in the template"
            } else {
                ""
            };
            note(format!(
                "container {} of {of} has no {resource} request{injected}.",
                offender.container
            ))
        })
        .collect();
    let concerned = concerned(pods, offenders);
    let fix = if is_strange(strangers, &concerned) {
        without_strange(cx, strangers, &concerned)
    } else {
        Some(repairs(measured_resource, pods, offenders))
    };
    notes.extend(fix.map(|text| NoteTopic::Pods.note("fix", NoteWeight::Normal, text)));
    notes
}

/// The pods that lack a request.
fn concerned<'a>(pods: &[&'a Pod], offenders: &[Offender<'_>]) -> Vec<&'a Pod> {
    let lacking = offenders.iter().flat_map(|offender| &offender.pods);
    let lacking: BTreeSet<&str> = lacking.map(|pod| pod.name.as_str()).collect();
    let lacks = |pod: &&Pod| lacking.contains(pod.name.as_str());
    pods.iter().copied().filter(lacks).collect()
}

/// Whether a request in the target's template would not help.
fn is_strange(strangers: &Names<'_>, concerned: &[&Pod]) -> bool {
    !concerned.is_empty()
        && concerned
            .iter()
            .all(|pod| !pod.is_active() || strangers.contains(pod.name.as_str()))
}

/// A metric has no percentage because a container has no request: what is wrong, without a final period, and the
/// sentences with owner and fix.
pub(crate) fn in_short(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
) -> Option<(String, Vec<String>)> {
    metric.requests?.gap.as_ref()?;
    let measured_resource =
        measured_resource(metric).filter(|measured_resource| measured_resource.needs_requests)?;
    let pods = selected_pods(cx.facts.observation);
    let strangers = strangers(cx);
    let offenders = offenders(cx, &pods, &strangers, measured_resource);
    let concerned = concerned(&pods, &offenders);
    let resource = resource_in_prose(measured_resource.resource);
    if is_strange(&strangers, &concerned) {
        let named: Vec<&str> = concerned.iter().map(|pod| pod.name.as_str()).collect();
        let (cause, them, their) = if named.len() == 1 {
            (format!("pod {} has", named[0]), "it", "its")
        } else {
            (format!("pods {} have", names(&named, 2)), "them", "their")
        };
        // Running pods that have an owner are created again.
        let is_deleted_for_good = |pod: &&Pod| !pod.is_active() || pod.owner.is_none();
        let fix = if concerned.iter().all(is_deleted_for_good) {
            format!("Fix: change {their} labels, or delete {them}.")
        } else {
            format!("Fix: set a {resource} request or other labels in the template of the owner.")
        };
        let without = without(cx, &concerned).text;
        let sentences = vec![
            format!("Cause: {cause} no {resource} request."),
            fix,
            format!("Without {them}: {without}."),
        ];
        return Some((
            format!("{} cannot be computed", metric.subject()),
            sentences,
        ));
    }
    let [offender] = offenders.as_slice() else {
        return None;
    };
    let container = offender.container;
    let affected = if offender.pods.len() == pods.len() {
        match pods.len() {
            1 => "The only pod is affected.".to_owned(),
            all => format!("All {all} pods are affected."),
        }
    } else {
        let named: Vec<&str> = offender.pods.iter().map(|pod| pod.name.as_str()).collect();
        format!("Affected: {}.", names(&named, 2))
    };
    let fix = if offender.is_injected {
        format!("Fix: set a {resource} request where {container} is injected.")
    } else {
        format!("Fix: set a {resource} request for {container} in the pod template.")
    };
    let mut sentences = vec![fix, affected];
    let is_only = cx.facts.failed().len() == 1;
    if is_only && metric.read.is_some_and(|read| 0 < read.items) {
        sentences.push("The metrics API is fine.".to_owned());
    }
    Some((
        format!(
            "Container {container} has no {resource} request, which {resource} utilization needs"
        ),
        sentences,
    ))
}

/// The effect of requests of finished pods and pods of other owners, unless the note on the latter has it.
fn without_strange(
    cx: &ExplainContext<'_>,
    strangers: &Names<'_>,
    concerned: &[&Pod],
) -> Option<String> {
    let mut parts = Vec::new();
    if concerned.iter().any(|pod| !pod.is_active()) {
        parts.push("pods that are over need requests too, until they are deleted.".to_owned());
    }
    let is_reported = concerned.len() == strangers.len()
        && concerned
            .iter()
            .all(|pod| strangers.contains(pod.name.as_str()));
    if !is_reported {
        let them = if concerned.len() == 1 { "it" } else { "them" };
        let without = without(cx, concerned).text;
        parts.push(format!("Without {them}: {without}."));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// `a cpu request for proxy (where it is injected); or a ContainerResource metric on app; or an AverageValue target,
/// which needs no requests`.
fn repairs(
    measured_resource: MeasuredResource<'_>,
    pods: &[&Pod],
    offenders: &[Offender<'_>],
) -> String {
    let resource = measured_resource.resource;
    let lacking: BTreeSet<&str> = offenders.iter().map(|one| one.container).collect();
    let injected = if offenders.iter().all(|offender| offender.is_injected) {
        " where it is injected"
    } else {
        ""
    };
    let named: Vec<&str> = lacking.iter().copied().collect();
    let mut repairs = vec![format!(
        "a {resource} request for {}{injected}",
        names(&named, 3)
    )];
    let sound = pods.first().and_then(|pod| {
        pod.containers
            .iter()
            .map(|container| container.name.as_str())
            .find(|name| !lacking.contains(name))
    });
    if let Some(sound) = sound.filter(|_| measured_resource.container.is_none()) {
        repairs.push(format!("a ContainerResource metric on {sound}"));
    }
    repairs.push("an AverageValue target, which needs no requests".to_owned());
    repairs.join("; or ") + "."
}

/// Requests of zero, which the controller reports as if there were no samples.
fn zero(metric: &MetricFacts<'_>, sum: &SumRequests) -> Option<String> {
    let is_zero = !sum.requests.is_empty()
        && sum.error.is_none()
        && sum.requests.iter().all(|one| one.request == Milli(0));
    (is_zero && metric.failure().is_some()).then(|| {
        format!(
            "all {} requests are 0, and nothing is a percentage of 0; the controller's error only \
             speaks of metrics that match no pods.",
            sum.resource
        )
    })
}

/// `hook-1 (Job/hook, Succeeded)`.
fn described(cx: &ExplainContext<'_>, strangers: &Names<'_>, pod: &Pod) -> String {
    let mut parts = Vec::new();
    if strangers.contains(pod.name.as_str()) {
        parts.push(super::others::whose(cx, pod));
    }
    match &pod.phase {
        _ if pod.deleted.is_some() => parts.push("terminating".to_owned()),
        PodPhase::Failed | PodPhase::Succeeded => parts.push(pod.phase.as_str().to_owned()),
        _ => {}
    }
    if parts.is_empty() {
        pod.name.clone()
    } else {
        format!("{} ({})", pod.name, parts.join(", "))
    }
}

fn note(text: String) -> NoteView {
    NoteTopic::Pods.note("requests", NoteWeight::Warning, text)
}
