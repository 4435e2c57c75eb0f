//! KEDA's `ScaledObject`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{model, recording::wire::Condition};

/// What a `ScaledObject` says beside its bounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ScaledObject {
    /// `spec.idleReplicaCount`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_replicas: Option<i32>,
    /// `spec.cooldownPeriod`, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cooldown_period: Option<i32>,
    /// `spec.pollingInterval`, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub polling_interval: Option<i32>,
    /// `spec.triggers`, in order.
    pub triggers: Vec<Trigger>,
    /// `spec.fallback`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Whether `spec.advanced.scalingModifiers` puts the triggers together into one metric.
    pub has_formula: bool,
    /// Annotations that pause it, or take over an HPA.
    pub annotations: BTreeMap<String, String>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.lastActiveTime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_active: Option<Timestamp>,
    /// Number of failures of the metrics whose trigger fails, from `status.health`.
    pub failing: BTreeMap<String, i32>,
}

/// One entry of `spec.triggers`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Trigger {
    /// `type`, such as `rabbitmq`.
    #[serde(rename = "type")]
    pub trigger_type: String,
    /// `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `metricType`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric_type: Option<String>,
    /// `useCachedMetrics`.
    pub use_cached_metrics: bool,
    /// What of `metadata` names the thing measured and the thresholds; addresses and credentials are left out.
    pub metadata: BTreeMap<String, String>,
}

/// `spec.fallback`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Fallback {
    /// `failureThreshold`.
    pub failure_threshold: i32,
    /// `replicas`.
    pub replicas: i32,
    /// `behavior`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior: Option<String>,
}

impl From<&ScaledObject> for model::ScaledObject {
    fn from(object: &ScaledObject) -> Self {
        Self {
            idle_replicas: object.idle_replicas,
            cooldown_period: object.cooldown_period,
            polling_interval: object.polling_interval,
            triggers: object
                .triggers
                .iter()
                .map(|trigger| model::Trigger {
                    trigger_type: trigger.trigger_type.clone(),
                    name: trigger.name.clone(),
                    metric_type: trigger.metric_type.clone(),
                    uses_cache: trigger.use_cached_metrics,
                    metadata: trigger.metadata.clone(),
                })
                .collect(),
            fallback: object.fallback.as_ref().map(|fallback| model::Fallback {
                failure_threshold: fallback.failure_threshold,
                replicas: fallback.replicas,
                behavior: fallback.behavior.clone(),
            }),
            has_formula: object.has_formula,
            annotations: object.annotations.clone(),
            conditions: object.conditions.iter().map(Into::into).collect(),
            last_active: object.last_active,
            failing: object.failing.clone().into_iter().collect(),
        }
    }
}
