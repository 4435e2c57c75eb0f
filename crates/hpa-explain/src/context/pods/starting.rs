//! Starting pods: how many do not count yet, how they affect the decision, and which count too early.

use std::collections::BTreeSet;

use hpa_analysis::{Belonging, ownership};
use hpa_diagnosis::{
    effect::Effect,
    startup_cpu::{self, AT_ONCE, WARM_UP},
};
use hpa_engine::{
    engine,
    model::{KnownKind, Pod},
    trace::{ClassifiedPod, GroupPods, PodClass, PodReason},
};
use hpa_words::{
    amount::{count, names, ratio},
    clock::duration,
};

use super::without::without;
use crate::{
    Decider, ExplainContext, MetricFacts, NoteTopic, NoteView, NoteWeight,
    command::of_pods,
    not_counted::sampled_early,
    pods::displayed_metric,
    situation::{Place, Situation},
    startup::{begin, is_cpu},
};

/// Pods that are not ready and dampen a scale-up, and young pods that count in full.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let Some((metric, groups)) =
        displayed_metric(&cx.facts).and_then(|metric| Some((metric, metric.groups?)))
    else {
        return Vec::new();
    };
    let mut notes = damped(cx, metric, groups);
    notes.extend(young(cx, metric, groups));
    notes
}

/// Situation: the CPU usage of starting pods counts as load while the metrics ask for more replicas. Only a cause of what
/// the deciding metric reads, so only for CPU; and it does not come before a rate limit or a bound that decides.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    let metric = cx.facts.winner().filter(|metric| is_cpu(metric))?;
    let groups = metric.groups?;
    let counted = counted(groups);
    let starting = starting(cx, groups);
    let proposal = cx.facts.proposal()?;
    let is_short = cx.facts.current()? < proposal;
    let is_at_max = cx.rule.decider() == Decider::Max && cx.facts.max() < proposal;
    let is_large_part = counted.len() < starting.len().saturating_mul(2);
    let are_at_once = starting.iter().all(|(_, pod)| is_ready_at_once(cx, pod));
    if !is_short || !is_large_part || !are_at_once || !use_more(&counted, &starting) {
        return None;
    }
    let begin = starting.iter().filter_map(|(_, pod)| begin(pod)).min()?;
    let who = if starting.len() == counted.len() {
        format!("All {}", count(starting.len(), "pod"))
    } else {
        format!("{} of {}", starting.len(), count(counted.len(), "pod"))
    };
    let mut sentences = vec![format!(
        "{who} started in the last {} and have no readiness probe, so the CPU of their startup counts as load.",
        cx.clock.ago(begin)
    )];
    if is_at_max {
        sentences.push("Wait until it ends before you raise maxReplicas.".to_owned());
    }
    sentences.push("Lasting fix: a readiness probe that waits for the warm-up.".to_owned());
    let is_first = matches!(
        cx.rule.decider(),
        Decider::Metric | Decider::Rounding | Decider::StepLimit
    );
    Some(Situation {
        place: if is_first {
            Place::Before
        } else {
            Place::After
        },
        words: is_first.then(|| "startup CPU as load".to_owned()),
        sentences,
        command: of_pods(cx, "kubectl top pods"),
    })
}

/// What counting them changes.
pub(crate) fn effect(cx: &ExplainContext<'_>) -> Option<Effect> {
    let groups = cx.facts.winner()?.groups?;
    let pods = starting(cx, groups).into_iter();
    let names = pods.map(|(_, pod)| pod.name.as_str()).collect();
    startup_cpu::effect(cx.today(), &names)
}

/// The counted pods whose samples cover their start.
fn starting<'a>(
    cx: &ExplainContext<'a>,
    groups: &'a GroupPods,
) -> Vec<(&'a ClassifiedPod, &'a Pod)> {
    let counted = counted(groups).into_iter();
    counted
        .filter_map(|classified| Some((classified, cx.facts.pod(classified.pod)?)))
        .filter(|(classified, pod)| is_sampled_at_start(classified, pod))
        .collect()
}

/// The pods that are ready and counted.
fn counted(groups: &GroupPods) -> Vec<&ClassifiedPod> {
    let counted = groups.pods.iter();
    counted
        .filter(|pod| pod.class == PodClass::Ready && pod.reason == PodReason::Counted)
        .collect()
}

/// Whether the sample of a pod covers its start. A pod that ran before that is no longer starting.
fn is_sampled_at_start(classified: &ClassifiedPod, pod: &Pod) -> bool {
    let started = pod.start.containers_started.or_else(|| begin(pod));
    let from = classified
        .sampled
        .map(|at| engine::before(at, classified.window));
    started
        .zip(from)
        .is_some_and(|(started, from)| from < engine::after(started, WARM_UP))
}

/// Whether starting pods use more than those that have run for longer, if there are any.
fn use_more(counted: &[&ClassifiedPod], starting: &[(&ClassifiedPod, &Pod)]) -> bool {
    let usage = |pod: &ClassifiedPod| i128::from(pod.usage.unwrap_or_default().0);
    let of_all: i128 = counted.iter().map(|pod| usage(pod)).sum();
    let of_starting: i128 = starting.iter().map(|(pod, _)| usage(pod)).sum();
    let (all, number) = (counted.len(), starting.len());
    let (Ok(all), Ok(number)) = (i128::try_from(all), i128::try_from(number)) else {
        return false;
    };
    number == all || of_all.saturating_mul(number) < of_starting.saturating_mul(all)
}

/// The pods whose samples count, and those among them that started within the initialization period.
fn young_pods<'a>(cx: &ExplainContext<'a>, groups: &'a GroupPods) -> (Vec<&'a Pod>, Vec<&'a Pod>) {
    let period = cx
        .facts
        .observation
        .controller
        .cpu_initialization_period
        .value;
    let counted = pods_of(cx, groups, |pod| {
        pod.class == PodClass::Ready && pod.reason == PodReason::Counted
    });
    let is_young = |pod: &&Pod| {
        pod.started
            .is_some_and(|at| cx.clock.now < engine::after(at, period))
    };
    let young = counted.iter().copied().filter(is_young).collect();
    (counted, young)
}

/// The pods of a class.
fn pods_of<'a>(
    cx: &ExplainContext<'a>,
    groups: &'a GroupPods,
    is_selected: impl Fn(&ClassifiedPod) -> bool,
) -> Vec<&'a Pod> {
    groups
        .pods
        .iter()
        .filter(|pod| is_selected(pod))
        .filter_map(|pod| cx.facts.pod(pod.pod))
        .collect()
}

/// How pods that are not ready affect a metric that asks for more replicas.
fn damped<'a>(
    cx: &ExplainContext<'a>,
    metric: &MetricFacts<'a>,
    groups: &'a GroupPods,
) -> Vec<NoteView> {
    let unready = pods_of(cx, groups, |pod| pod.class == PodClass::Unready);
    let (Some(first), Some(adjusted)) = (metric.ratio, metric.adjusted_ratio) else {
        return Vec::new();
    };
    let adds_unready = metric.add_back.is_some_and(|step| step.adds_unready);
    if unready.is_empty() || !adds_unready {
        return Vec::new();
    }
    let all = groups.pods.len();
    let share = unready.len() * 100 / all.max(1);
    let without = without(cx, &unready);
    let state = match sampled_early(groups) {
        0 => "not ready",
        early if early == unready.len() => "just ready",
        _ => "not or just ready",
    };
    let title = if state == "just ready" {
        state
    } else {
        "not ready"
    };
    let (counts, are) = if unready.len() == 1 {
        ("counts", "is")
    } else {
        ("count", "are")
    };
    let (before, after) = (first.usage_ratio, adjusted.usage_ratio);
    let damping = format!(
        "{} of {} ({share}%) {are} {state} and {counts} as 0: ratio {} becomes {}",
        unready.len(),
        count(all, "pod"),
        ratio(before, &[1.0, after]),
        ratio(after, &[1.0, before]),
    );
    // The answer, or a line of the metric, already says that they count as 0.
    let mut text = format!(
        "without the {} that {are} {state} ({share}%): {}.",
        count(unready.len(), "pod"),
        without.text
    );
    let now = cx
        .facts
        .limit
        .map(|limit| limit.desired)
        .or_else(|| cx.facts.current());
    if now < without.replicas
        && let Some(set) = rollout(cx, groups, &unready)
    {
        text += &format!(" Fix the rollout ({set}), and the HPA follows.");
    }
    let named: Vec<&str> = unready.iter().map(|pod| pod.name.as_str()).collect();
    vec![
        note(
            title,
            text,
            match without.weight {
                NoteWeight::Warning | NoteWeight::Normal => NoteWeight::Normal,
                NoteWeight::Detail => NoteWeight::Detail,
            },
        ),
        note(
            title,
            format!("{damping} ({}).", names(&named, 20)),
            NoteWeight::Detail,
        ),
    ]
}

/// The ReplicaSet of a stuck rollout: all pods that are not ready belong to it, and the counted ones to another.
fn rollout(cx: &ExplainContext<'_>, groups: &GroupPods, unready: &[&Pod]) -> Option<String> {
    let set_of = |pod: &Pod| {
        let owner = pod.owner.clone()?;
        let is_own = ownership(pod, cx.facts.observation, cx.context).belonging != Belonging::Other;
        (is_own && KnownKind::of(&owner.kind).is_replica_set()).then_some(owner.name)
    };
    let sets = |pods: &[&Pod]| {
        pods.iter()
            .map(|pod| set_of(pod))
            .collect::<Option<BTreeSet<String>>>()
    };
    let new = sets(unready)?;
    let counted = pods_of(cx, groups, |pod| pod.class == PodClass::Ready);
    let old = sets(&counted)?;
    let mut new = new.into_iter();
    match (new.next(), new.next()) {
        (Some(only), None) if !old.is_empty() && !old.contains(&only) => {
            Some(format!("ReplicaSet/{only}"))
        }
        _ => None,
    }
}

/// Young pods whose samples count in full: the metric has no initialization period, or the pod no readiness probe.
fn young<'a>(
    cx: &ExplainContext<'a>,
    metric: &MetricFacts<'a>,
    groups: &'a GroupPods,
) -> Option<NoteView> {
    let period = cx
        .facts
        .observation
        .controller
        .cpu_initialization_period
        .value;
    let (counted, young) = young_pods(cx, groups);
    if young.is_empty() {
        return None;
    }
    let needs_more = cx
        .facts
        .current()
        .zip(cx.facts.proposal())
        .is_some_and(|(current, proposal)| current < proposal);
    let (started, counts) = if young.len() == 1 {
        ("started", "counts")
    } else {
        ("started", "count")
    };
    let head = format!(
        "{} of {} {started} less than {} ago",
        young.len(),
        count(counted.len(), "counted pod"),
        duration(period)
    );
    let text = if !is_cpu(metric) {
        format!(
            "{head} and {counts} in full: the startup grace period applies to CPU only, not to {}.",
            metric.name()
        )
    } else if young.iter().all(|pod| is_ready_at_once(cx, pod)) {
        format!(
            "{head} without a readiness probe: such pods are ready as soon as they run, so the CPU of \
             their startup counts."
        )
    } else {
        return None;
    };
    let weight = if needs_more {
        NoteWeight::Normal
    } else {
        NoteWeight::Detail
    };
    Some(note("new pods", text, weight))
}

/// Whether a pod has no readiness probe and was ready immediately. Only live objects include probes.
fn is_ready_at_once(cx: &ExplainContext<'_>, pod: &Pod) -> bool {
    let has_probe = pod
        .containers
        .iter()
        .any(|container| container.readiness_probe.is_some());
    let ready = pod.ready.and_then(|ready| ready.last_transition);
    let started = pod.start.containers_started.or_else(|| begin(pod));
    cx.context.target.is_some()
        && !has_probe
        && ready
            .zip(started)
            .is_some_and(|(ready, started)| ready.duration_since(started) <= AT_ONCE)
}

fn note(title: &'static str, text: String, weight: NoteWeight) -> NoteView {
    NoteTopic::Pods.note(title, weight, text)
}
