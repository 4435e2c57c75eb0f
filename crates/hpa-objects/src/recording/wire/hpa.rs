//! The HorizontalPodAutoscaler in the shape of `autoscaling/v2`.

use hpa_engine::model::{MetricIdentifier, ObjectReference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{HpaStatus, ObjectMeta, Quantity, short_list};

/// `autoscaling/v2` HorizontalPodAutoscaler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hpa {
    /// `metadata`.
    pub metadata: ObjectMeta,
    /// `spec`.
    pub spec: HpaSpec,
    /// `status` of the previous sync.
    #[serde(default)]
    pub status: HpaStatus,
}

/// `spec` of an HPA.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HpaSpec {
    /// `scaleTargetRef`.
    pub scale_target_ref: ObjectReference,
    /// `minReplicas`; absent: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_replicas: Option<i32>,
    /// `maxReplicas`.
    pub max_replicas: i32,
    /// `metrics`, in order.
    #[serde(
        default,
        deserialize_with = "short_list",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub metrics: Vec<MetricSpec>,
    /// `behavior`; absent: the path without behavior.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behavior: Option<Box<Behavior>>,
}

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

/// `spec.behavior`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Behavior {
    /// `scaleUp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_up: Option<ScalingRules>,
    /// `scaleDown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_down: Option<ScalingRules>,
}

/// `HPAScalingRules`: the rules of one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScalingRules {
    /// `stabilizationWindowSeconds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stabilization_window_seconds: Option<i32>,
    /// `selectPolicy`: `Max`, `Min` or `Disabled`; absent: `Max`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select_policy: Option<String>,
    /// `policies`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policies: Option<Vec<ScalingPolicy>>,
    /// `tolerance`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Quantity>,
}

/// `HPAScalingPolicy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScalingPolicy {
    /// `type`: `Pods` or `Percent`.
    #[serde(rename = "type")]
    pub policy_type: String,
    /// `value`.
    pub value: i32,
    /// `periodSeconds`.
    pub period_seconds: i32,
}
