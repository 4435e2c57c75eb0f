//! KEDA's `ScaledObject`.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::model::Condition;

/// Fields of a `ScaledObject` besides its bounds.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct ScaledObject {
    /// `spec.idleReplicaCount`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub idle_replicas: Option<i32>,
    /// `spec.cooldownPeriod`, seconds.
    // Absent: 300.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub cooldown_period: Option<i32>,
    /// `spec.pollingInterval`, seconds.
    // Absent: 30.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub polling_interval: Option<i32>,
    /// `spec.triggers`, in order.
    pub triggers: Vec<Trigger>,
    /// `spec.fallback`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub fallback: Option<Fallback>,
    /// Whether `spec.advanced.scalingModifiers` combines the triggers into one metric.
    pub has_formula: bool,
    /// Annotations that pause it or transfer an HPA to it.
    pub annotations: BTreeMap<String, String>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.lastActiveTime`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub last_active: Option<Timestamp>,
    /// Number of failures by metric, for failing triggers, from `status.health`.
    pub failing: BTreeMap<String, i32>,
}

impl ScaledObject {
    /// The prefix of the annotations that pause a ScaledObject.
    pub const PAUSING: &'static str = "autoscaling.keda.sh/";

    /// Whether the annotation `autoscaling.keda.sh/<name>` pauses it. `paused-replicas` always does; the others do
    /// unless they are false. A value that is not a boolean counts as true.
    pub fn is_paused_by(annotations: &BTreeMap<String, String>, name: &str) -> bool {
        let value = annotations.get(&format!("{}{name}", Self::PAUSING));
        let is_false =
            |value: &String| ["false", "False", "FALSE", "f", "F", "0"].contains(&value.as_str());
        value.is_some_and(|value| name == "paused-replicas" || !is_false(value))
    }

    /// Whether one of its annotations pauses it, so that KEDA deletes its HPA.
    pub fn is_paused(annotations: &BTreeMap<String, String>) -> bool {
        ["paused", "paused-replicas"]
            .iter()
            .any(|name| Self::is_paused_by(annotations, name))
    }

    /// The condition of a type.
    pub fn condition(&self, condition_type: &str) -> Option<&Condition> {
        self.conditions
            .iter()
            .find(|condition| condition.condition_type == condition_type)
    }

    /// Whether a condition is `True` or `False`. None if it is neither.
    pub fn is(&self, condition_type: &str) -> Option<bool> {
        match self.condition(condition_type)?.status.as_str() {
            "True" => Some(true),
            "False" => Some(false),
            _ => None,
        }
    }
}

/// One entry of `spec.triggers`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct Trigger {
    /// `type`, such as `rabbitmq`.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub trigger_type: String,
    /// `name`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub name: Option<String>,
    /// `metricType`.
    // Absent means `AverageValue`; for CPU and memory, `metadata` decides.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub metric_type: Option<String>,
    /// `useCachedMetrics`.
    #[cfg_attr(feature = "serde", serde(rename = "useCachedMetrics"))]
    pub uses_cache: bool,
    /// The `metadata` entries that name the metric and its thresholds, without addresses and credentials.
    pub metadata: BTreeMap<String, String>,
}

/// `spec.fallback`.
// Replicas while a trigger fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct Fallback {
    /// `failureThreshold`.
    pub failure_threshold: i32,
    /// `replicas`.
    pub replicas: i32,
    /// `behavior`.
    // Absent: `static`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub behavior: Option<String>,
}
