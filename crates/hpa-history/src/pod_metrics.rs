//! The answer of metrics-server.

use std::collections::BTreeSet;

use hpa_engine::model::{
    Container, ContainerUsage, MetricSpec, Pod, PodMetrics, Quantity, quantity::Format,
};

use crate::sample_age::Sample;

/// The answer of metrics-server with these samples, with values that are not used yet. Empty: no metric needs it.
pub(crate) fn pod_metrics(
    metrics: &[MetricSpec],
    pods: &[Pod],
    samples: &[Sample],
) -> Vec<PodMetrics> {
    let resources: BTreeSet<&str> = metrics.iter().filter_map(MetricSpec::resource).collect();
    if resources.is_empty() {
        return Vec::new();
    }
    let one = Quantity::from_milli(1, Format::DecimalSI);
    let usage = |name: &String| ContainerUsage {
        name: name.clone(),
        usage: resources
            .iter()
            .map(|resource| ((*resource).to_owned(), one.clone()))
            .collect(),
    };
    let sample = |sample: &Sample| {
        let pod = &pods[sample.pod];
        PodMetrics {
            name: pod.name.clone(),
            labels: None,
            timestamp: Some(sample.end),
            window: sample.window,
            containers: running_containers(pod)
                .map(|one| usage(&one.name))
                .collect(),
        }
    };
    samples.iter().map(sample).collect()
}

/// The containers of which metrics-server has samples.
fn running_containers(pod: &Pod) -> impl Iterator<Item = &Container> {
    let sidecars = pod.init_containers.iter();
    pod.containers
        .iter()
        .chain(sidecars.filter(|one| one.is_restartable))
}
