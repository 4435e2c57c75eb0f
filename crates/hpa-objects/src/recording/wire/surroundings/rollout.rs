//! Argo's `Rollout`.

use hpa_engine::model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::recording::wire::OwnerReference;

/// The pods of a `Rollout` that is a scale target, as it reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Rollout {
    /// Kind and name of `spec.workloadRef`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<OwnerReference>,
    /// `canary` or `blueGreen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Whether `spec.strategy.canary.trafficRouting` is set.
    pub has_traffic_routing: bool,
    /// `status.stableRS`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stable_hash: Option<String>,
    /// `status.currentPodHash`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_hash: Option<String>,
    /// `status.canary.weights.canary.weight`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<i32>,
    /// `status.phase`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
}

impl From<&Rollout> for model::Rollout {
    fn from(rollout: &Rollout) -> Self {
        Self {
            workload: rollout.workload.as_ref().map(Into::into),
            strategy: rollout.strategy.clone(),
            has_traffic_routing: rollout.has_traffic_routing,
            stable_hash: rollout.stable_hash.clone(),
            current_hash: rollout.current_hash.clone(),
            weight: rollout.weight,
            phase: rollout.phase.clone(),
        }
    }
}
