//! The APIs that serve metrics.

use super::entry::MetricEntry;
use crate::model::MetricSpec;

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
