//! The pods that a metric does not count: how many, which of them to check, and whether that might be normal.

use std::collections::BTreeMap;

use hpa_engine::{
    model::{Pod, PodPhase},
    trace::{ClassifiedPod, GroupPods, PodClass, PodReason},
};
use hpa_words::{
    amount::{count, names},
    clock::{Clock, duration},
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    ExplainContext, Facts, MetricFacts,
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

/// `2 of 8 pods are not ready`, `1 of 8 pods has no metrics`, for the classes that do not count. Those that are not ready
/// include the ones that are `counted`.
pub(super) fn absent(groups: &GroupPods, counted: usize) -> Vec<String> {
    let all = groups.pods.len();
    let mut parts = Vec::new();
    let early = sampled_early(groups).min(groups.unready);
    let classes = [
        (
            unready(groups).saturating_add(counted),
            "is not ready",
            "are not ready",
        ),
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

/// How many pods count though they are not ready, next to others that are not ready and do not count.
pub(super) fn counted_unready(groups: &GroupPods) -> usize {
    let pods = groups.pods.iter();
    let counted = pods.filter(|pod| pod.reason == PodReason::CountedThoughNotReady);
    if unready(groups) == 0 {
        0
    } else {
        counted.count()
    }
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

/// `The HPA counts web-4 and web-5 (ready for 10 s) once their 30 s samples begin after that: from 10:42:31 on at the earliest.`
fn counted_from(facts: &Facts<'_>, pods: &[Uncounted<'_>], clock: &Clock) -> Option<String> {
    let period = facts.observation.controller.cpu_initialization_period.value;
    let from = |(classified, pod): &Uncounted<'_>| {
        let ready = pod.ready?.last_transition?;
        let sampled = ready.checked_add(classified.window).ok()?;
        let started = pod.started?.checked_add(period).ok()?;
        Some((sampled.min(started), started < sampled, classified.window))
    };
    let (from, is_initialized, window) = pods.iter().filter_map(from).max()?;
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
    let window = duration(window);
    let once = match (is_initialized, pods.len()) {
        (true, _) => format!(
            "after the CPU initialization period of {}",
            duration(period)
        ),
        (false, 1) => format!("once its {window} sample begins after that"),
        (false, _) => format!("once their {window} samples begin after that"),
    };
    Some(format!(
        "The HPA counts {}{ready} {once}: from {} on at the earliest.",
        names(&named, 2),
        clock.time(from)
    ))
}

/// The pods that are neither counted nor finished, grouped by reason. Groups and the pods within each are ordered by
/// what they change, then by the longest wait.
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
    let added = facts.winner().and_then(MetricFacts::added_back);
    let is_added =
        |pod: usize| added.is_some_and(|step| step.added.iter().any(|one| one.pod == pod));
    let by_effect = |one: &Uncounted<'_>| (!is_added(one.0.pod), order(one));
    for group in &mut groups {
        group.sort_by_key(by_effect);
    }
    groups.sort_by_key(|group| group.first().map(by_effect));
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

/// What to do about the pods that are not counted.
#[derive(Default)]
pub(super) struct Checks {
    /// Which to check: `Check web-6: not ready for 9 min.`, `Also check web-7: Pending for 15 s (might be normal).`
    pub(super) check: Vec<String>,
    /// All of these in one sentence, ever shorter: `Check web-6: not ready for 9 min, and 1 more.`, `Check web-6 (not
    /// ready) and 1 more.`
    pub(super) shorter: Vec<String>,
    /// `web-5 has finished and still matches the selector: delete it.`, and from when on others count.
    pub(super) others: Vec<String>,
}

/// What to check and what to delete, where the first sentence begins with `check`.
pub(super) fn checks(facts: &Facts<'_>, groups: &GroupPods, clock: &Clock, check: &str) -> Checks {
    let (early, waiting) = early_and_waiting(facts, groups);
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
    let others = delete.into_iter().chain(counted).collect();
    let Some((first, more)) = waiting.split_first() else {
        return Checks {
            others,
            ..Checks::default()
        };
    };
    let named = |group: &[Uncounted<'_>]| waiting_pods(group, clock, few_names);
    let mut sentences = vec![format!("{check} {}.", named(first))];
    if let Some((second, more)) = more.split_first() {
        let more = match more.iter().map(Vec::len).sum::<usize>() {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        sentences.push(format!("Also check {}{more}.", named(second)));
    }
    Checks {
        check: sentences,
        shorter: shorter(&waiting, clock, check),
        others,
    }
}

/// All pods to check in one sentence, ever shorter.
fn shorter(waiting: &[Vec<Uncounted<'_>>], clock: &Clock, check: &str) -> Vec<String> {
    let all: Vec<&Uncounted<'_>> = waiting.iter().flatten().collect();
    let Some(((classified, pod), rest)) = all.split_first() else {
        return Vec::new();
    };
    let in_full = if let [only] = waiting {
        waiting_pods(only, clock, one_name)
    } else {
        let why = why(&in_short(pod), classified, clock);
        let nested = why.contains('(');
        let why = if nested {
            format!(": {why},")
        } else {
            format!(" ({why})")
        };
        format!("{}{why} and {} more", pod.name, rest.len())
    };
    let state = match (classified.reason, failure(pod)) {
        (_, Some(failure)) => failure,
        (PodReason::Pending, _) => "Pending",
        (PodReason::NoSample, _) => "no metrics",
        _ => "not ready",
    };
    let more = match rest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    vec![
        format!("{check} {in_full}."),
        format!("{check} {} ({state}){more}.", pod.name),
    ]
}

/// The pods that do not count: those that are ready already, and those that wait.
type EarlyAndWaiting<'a> = (Vec<Vec<Uncounted<'a>>>, Vec<Vec<Uncounted<'a>>>);

fn early_and_waiting<'a>(facts: &Facts<'a>, groups: &'a GroupPods) -> EarlyAndWaiting<'a> {
    let groups = uncounted(facts, groups).into_iter();
    groups.partition(|group| {
        group
            .iter()
            .all(|(classified, _)| is_sampled_early(classified))
    })
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
fn few_names(pods: &[&str]) -> String {
    names(pods, 2)
}

/// `web-1 and 4 more`.
fn one_name(pods: &[&str]) -> String {
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

/// The sort key: a pod that fails first, then the longest wait; a pod that counts or is ready already comes last.
fn order((classified, pod): &Uncounted<'_>) -> (bool, bool, bool, bool, Option<Timestamp>) {
    let since = waits_since(classified, pod);
    let is_ready = is_sampled_early(classified);
    let is_counted = classified.class == PodClass::Ready;
    (
        failure(pod).is_none(),
        is_ready,
        is_counted,
        since.is_none(),
        since,
    )
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
