//! The metric values in a sync: the controller's own, or what the containers' counters allow.

use hpa_analysis::{RoundingEnd, fit_counted_pods, with_values_of_metrics};
use hpa_engine::{
    engine,
    model::{
        ApiError, Memory, MetricValueStatus, Observation, Pod, Quantity, Reading, quantity::Format,
    },
    trace::{MetricStep, PodClass, Trace},
};
use jiff::Timestamp;

use crate::{
    Bounded,
    case::Case,
    frame::values_of,
    observer::{Observer, is_average_over_replicas},
    pods::quantity,
    sample_age::is_running,
    series::{Millis, at},
};

/// The observation with the controller's own values, at both ends of their rounding if that can matter; and whether they
/// can be those of its pods.
pub(crate) fn with_values(
    mut observation: Observation,
    values: &[Option<MetricValueStatus>],
    now: Timestamp,
) -> (Vec<Observation>, bool) {
    let mut known: Vec<(usize, &MetricValueStatus)> = Vec::new();
    for (index, value) in values.iter().enumerate() {
        match value {
            Some(value) => known.push((index, value)),
            None => fail(&mut observation, index),
        }
    }
    let trace = engine::decide(&observation, &mut Memory::default(), now);
    let mut metrics = observation.hpa.spec.metrics.iter();
    let ends = if adds_pods_back(&trace) || metrics.any(is_average_over_replicas) {
        &RoundingEnd::ALL[..]
    } else {
        &RoundingEnd::ALL[..1]
    };
    let at = |end: &RoundingEnd| with_values_of_metrics(&observation, &trace, &known, *end);
    let found: Vec<Observation> = ends.iter().filter_map(at).collect();
    let fits = !found.is_empty() && fit_counted_pods(&observation, &trace, &known);
    (found, fits)
}

impl Observer<'_> {
    /// The observation with the usage that the containers' counters allow, and the values that the courses of other
    /// metrics allow: most probable, lowest, highest. None if they do not show it.
    pub(crate) fn with_counters(
        &self,
        mut case: Case<'_>,
        time: Millis,
    ) -> Option<Vec<Observation>> {
        let used = self.used(&mut case, time)?;
        let at = |bound: Bound| {
            let mut then = case.observation.clone();
            used.set(&mut then, bound);
            then
        };
        Some(BOUNDS.map(at).to_vec())
    }

    /// The recommendations for the values that the counters and courses allow, most probable first. None if they do not
    /// show it.
    pub(crate) fn recommended(
        &self,
        mut case: Case<'_>,
        (time, now): (Millis, Timestamp),
    ) -> Option<Vec<i32>> {
        let used = self.used(&mut case, time)?;
        let mut all = Vec::new();
        for (index, bound) in BOUNDS.into_iter().enumerate() {
            let is_same = |other: &Bound| used.all().all(|one| other(one) == bound(one));
            if BOUNDS[..index].iter().any(is_same) {
                continue;
            }
            used.set(&mut case.observation, bound);
            let trace = engine::decide(&case.observation, &mut Memory::default(), now);
            all.extend(trace.stabilize().map(|one| one.recommendation));
        }
        Some(all)
    }

    /// The values of a case's metrics. Drops samples of pods whose usage is unknown. None: they do not determine all of
    /// the metrics.
    fn used(&self, case: &mut Case<'_>, time: Millis) -> Option<Used> {
        let mut used = Used::default();
        let mut resources: Vec<&str> = Vec::new();
        let mut pods_with_values: Vec<(usize, Vec<String>)> = Vec::new();
        let observation = &mut case.observation;
        for (index, metric) in observation.hpa.spec.metrics.iter().enumerate() {
            if let Some(resource) = metric.resource() {
                resources.push(resource);
                continue;
            }
            let course = self.courses.iter().find(|one| one.index == index)?;
            if !metric.is_pods() {
                used.of_metrics.push((index, vec![course.at(time)?]));
                continue;
            }
            let pods = observation.pods.read().map_or(&[][..], |pods| &**pods);
            let of_pod = |pod: &Pod| Some((pod.name.clone(), course.of_pod(&pod.name, time)?));
            let known: Vec<(String, Bounded)> = pods.iter().filter_map(of_pod).collect();
            if known.is_empty() {
                return None;
            }
            let (names, values): (Vec<_>, Vec<_>) = known.into_iter().unzip();
            pods_with_values.push((index, names));
            used.of_metrics.push((index, values));
        }
        for (index, names) in pods_with_values {
            let mut answers = observation.custom_metrics.iter_mut();
            if let Some(answer) = answers.find(|one| one.index == index) {
                answer.answer = Reading::Read(values_of(names, at(time)));
            }
        }
        if resources.is_empty() {
            return (!used.of_metrics.is_empty()).then_some(used);
        }
        if self.counters.is_empty() {
            return None;
        }
        // metrics-server still read a pod whose series have ended.
        let pods = observation.pods.read().map_or(&[][..], |pods| &**pods);
        let mut pods = pods.iter().zip(case.counters.iter());
        if pods.any(|(pod, counters)| {
            is_running(pod)
                && pod.deleted.is_none()
                && counters.as_ref().is_some_and(|one| one.is_lost(time))
        }) {
            return None;
        }
        let resources: Vec<&str> = ["cpu", "memory"]
            .into_iter()
            .filter(|resource| resources.contains(resource))
            .collect();
        if let Reading::Read(samples) = &mut observation.pod_metrics {
            let mut counters = case.samples.iter().map(|one| &case.counters[one.pod]);
            samples.retain_mut(|sample| {
                let counters = counters.next().and_then(Option::as_deref);
                sample.containers.retain_mut(|container| {
                    let found = resources.iter().filter_map(|resource| {
                        let used = counters?.use_of(&container.name, resource, time)?;
                        Some((*resource, used))
                    });
                    let found: Vec<(&str, Bounded)> = found.collect();
                    let names = container.usage.iter().map(|(name, _)| name.as_str());
                    if !names.eq(found.iter().map(|(name, _)| *name)) {
                        let usage =
                            |(name, _): &(&str, _)| ((*name).to_owned(), quantity(name, 0.0));
                        container.usage = found.iter().map(usage).collect();
                    }
                    used.of_pods.extend(found.iter().map(|(_, used)| *used));
                    !found.is_empty()
                });
                !sample.containers.is_empty()
            });
        }
        Some(used)
    }
}

/// The values of metrics.
#[derive(Default)]
struct Used {
    /// The usage of containers, in the order of the samples.
    of_pods: Vec<Bounded>,
    /// The values of other metrics, by their index in the spec: one, or those of the pods of a Pods metric.
    of_metrics: Vec<(usize, Vec<Bounded>)>,
}

/// Picks one number of a usage.
type Bound = fn(&Bounded) -> f64;

/// The most probable one, then the bounds.
const BOUNDS: [Bound; 3] = [|one| one.likely, |one| one.least, |one| one.most];

impl Used {
    fn all(&self) -> impl Iterator<Item = &Bounded> {
        let of_metrics = self.of_metrics.iter().flat_map(|(_, values)| values);
        self.of_pods.iter().chain(of_metrics)
    }

    /// Sets these values in an observation.
    fn set(&self, observation: &mut Observation, bound: Bound) {
        for (index, values) in &self.of_metrics {
            // KEDA and prometheus-adapter cut the rest off.
            let mut values = values.iter().map(|value| {
                Quantity::from_milli((bound(value) * 1000.0) as i64, Format::DecimalSI)
            });
            let custom = observation.custom_metrics.iter_mut();
            for answer in custom.filter(|one| one.index == *index) {
                if let Reading::Read(items) = &mut answer.answer {
                    for (item, value) in items.iter_mut().zip(&mut values) {
                        item.value = value;
                    }
                }
            }
            let external = observation.external_metrics.iter_mut();
            for answer in external.filter(|one| one.index == *index) {
                if let Reading::Read(items) = &mut answer.answer {
                    for (item, value) in items.iter_mut().zip(&mut values) {
                        item.value = value;
                    }
                }
            }
        }
        if let Reading::Read(samples) = &mut observation.pod_metrics {
            let containers = samples.iter_mut().flat_map(|sample| &mut sample.containers);
            let usage = containers.flat_map(|container| &mut container.usage);
            for ((resource, value), used) in usage.zip(&self.of_pods) {
                *value = quantity(resource, bound(used));
            }
        }
    }
}

/// Marks the metric at `index` as failed, for an unknown reason.
fn fail(observation: &mut Observation, index: usize) {
    let failed = || ApiError {
        message: "the reason is not recorded".to_owned(),
        ..ApiError::default()
    };
    let metric = observation.hpa.spec.metrics.get(index);
    if metric.is_some_and(|metric| metric.resource().is_some()) {
        observation.pod_metrics = Reading::Failed(failed());
    }
    for answer in observation
        .custom_metrics
        .iter_mut()
        .filter(|one| one.index == index)
    {
        answer.answer = Reading::Failed(failed());
    }
    for answer in observation
        .external_metrics
        .iter_mut()
        .filter(|one| one.index == index)
    {
        answer.answer = Reading::Failed(failed());
    }
}

/// Whether pods without a counted value take part, so that the exact usage matters, not only its rounded value.
fn adds_pods_back(trace: &Trace) -> bool {
    trace
        .metrics()
        .flat_map(|metric| &metric.steps)
        .any(|step| match step {
            MetricStep::GroupPods(groups) => groups
                .pods
                .iter()
                .any(|pod| matches!(pod.class, PodClass::Missing | PodClass::Unready)),
            _ => false,
        })
}
