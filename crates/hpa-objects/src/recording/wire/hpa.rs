//! The HorizontalPodAutoscaler in the shape of `autoscaling/v2`.

use hpa_engine::model::ObjectReference;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{HpaStatus, MetricRead, MetricSpec, ObjectMeta, Quantity, short_list};

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

impl HpaSpec {
    /// Whether the controller reads the usages of the pods.
    pub fn reads_usages(&self) -> bool {
        let mut metrics = self.metrics.iter();
        metrics.any(|metric| metric.read() == Some(MetricRead::Usages))
    }
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
