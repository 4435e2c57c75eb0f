//! `status` of an HPA.

use hpa_engine::model::{Condition, MetricIdentifier, ObjectReference};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::{Quantity, short_list};

/// `HorizontalPodAutoscalerStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HpaStatus {
    /// `observedGeneration`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// `lastScaleTime`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_scale_time: Option<Timestamp>,
    /// `currentReplicas`; absent: 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub current_replicas: i32,
    /// `desiredReplicas`; absent: 0.
    #[serde(default)]
    pub desired_replicas: i32,
    /// `currentMetrics`. If empty, `null`, as the API server writes it.
    #[serde(
        default,
        deserialize_with = "short_list",
        serialize_with = "empty_is_null"
    )]
    #[schemars(with = "Option<Vec<MetricStatus>>")]
    pub current_metrics: Vec<MetricStatus>,
    /// `conditions`.
    #[serde(
        default,
        deserialize_with = "short_list",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub conditions: Vec<Condition>,
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

fn empty_is_null<S, T>(list: &[T], serializer: S) -> Result<S::Ok, S::Error>
where
    S: Serializer,
    T: Serialize,
{
    if list.is_empty() {
        serializer.serialize_none()
    } else {
        serializer.collect_seq(list)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &i32) -> bool {
    *number == 0
}
