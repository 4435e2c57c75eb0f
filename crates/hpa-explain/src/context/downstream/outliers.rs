//! Samples that no container can have produced.

use std::collections::BTreeMap;

use hpa_engine::{
    model::{Container, ContainerUsage, Observation, Pod, quantity::Overflow},
    trace::Milli,
};
use hpa_words::amount::MetricUnit;

use super::{NoteView, NoteWeight};
use crate::{ExplainContext, NoteTopic};

/// Samples far above the limit of their container.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let text = impossible_sample(cx.facts.observation);
    text.map(|text| {
        NoteTopic::Pipeline.note(
            "outlier",
            NoteWeight::Warning,
            format!("{text}: the sample is wrong, and it counts in full"),
        )
    })
    .into_iter()
    .collect()
}

/// The sample farthest above the limit of its container, if it is so far above that no container can have produced it.
pub fn impossible_sample(observation: &Observation) -> Option<String> {
    let (pods, samples) = (observation.pods.read()?, observation.pod_metrics.read()?);
    // Most pods have no limit on what is measured.
    if !pods.iter().any(|pod| is_limited(observation, pod)) {
        return None;
    }
    let by_name: BTreeMap<&str, &Pod> = pods.iter().map(|pod| (pod.name.as_str(), pod)).collect();
    let mut outliers: Vec<Outlier<'_>> = samples
        .iter()
        .filter_map(|sample| {
            let pod = *by_name.get(sample.name.as_str())?;
            let usages = sample.containers.iter();
            Some(usages.flat_map(move |usage| outliers_of(pod, usage)))
        })
        .flatten()
        .filter(|outlier| is_measured(observation, outlier.resource))
        .collect();
    outliers.sort_by_key(|outlier| std::cmp::Reverse(outlier.times));
    let more = match outliers.len() {
        0 | 1 => String::new(),
        2 => ", and so does 1 more sample".to_owned(),
        number => format!(", and so do {} more samples", number - 1),
    };
    let worst = outliers.first()?;
    let unit = MetricUnit::of_resource(worst.resource);
    Some(format!(
        "container {} of {} shows {} {}, {} times its limit of {}{more}",
        worst.container,
        worst.pod,
        unit.amount(worst.usage),
        worst.resource,
        worst.times,
        unit.amount(worst.limit),
    ))
}

/// Whether a container of the pod has a limit on what is measured.
fn is_limited(observation: &Observation, pod: &Pod) -> bool {
    let mut containers = pod.containers.iter().chain(&pod.init_containers);
    containers.any(|container| {
        let mut limits = container.limits.iter();
        limits.any(|(resource, _)| is_measured(observation, resource))
    })
}

/// Whether a metric of the HPA is on this resource.
fn is_measured(observation: &Observation, resource: &str) -> bool {
    let mut metrics = observation.hpa.spec.metrics.iter();
    metrics.any(|metric| metric.is_resource(resource))
}

/// A sample far above the limit.
struct Outlier<'a> {
    pod: &'a str,
    container: &'a str,
    resource: &'a str,
    usage: Milli,
    limit: Milli,
    /// How many whole times the limit fits into the sample.
    times: i64,
}

fn outliers_of<'a>(pod: &'a Pod, usage: &'a ContainerUsage) -> impl Iterator<Item = Outlier<'a>> {
    let containers = pod.containers.iter().chain(&pod.init_containers);
    let container: Option<&Container> = containers
        .into_iter()
        .find(|container| container.name == usage.name);
    container.into_iter().flat_map(move |container| {
        usage.usage.iter().filter_map(move |(resource, used)| {
            let limit = container
                .limits
                .iter()
                .find(|(name, _)| name == resource)
                .map(|(_, limit)| limit.milli_value(Overflow::Saturate))
                .filter(|limit| 0 < *limit)?;
            let used = used.milli_value(Overflow::Saturate);
            let times = used / limit;
            (FAR <= times).then_some(Outlier {
                pod: &pod.name,
                container: &container.name,
                resource,
                usage: Milli(used),
                limit: Milli(limit),
                times,
            })
        })
    })
}

/// A container is held at its limit over a sample's window, with some slack; twice the limit is impossible.
const FAR: i64 = 2;
