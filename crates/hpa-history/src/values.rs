//! What the metrics were in a sync: the controller's own values, or what the counters of the containers allow.

use hpa_analysis::inference::{RoundingEnd, with_values_of_metrics};
use hpa_engine::{
    engine,
    model::{
        ApiError, Memory, MetricSpec, MetricValueStatus, Observation, Pod, PodMetrics, Reading,
    },
    trace::{MetricStep, PodClass, Trace},
};
use jiff::Timestamp;

use crate::{Bounded, observe::Observer, pods::quantity, sample_age::is_running, series::Millis};

/// The observation with the controller's own values, at both ends of what these are rounded from where that can matter.
pub(crate) fn with_values(
    mut observation: Observation,
    values: &[Option<MetricValueStatus>],
    now: Timestamp,
) -> Vec<Observation> {
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
    ends.iter().filter_map(at).collect()
}

impl Observer<'_> {
    /// The observation with what the counters of the containers allow, most probably and at the ends; none: they do not say it.
    pub(crate) fn with_counters(
        &self,
        observation: Observation,
        time: Millis,
    ) -> Option<Vec<Observation>> {
        let is_resource = |metric: &MetricSpec| {
            matches!(
                metric,
                MetricSpec::Resource(_) | MetricSpec::ContainerResource(_)
            )
        };
        let metrics = &observation.hpa.spec.metrics;
        if self.counters.is_empty() || metrics.is_empty() || !metrics.iter().all(is_resource) {
            return None;
        }
        // metrics-server went on to read a pod whose counters nobody keeps any more.
        let is_lost = |pod: &Pod| pod.deleted.is_none() && self.counters.is_lost(&pod.name, time);
        let mut pods = observation
            .pods
            .read()
            .into_iter()
            .flat_map(|pods| pods.iter());
        if pods.any(|pod| is_running(pod) && is_lost(pod)) {
            return None;
        }
        let Reading::Read(samples) = &observation.pod_metrics else {
            return Some(vec![observation]);
        };
        let of_pods: Vec<_> = samples
            .iter()
            .map(|sample| self.use_of(&sample.name, metrics, time))
            .collect();
        let bounds: [fn(&Bounded) -> f64; 3] = [|one| one.likely, |one| one.least, |one| one.most];
        let at = |bound: fn(&Bounded) -> f64| {
            let mut then = observation.clone();
            if let Reading::Read(samples) = &mut then.pod_metrics {
                for (sample, of_pod) in samples.iter_mut().zip(&of_pods) {
                    fill(sample, of_pod, bound);
                }
                samples.retain(|sample| !sample.containers.is_empty());
            }
            then
        };
        Some(bounds.map(at).to_vec())
    }

    /// What each container of a pod uses of each resource that a metric is about.
    fn use_of(&self, pod: &str, metrics: &[MetricSpec], time: Millis) -> UseOfPod<'_> {
        ["cpu", "memory"]
            .into_iter()
            .filter(|resource| metrics.iter().any(|metric| metric.is_resource(resource)))
            .map(|resource| (resource, self.counters.of_pod(pod, resource, time)))
            .collect()
    }
}

/// The use of each resource, container by container.
type UseOfPod<'a> = Vec<(&'static str, Vec<(&'a str, Bounded)>)>;

/// The use of a pod's containers as their counters have it.
fn fill(sample: &mut PodMetrics, of_pod: &UseOfPod<'_>, bound: fn(&Bounded) -> f64) {
    for container in &mut sample.containers {
        container.usage = of_pod
            .iter()
            .flat_map(|(resource, of_containers)| {
                of_containers
                    .iter()
                    .filter(|(name, _)| *name == container.name)
                    .map(|(_, bounded)| {
                        ((*resource).to_owned(), quantity(resource, bound(bounded)))
                    })
            })
            .collect();
    }
    sample
        .containers
        .retain(|container| !container.usage.is_empty());
}

/// The metric at `index` failed, and nobody kept why.
fn fail(observation: &mut Observation, index: usize) {
    let failed = || ApiError {
        message: "the reason is not recorded".to_owned(),
        ..ApiError::default()
    };
    let is_of_pods = matches!(
        observation.hpa.spec.metrics.get(index),
        Some(MetricSpec::Resource(_) | MetricSpec::ContainerResource(_))
    );
    if is_of_pods {
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

/// Whether a metric is one value that is averaged over `status.replicas` of the target. The status has that rounded up, and the
/// controller decides by the value itself.
pub(crate) fn is_average_over_replicas(metric: &MetricSpec) -> bool {
    match metric {
        MetricSpec::External(source) => source.metric_target.average_value.is_some(),
        MetricSpec::Object(source) => source.metric_target.average_value.is_some(),
        _ => false,
    }
}

/// Whether pods without a value that counts take part, so that the exact usage matters and not only its rounded value.
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
