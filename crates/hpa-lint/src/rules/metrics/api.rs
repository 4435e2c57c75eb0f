//! The APIs that serve metrics.

use hpa_engine::model::MetricSpec;

use super::entry::MetricEntry;

/// A metrics API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Api {
    /// `custom.metrics.k8s.io`.
    Custom,
    /// `external.metrics.k8s.io`.
    External,
    /// `metrics.k8s.io`.
    Resource,
    /// Unknown type.
    Unknown,
}

/// The API that serves a metric.
pub(super) fn api(entry: MetricEntry<'_>) -> Api {
    match entry.metric {
        MetricSpec::ContainerResource(_) | MetricSpec::Resource(_) => Api::Resource,
        MetricSpec::External(_) => Api::External,
        MetricSpec::Object(_) | MetricSpec::Pods(_) => Api::Custom,
        MetricSpec::Unknown { .. } => Api::Unknown,
    }
}
