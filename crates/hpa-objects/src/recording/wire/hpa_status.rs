//! `status` of an HPA.

use hpa_engine::model::Condition;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::{MetricStatus, short_list};

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
