//! Which metrics measure CPU: only these exempt starting pods.

use hpa_engine::model::HpaSpec;

/// Resource and ContainerResource metrics of CPU: index in `spec.metrics`, and the container.
pub(super) fn cpu_metrics(spec: &HpaSpec) -> Vec<(usize, Option<&str>)> {
    let metrics = spec.metrics.iter().enumerate();
    metrics
        .filter(|(_, metric)| metric.is_resource("cpu"))
        .map(|(index, metric)| (index, metric.container()))
        .collect()
}
