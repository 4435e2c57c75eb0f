//! Which metrics measure CPU: only these exempt starting pods.

use hpa_engine::model::{HpaSpec, MetricSpec};

/// Resource and ContainerResource metrics of CPU: index in `spec.metrics`, and the container.
pub(super) fn cpu_metrics(spec: &HpaSpec) -> Vec<(usize, Option<&str>)> {
    let metrics = spec.metrics.iter().enumerate();
    metrics
        .filter_map(|(index, metric)| match metric {
            MetricSpec::Resource(source) if source.name == "cpu" => Some((index, None)),
            MetricSpec::ContainerResource(source) if source.name == "cpu" => {
                Some((index, Some(source.container.as_str())))
            }
            _ => None,
        })
        .collect()
}
