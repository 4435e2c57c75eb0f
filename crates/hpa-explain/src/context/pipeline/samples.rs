//! How old the samples are, over how long they were measured, and which pods have none.

use std::collections::BTreeMap;

use hpa_engine::{
    model::{ContainerUsage, Pod, PodMetrics, PodPhase, Provenance, find_resource},
    trace::{ClassifiedPod, PodClass, PodReason},
};
use hpa_words::{
    amount::names,
    clock::{duration, rough},
};
use jiff::{SignedDuration, Timestamp};

use super::{failure::samples_of, metric_note::MetricNote};
use crate::{
    ExplainContext, MetricFacts,
    note::{NoteTopic, NoteView, NoteWeight},
};

/// The ages of the samples of one metric: a warning if some are old or have long been missing.
pub(super) fn notes(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Vec<MetricNote> {
    let samples = samples(cx, metric);
    let mut notes = Vec::new();
    notes.extend(old(&samples));
    notes.extend(missing(cx, metric));
    if let Some(groups) = metric.groups
        && !samples.is_empty()
    {
        let without: Vec<&str> = groups
            .pods
            .iter()
            .filter(|pod| pod.usage.is_none())
            .filter_map(|pod| Some(cx.facts.pod(pod.pod)?.name.as_str()))
            .collect();
        let none = if without.is_empty() {
            String::new()
        } else {
            format!("; no metrics: {}", names(&without, without.len()))
        };
        notes.push(MetricNote::detail(format!(
            "{}, {}{none}",
            samples_of(samples.len(), groups.pods.len()),
            spread(&samples)
        )));
        let is_uneven = samples.first().map(|sample| sample.age.as_secs())
            != samples.last().map(|sample| sample.age.as_secs());
        if is_uneven {
            let ages: Vec<String> = samples
                .iter()
                .map(|sample| format!("{} {}", sample.pod, rough(sample.age)))
                .collect();
            notes.push(MetricNote::detail(format!(
                "ages, the oldest first: {}",
                names(&ages, MOST_LISTED)
            )));
        }
    } else if let Some(age) = oldest_value(cx, metric) {
        notes.push(if OLD <= age {
            MetricNote::warning(format!(
                "its value is {} old: the decision reflects that time",
                rough(age)
            ))
        } else {
            MetricNote::detail(format!("its value is {} old", rough(age)))
        });
    }
    notes
}

/// How long a change of the load takes to show in the samples; a detail unless some sample is old enough to matter.
pub(super) fn lag(cx: &ExplainContext<'_>) -> Option<NoteView> {
    let oldest = cx
        .facts
        .metrics
        .iter()
        .filter_map(|metric| samples(cx, metric).into_iter().find(|one| one.is_counted))
        .max_by_key(|sample| sample.age.saturating_add(sample.window))?;
    let sync = &cx.facts.observation.sync_period();
    let how = match sync.provenance {
        Provenance::Assumed => " (assumed)",
        _ => "",
    };
    let budget = oldest
        .age
        .saturating_add(oldest.window)
        .saturating_add(sync.value);
    let weight = if SLOW <= budget {
        NoteWeight::Normal
    } else {
        NoteWeight::Detail
    };
    Some(NoteTopic::Pipeline.note("metrics", 
        weight,
        format!(
            "a change of load counts in full after up to {}: {} since the oldest sample, {} that it \
             covers, {} from sync to sync{how}",
            seconds(budget),
            seconds(oldest.age),
            seconds(oldest.window),
            duration(sync.value),
        ),
    ))
}

/// The sample of one pod.
struct PodSample<'a> {
    pod: &'a str,
    age: SignedDuration,
    window: SignedDuration,
    is_counted: bool,
}

/// The samples of a metric on pods, the oldest first.
fn samples<'a>(cx: &ExplainContext<'a>, metric: &MetricFacts<'a>) -> Vec<PodSample<'a>> {
    let Some(groups) = metric.groups else {
        return Vec::new();
    };
    let mut samples: Vec<PodSample<'a>> = groups
        .pods
        .iter()
        .filter_map(|pod| {
            pod.usage?;
            Some(PodSample {
                pod: &cx.facts.pod(pod.pod)?.name,
                age: age(cx, pod.sampled?)?,
                window: pod.window,
                is_counted: pod.class == PodClass::Ready,
            })
        })
        .collect();
    samples.sort_by(|one, other| other.age.cmp(&one.age).then(one.pod.cmp(other.pod)));
    samples
}

/// The age of a sample; `None` if it has no time.
fn age(cx: &ExplainContext<'_>, at: Timestamp) -> Option<SignedDuration> {
    // Go's zero time means no time.
    (0 < at.as_second()).then(|| cx.clock.age(at))
}

/// `10 s to 41 s old, over 15 s each`.
fn spread(samples: &[PodSample<'_>]) -> String {
    let range = |of: fn(&PodSample<'_>) -> SignedDuration| {
        let values = || samples.iter().map(of);
        let (least, most) = (
            seconds(values().min().unwrap_or_default()),
            seconds(values().max().unwrap_or_default()),
        );
        if least == most {
            least
        } else {
            format!("{least} to {most}")
        }
    };
    format!(
        "{} old, over {} each",
        range(|sample| sample.age),
        range(|sample| sample.window)
    )
}

/// Samples too old to describe the present.
fn old(samples: &[PodSample<'_>]) -> Option<MetricNote> {
    let old: Vec<String> = samples
        .iter()
        .filter(|sample| OLD <= sample.age)
        .map(|sample| format!("{} ({})", sample.pod, rough(sample.age)))
        .collect();
    let oldest = samples.first()?;
    let text = match old.len() {
        0 => return None,
        all if all == samples.len() => format!(
            "every sample is old, the oldest {}: the decision is about that time, and the \
             server of the API has not measured since",
            rough(oldest.age)
        ),
        _ => format!(
            "old samples: {}; they count as if they were new",
            names(&old, 3)
        ),
    };
    Some(MetricNote::warning(text))
}

/// Pods that should have a sample by now.
fn missing(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Vec<MetricNote> {
    let pods = metric.groups.map(|groups| groups.pods.as_slice());
    let is_missing = |pod: &&ClassifiedPod| pod.reason == PodReason::NoSample;
    let samples = cx.facts.observation.pod_metrics.read();
    let samples: BTreeMap<&str, &PodMetrics> = samples
        .into_iter()
        .flatten()
        .map(|sample| (sample.name.as_str(), sample))
        .collect();
    let mut lacking: Vec<MetricNote> = Vec::new();
    let mut silent: Vec<&str> = Vec::new();
    for pod in pods
        .unwrap_or_default()
        .iter()
        .filter(is_missing)
        .filter_map(|pod| cx.facts.pod(pod.pod))
        .filter(|pod| pod.phase == PodPhase::Running && has_run_long(cx, pod))
    {
        let sample = samples.get(pod.name.as_str());
        match sample.and_then(|sample| incomplete(metric, sample)) {
            Some(container) if lacking.is_empty() => lacking.push(MetricNote::warning(format!(
                "{} has a sample, but not of container {container}, so all of the pod counts as missing",
                pod.name
            ))),
            Some(_) => {}
            None => silent.push(&pod.name),
        }
    }
    if !silent.is_empty() {
        let have = if silent.len() == 1 { "has" } else { "have" };
        lacking.push(MetricNote::warning(format!(
            "{} {have} run for more than {} without a sample",
            names(&silent, 3),
            rough(OLD)
        )));
    }
    lacking
}

fn has_run_long(cx: &ExplainContext<'_>, pod: &Pod) -> bool {
    pod.started
        .is_some_and(|at| OLD <= cx.clock.now.duration_since(at))
}

/// The container that a pod's sample does not cover.
fn incomplete<'a>(metric: &MetricFacts<'a>, item: &'a PodMetrics) -> Option<&'a str> {
    let has =
        |container: &ContainerUsage, resource| find_resource(&container.usage, resource).is_some();
    let resource = metric.resource()?;
    let mut containers = item.containers.iter();
    match metric.spec?.container() {
        None => containers
            .find(|container| !has(container, resource))
            .map(|container| container.name.as_str()),
        Some(own) => {
            let is_there =
                containers.any(|container| container.name == own && has(container, resource));
            (!is_there).then_some(own)
        }
    }
}

/// The age of the oldest value of an Object or External metric.
fn oldest_value(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<SignedDuration> {
    metric.replicas()?;
    let index = metric.evaluation.index;
    let observation = cx.facts.observation;
    let custom = observation
        .custom_metrics
        .iter()
        .filter(|answer| answer.index == index)
        .filter_map(|answer| answer.answer.read())
        .flatten()
        .filter_map(|item| item.timestamp);
    let external = observation
        .external_metrics
        .iter()
        .filter(|answer| answer.index == index)
        .filter_map(|answer| answer.answer.read())
        .flatten()
        .filter_map(|item| item.timestamp);
    custom.chain(external).filter_map(|at| age(cx, at)).max()
}

/// A duration in whole seconds.
fn seconds(exact: SignedDuration) -> String {
    duration(SignedDuration::from_secs(exact.as_secs()))
}

/// A sample of this age is old: twice the longest usual scrape interval, which is one minute.
const OLD: SignedDuration = SignedDuration::from_mins(2);

/// A lag is worth a line from here on.
const SLOW: SignedDuration = SignedDuration::from_mins(2);

/// At most this many ages are listed.
const MOST_LISTED: usize = 20;
