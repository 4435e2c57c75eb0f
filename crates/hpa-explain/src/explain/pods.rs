//! Single pods in words: class, reason, and which of them to look at.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    explain::{
        Clock, ContainerView, ExplainContext, Facts, MetricFacts, StartupView,
        amount::{count, names},
        clock::rough,
        containers::{MeasuredPods, containers, measured_resource},
        failing_pods::failure,
        startup::startup,
    },
    inference::{Belonging, foreign_pods, ownership},
    model::{Owner, Pod, PodPhase},
    trace::{ClassifiedPod, GroupPods, PodClass, PodReason, PodRequest},
};

/// One pod behind the selector.
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
    /// Its start against its sample.
    pub startup: StartupView,
    /// Its containers that count for the metric, those without a request first.
    pub containers: Vec<ContainerView>,
}

/// The metric whose view of the pods is shown: the winner, or the first that looks at pods.
pub(super) fn displayed_metric<'s, 'a>(facts: &'s Facts<'a>) -> Option<&'s MetricFacts<'a>> {
    let with_groups = |metric: &&MetricFacts<'_>| metric.groups.is_some();
    facts
        .winner()
        .filter(with_groups)
        .or_else(|| facts.metrics.iter().find(with_groups))
}

/// The pods behind the selector as one metric sees them, those without a request first, then those that are not counted.
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
fn why(pod: &Pod, classified: &ClassifiedPod, clock: &Clock) -> String {
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

fn since_transition(pod: &Pod, clock: &Clock) -> Option<String> {
    let at = pod.ready?.last_transition?;
    let since = clock.now.duration_since(at);
    since.is_positive().then(|| rough(since))
}

/// `2 of 8 pods are not ready`, `1 of 8 pods has no metrics`, for the classes that do not count.
pub(super) fn absent(groups: &GroupPods) -> Vec<String> {
    let all = groups.pods.len();
    let mut parts = Vec::new();
    if all == 1 && groups.unready + groups.missing == 1 {
        let what = if groups.unready == 1 {
            "is not ready"
        } else {
            "has no metrics"
        };
        return vec![format!("the only pod {what}")];
    }
    if 0 < groups.unready {
        let is = if groups.unready == 1 { "is" } else { "are" };
        parts.push(format!(
            "{} of {} {is} not ready",
            groups.unready,
            count(all, "pod")
        ));
    }
    if 0 < groups.missing {
        let has = if groups.missing == 1 { "has" } else { "have" };
        let of = if parts.is_empty() {
            format!("{} of {}", groups.missing, count(all, "pod"))
        } else {
            groups.missing.to_string()
        };
        parts.push(format!("{of} {has} no metrics"));
    }
    parts
}

/// The pods that are not counted, those with the same reason together: the two largest groups.
pub(super) fn uncounted<'a>(
    facts: &Facts<'a>,
    groups: &'a GroupPods,
) -> Vec<Vec<(&'a ClassifiedPod, &'a Pod)>> {
    let mut by_reason: BTreeMap<u8, Vec<(&ClassifiedPod, &Pod)>> = BTreeMap::new();
    for classified in &groups.pods {
        let order = match classified.reason {
            PodReason::Pending => 0,
            PodReason::NeverReady => 1,
            PodReason::NotReadyInInitialization => 2,
            PodReason::NoSample => 3,
            PodReason::NoReadyConditionOrStart => 4,
            PodReason::SampleBeforeReady => 5,
            PodReason::Deleted
            | PodReason::Failed
            | PodReason::Counted
            | PodReason::CountedThoughNotReady => continue,
        };
        if let Some(pod) = facts.pod(classified.pod) {
            by_reason.entry(order).or_default().push((classified, pod));
        }
    }
    let mut groups: Vec<_> = by_reason.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.truncate(2);
    groups
}

/// `Check web-7f9c and web-8d21: not ready for 14 min (readiness probe fails).` for the pods that are not counted.
pub(super) fn show_at(facts: &Facts<'_>, groups: &GroupPods, clock: &Clock) -> Option<String> {
    let reported: Vec<String> = uncounted(facts, groups)
        .iter()
        .filter_map(|group| {
            let named: Vec<&str> = group.iter().map(|(_, pod)| pod.name.as_str()).collect();
            let (classified, pod) = group.first()?;
            Some(format!(
                "{}: {}",
                names(&named, 2),
                why(pod, classified, clock)
            ))
        })
        .collect();
    (!reported.is_empty()).then(|| format!("Check {}.", reported.join("; ")))
}

/// The first of the pods that the winning metric does not count.
pub(super) fn uncounted_of_winner<'a>(facts: &Facts<'a>) -> Option<&'a str> {
    let groups = facts.winner()?.groups?;
    let first = *uncounted(facts, groups).first()?.first()?;
    Some(&first.1.name)
}

/// Pods that are Pending, but for those whose containers cannot run.
pub(super) fn pending_pods<'a>(facts: &Facts<'a>) -> Vec<&'a Pod> {
    let groups = facts.groups();
    groups
        .into_iter()
        .flat_map(|groups| &groups.pods)
        .filter(|pod| pod.reason == PodReason::Pending)
        .filter_map(|pod| facts.pod(pod.pod))
        .filter(|pod| failure(pod).is_none())
        .collect()
}

/// `2 of 20 pods are Pending (0/6 nodes are available)`, if there are any but those whose containers cannot run.
pub(super) fn pending(facts: &Facts<'_>) -> Option<String> {
    let groups = facts.groups()?;
    let pending = pending_pods(facts);
    let first = pending.first()?;
    let is = if pending.len() == 1 { "is" } else { "are" };
    let all = count(groups.pods.len(), "pod");
    let why = pending
        .iter()
        .find_map(|pod| pod.waiting.as_deref())
        .unwrap_or(first.name.as_str())
        .trim_end_matches('.');
    Some(format!("{} of {all} {is} Pending ({why})", pending.len()))
}
