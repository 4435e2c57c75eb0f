//! Items of the three metrics APIs.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    MetricIdentifier, ObjectMeta, ObjectReference, Quantity, ResourceList, null_is_empty,
    short_list,
};

/// `metrics.k8s.io` PodMetrics.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PodMetrics {
    /// `metadata`.
    pub metadata: ObjectMeta,
    /// `timestamp`: end of the interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// `window`: length of the interval, such as `14.98s`; absent: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// `containers`.
    #[serde(default, deserialize_with = "short_list")]
    pub containers: Vec<ContainerUsage>,
}

/// Usage of one container.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerUsage {
    /// `name`.
    pub name: String,
    /// `usage`.
    #[serde(default, deserialize_with = "null_is_empty")]
    pub usage: ResourceList,
}

/// `custom.metrics.k8s.io` MetricValue, v1beta1 or v1beta2.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricValue {
    /// `describedObject`.
    pub described_object: ObjectReference,
    /// `metric` (v1beta2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<MetricIdentifier>,
    /// `metricName` (v1beta1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric_name: Option<String>,
    /// `timestamp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// `windowSeconds` (v1beta1: `window`).
    #[serde(default, alias = "window", skip_serializing_if = "Option::is_none")]
    pub window_seconds: Option<i64>,
    /// `value`.
    pub value: Quantity,
}

impl MetricValue {
    /// Name of the metric in either version.
    pub fn name(&self) -> Option<&str> {
        self.metric
            .as_ref()
            .map(|metric| metric.name.as_str())
            .or(self.metric_name.as_deref())
    }
}

/// `external.metrics.k8s.io` ExternalMetricValue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalMetricValue {
    /// `metricName`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric_name: Option<String>,
    /// `metricLabels`.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub metric_labels: BTreeMap<String, String>,
    /// `timestamp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// `value`.
    pub value: Quantity,
}
