//! The APIs that serve metrics.

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
    let metric = entry.metric;
    match metric.identifier() {
        Some(_) if metric.is_external() => Api::External,
        Some(_) => Api::Custom,
        None if metric.resource().is_some() => Api::Resource,
        None => Api::Unknown,
    }
}
