//! A metric of an HPA: its entry in the spec, and in the status.

use hpa_engine::model::{MetricIdentifier, ObjectReference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Quantity;

/// One entry of `spec.metrics`.
// Only one of the sources is set, so the others take no memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricSpec {
    /// `type`: which of the sources below is set.
    #[serde(rename = "type")]
    pub metric_type: String,
    /// `containerResource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_resource: Option<Box<ContainerResourceSource>>,
    /// `external`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<Box<MetricSource>>,
    /// `object`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<Box<ObjectSource>>,
    /// `pods`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pods: Option<Box<MetricSource>>,
    /// `resource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<Box<ResourceSource>>,
}

/// Source of a `Resource` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResourceSource {
    /// `name` of the resource, such as `cpu`.
    pub name: String,
    /// `target`.
    pub target: MetricTarget,
}

/// Source of a `ContainerResource` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerResourceSource {
    /// `name` of the resource, such as `cpu`.
    pub name: String,
    /// `container`.
    pub container: String,
    /// `target`.
    pub target: MetricTarget,
}

/// Source of a `Pods` or an `External` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricSource {
    /// `metric`.
    pub metric: MetricIdentifier,
    /// `target`.
    pub target: MetricTarget,
}

/// Source of an `Object` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectSource {
    /// `describedObject`.
    pub described_object: ObjectReference,
    /// `metric`.
    pub metric: MetricIdentifier,
    /// `target`.
    pub target: MetricTarget,
}

/// `MetricTarget`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricTarget {
    /// `type`: `Utilization`, `Value` or `AverageValue`.
    #[serde(rename = "type")]
    pub target_type: String,
    /// `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
    /// `averageValue`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_value: Option<Quantity>,
    /// `averageUtilization`, percent of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_utilization: Option<i32>,
}

/// One entry of `status.currentMetrics`. A metric that failed has an empty `type` and no source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricStatus {
    /// `type`: which of the sources below is set.
    #[serde(rename = "type", default)]
    pub metric_type: String,
    /// `containerResource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_resource: Option<ContainerResourceStatus>,
    /// `external`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<MetricSourceStatus>,
    /// `object`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<ObjectStatus>,
    /// `pods`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pods: Option<MetricSourceStatus>,
    /// `resource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceStatus>,
}

/// State of a `Resource` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResourceStatus {
    /// `name` of the resource.
    pub name: String,
    /// `current`.
    #[serde(default)]
    pub current: MetricValueStatus,
}

/// State of a `ContainerResource` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerResourceStatus {
    /// `name` of the resource.
    pub name: String,
    /// `container`.
    pub container: String,
    /// `current`.
    #[serde(default)]
    pub current: MetricValueStatus,
}

/// State of a `Pods` or an `External` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricSourceStatus {
    /// `metric`.
    pub metric: MetricIdentifier,
    /// `current`.
    #[serde(default)]
    pub current: MetricValueStatus,
}

/// State of an `Object` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectStatus {
    /// `describedObject`. Averages up to Kubernetes 1.32 have one with empty fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub described_object: Option<ObjectReference>,
    /// `metric`.
    pub metric: MetricIdentifier,
    /// `current`.
    #[serde(default)]
    pub current: MetricValueStatus,
}

/// `MetricValueStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricValueStatus {
    /// `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
    /// `averageValue`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_value: Option<Quantity>,
    /// `averageUtilization`, percent of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_utilization: Option<i32>,
}
