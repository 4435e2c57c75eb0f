//! The pods that a metric does not count: how many, which of them to check, and whether that might be normal.

use std::{cmp::Reverse, collections::BTreeMap};

use hpa_engine::{
    model::{Pod, PodPhase},
    trace::{ClassifiedPod, GroupPods, PodReason},
};
use hpa_words::{
    amount::{count, names},
    clock::Clock,
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    ExplainContext, Facts,
    command::ShellCommand,
    failing_pods::{failure, look_at},
    pods::{what_lacks, why},
    unmet::ready,
};

/// A pod with its class for a metric.
pub(super) type Uncounted<'a> = (&'a ClassifiedPod, &'a Pod);

/// `Only 1 of 3 replicas is ready`; `None` if all wanted replicas are ready, or that is not known.
pub(super) fn few_ready(cx: &ExplainContext<'_>) -> Option<String> {
    let (current, ready) = (cx.facts.current()?, ready(cx)?);
    (ready < current).then(|| match (ready, current) {
        (_, 1) => "The only replica is not ready".to_owned(),
        (0, _) => format!("None of the {current} replicas is ready"),
        (1, _) => format!("Only 1 of {current} replicas is ready"),
        _ => format!("Only {ready} of {current} replicas are ready"),
    })
}

/// `2 of 8 pods are not ready`, `1 of 8 pods has no metrics`, for the classes that do not count.
pub(super) fn absent(groups: &GroupPods) -> Vec<String> {
    let all = groups.pods.len();
    let mut parts = Vec::new();
    let early = sampled_early(groups);
    let classes = [
        (unready(groups), "is not ready", "are not ready"),
        (
            early,
            "became ready after its sample began",
            "became ready after their samples began",
        ),
        (groups.missing, "has no metrics", "have no metrics"),
    ];
    for (number, one, several) in classes.into_iter().filter(|class| 0 < class.0) {
        if all == 1 {
            return vec![format!("the only pod {one}")];
        }
        let what = if number == 1 { one } else { several };
        let of = if parts.is_empty() {
            format!("{number} of {}", count(all, "pod"))
        } else {
            number.to_string()
        };
        parts.push(format!("{of} {what}"));
    }
    parts
}

/// How many pods count as not ready that are not.
pub(super) fn unready(groups: &GroupPods) -> usize {
    groups.unready.saturating_sub(sampled_early(groups))
}

/// How many pods are ready and count as not ready, because their samples began before.
pub(super) fn sampled_early(groups: &GroupPods) -> usize {
    groups
        .pods
        .iter()
        .filter(|pod| is_sampled_early(pod))
        .count()
}

/// Whether a pod is ready, and its latest sample began before it was.
fn is_sampled_early(pod: &ClassifiedPod) -> bool {
    pod.reason == PodReason::SampleBeforeReady
}

/// `The HPA counts web-4 and web-5 (ready for 10 s) with their next samples, from 10:42:31 on at the earliest.`
fn counted_from(facts: &Facts<'_>, pods: &[Uncounted<'_>], clock: &Clock) -> Option<String> {
    let samples = facts.observation.pod_metrics.read()?;
    let from = |(_, pod): &Uncounted<'_>| {
        let sample = samples.iter().find(|sample| sample.name == pod.name)?;
        let ready = pod.ready?.last_transition?;
        ready.checked_add(sample.window).ok()
    };
    let from = pods.iter().filter_map(from).max()?;
    let named: Vec<&str> = pods.iter().map(|(_, pod)| pod.name.as_str()).collect();
    let ready = pods
        .iter()
        .filter_map(|(_, pod)| pod.ready?.last_transition);
    let mut ready: Vec<String> = ready.map(|at| clock.ago(at)).collect();
    ready.dedup();
    let ready = match ready.as_slice() {
        [ago] => format!(" (ready for {ago})"),
        _ => String::new(),
    };
    let samples = match pods.len() {
        1 => "its next sample",
        _ => "their next samples",
    };
    Some(format!(
        "The HPA counts {}{ready} with {samples}, from {} on at the earliest.",
        names(&named, 2),
        clock.time(from)
    ))
}

/// The pods that are neither counted nor finished, grouped by reason: the two largest groups. Groups and the pods
/// within each are ordered by the longest wait.
pub(super) fn uncounted<'a>(facts: &Facts<'a>, groups: &'a GroupPods) -> Vec<Vec<Uncounted<'a>>> {
    let mut by_reason: BTreeMap<u8, Vec<Uncounted<'a>>> = BTreeMap::new();
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
            | PodReason::Succeeded
            | PodReason::Counted
            | PodReason::CountedThoughNotReady => continue,
        };
        let pod = facts.pod(classified.pod);
        if let Some(pod) = pod.filter(|pod| !is_finished(pod)) {
            by_reason.entry(order).or_default().push((classified, pod));
        }
    }
    let mut groups: Vec<_> = by_reason.into_values().collect();
    let fails = |group: &Vec<Uncounted<'_>>| group.iter().any(|(_, pod)| failure(pod).is_some());
    groups.sort_by_key(|group| (Reverse(fails(group)), Reverse(group.len())));
    groups.truncate(2);
    for group in &mut groups {
        group.sort_by_key(order);
    }
    groups.sort_by_key(|group| group.first().map(order));
    groups
}

/// Pods that have finished, still match the selector and count as pods without metrics, as they do up to 1.37.
pub(super) fn finished<'a>(facts: &Facts<'a>, groups: &GroupPods) -> Vec<&'a str> {
    let pods = groups.pods.iter();
    pods.filter(|pod| pod.reason == PodReason::NoSample)
        .filter_map(|pod| facts.pod(pod.pod))
        .filter(|pod| is_finished(pod))
        .map(|pod| pod.name.as_str())
        .collect()
}

/// What to check and what to delete, where the first sentence begins with `check`: `Check web-6: not ready for 9 min.`, `Also
/// check web-7: Pending for 15 s (might be normal).`, `web-5 has finished and still matches the selector: delete it.`
pub(super) fn checks(
    facts: &Facts<'_>,
    groups: &GroupPods,
    clock: &Clock,
    check: &str,
    displayed: fn(&[&str]) -> String,
) -> Vec<String> {
    let (early, waiting): (Vec<_>, Vec<_>) =
        uncounted(facts, groups).into_iter().partition(|group| {
            group
                .iter()
                .all(|(classified, _)| is_sampled_early(classified))
        });
    let waiting = waiting.iter();
    let reported: Vec<String> = waiting
        .map(|group| waiting_pods(group, clock, displayed))
        .collect();
    let check = reported
        .iter()
        .enumerate()
        .map(|(place, pods)| match place {
            0 => format!("{check} {pods}."),
            _ => format!("Also check {pods}."),
        });
    let finished = finished(facts, groups);
    let delete = (!finished.is_empty()).then(|| {
        let (have, match_, them) = if finished.len() == 1 {
            ("has", "matches", "it")
        } else {
            ("have", "match", "them")
        };
        format!(
            "{} {have} finished and still {match_} the selector: delete {them}.",
            names(&finished, 2)
        )
    });
    let counted = early
        .iter()
        .filter_map(|pods| counted_from(facts, pods, clock));
    check.chain(delete).chain(counted).collect()
}

/// `web-6 and web-7: not ready for 9 min`; pods that do not wait for the same have each its own:
/// `web-6 (not ready for 9 min) and web-7 (not ready for 85 s)`.
fn waiting_pods(
    group: &[Uncounted<'_>],
    clock: &Clock,
    displayed: fn(&[&str]) -> String,
) -> String {
    let are_normal = group.iter().all(|(_, pod)| is_young(pod, clock));
    let why = |(classified, pod): &Uncounted<'_>| why(&in_short(pod), classified, clock);
    let all: Vec<String> = group.iter().map(why).collect();
    let of_first = all.first().map_or("", String::as_str);
    if all.iter().all(|one| one == of_first) {
        let named: Vec<&str> = group.iter().map(|(_, pod)| pod.name.as_str()).collect();
        let of_all = match named.as_slice() {
            [_] => of_first.to_owned(),
            _ => of_first.replace("since it started", "since they started"),
        };
        let normal = if are_normal { " (might be normal)" } else { "" };
        return format!("{}: {of_all}{normal}", displayed(&named));
    }
    let each = group.iter().zip(&all);
    let each: Vec<String> = each
        .map(|((_, pod), why)| format!("{} ({why})", pod.name))
        .collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    let normal = if are_normal {
        ": that might be normal"
    } else {
        ""
    };
    format!("{}{normal}", displayed(&each))
}

/// `web-1, web-2 and 3 more`.
pub(super) fn few_names(pods: &[&str]) -> String {
    names(pods, 2)
}

/// `web-1 and 4 more`.
pub(super) fn one_name(pods: &[&str]) -> String {
    match pods {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} and {} more", rest.len()),
        _ => names(pods, 1),
    }
}

/// The pod with the part of why it waits that says what is lacking: of `0/6 nodes are available: 6 Insufficient cpu.
/// preemption: …` it is `6 Insufficient cpu`. Its command shows the rest.
fn in_short(pod: &Pod) -> Pod {
    Pod {
        waiting: pod.waiting.as_deref().map(what_lacks).map(str::to_owned),
        ..pod.clone()
    }
}

/// Whether every pod that is not counted is ready, and counts with its next sample.
pub(super) fn are_counting_soon(facts: &Facts<'_>, groups: &GroupPods) -> bool {
    let uncounted = uncounted(facts, groups);
    let mut pods = uncounted.iter().flatten();
    !uncounted.is_empty() && pods.all(|(classified, _)| is_sampled_early(classified))
}

/// Whether all pods that are not counted are too young to be ready, and nothing else is known against them.
pub(super) fn are_young(facts: &Facts<'_>, groups: &GroupPods, clock: &Clock) -> bool {
    let uncounted = uncounted(facts, groups);
    let mut pods = uncounted.iter().flatten();
    !uncounted.is_empty() && pods.all(|(_, pod)| is_young(pod, clock))
}

/// Describes the pod that has waited longest, unless its wait might be normal and a finished pod can be deleted.
pub(super) fn command(cx: &ExplainContext<'_>, groups: &GroupPods) -> Option<ShellCommand> {
    let facts = &cx.facts;
    let uncounted = uncounted(facts, groups);
    let waiting = uncounted
        .iter()
        .flatten()
        .filter(|(classified, _)| !is_sampled_early(classified));
    let mut pods = waiting.map(|(_, pod)| *pod);
    let first = pods.next();
    let finished = finished(facts, groups);
    match (first, finished.first()) {
        (Some(pod), finished) if finished.is_none() || !is_young(pod, cx.clock) => {
            Some(look_at(cx, &pod.name, pod.waiting.as_deref()))
        }
        (_, Some(finished)) => Some(
            ShellCommand::new("kubectl delete pod")
                .arg(finished)
                .in_namespace(cx),
        ),
        _ => None,
    }
}

/// The sort key: a pod that fails first, then the longest wait; a pod that is ready already comes last.
fn order((classified, pod): &Uncounted<'_>) -> (bool, bool, bool, Option<Timestamp>) {
    let since = waits_since(classified, pod);
    let is_ready = classified.reason == PodReason::SampleBeforeReady;
    (failure(pod).is_none(), is_ready, since.is_none(), since)
}

/// Since when a pod has been in its state, if known.
pub(super) fn waits_since(classified: &ClassifiedPod, pod: &Pod) -> Option<Timestamp> {
    match classified.reason {
        PodReason::Pending | PodReason::NoReadyConditionOrStart => pod.created,
        PodReason::NotReadyInInitialization => {
            let changed = pod.ready.and_then(|ready| ready.last_transition);
            changed.or(pod.started)
        }
        _ => pod.started,
    }
}

fn is_finished(pod: &Pod) -> bool {
    pod.phase == PodPhase::Succeeded
}

/// Whether a pod is so new that it might still be starting.
fn is_young(pod: &Pod, clock: &Clock) -> bool {
    let starts = |reason: &str| STARTING.contains(&reason);
    let age = pod.created.into_iter().chain(pod.started).min();
    let age = age.map(|at| clock.now.duration_since(at));
    pod.waiting.as_deref().is_none_or(starts)
        && age.is_some_and(|age| !age.is_negative() && age < YOUNG)
}

/// Most pods have started by this age.
const YOUNG: SignedDuration = SignedDuration::from_mins(1);

/// The kubelet's reasons for a container that waits while its pod starts.
const STARTING: [&str; 2] = ["ContainerCreating", "PodInitializing"];
