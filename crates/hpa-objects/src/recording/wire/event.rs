//! Events: as the controller emits them, and as the API server stores them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An event as emitted, before any aggregation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// `type`: `Normal` or `Warning`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// `reason`.
    pub reason: String,
    /// `message`.
    #[serde(default)]
    pub message: String,
}

/// An Event on the HPA as the API server stores it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KubernetesEvent {
    /// `type`: `Normal` or `Warning`.
    #[serde(rename = "type", default)]
    pub event_type: String,
    /// `reason`.
    #[serde(default)]
    pub reason: String,
    /// `message`.
    #[serde(default)]
    pub message: String,
    /// `count`; absent: once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i32>,
    /// `firstTimestamp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_timestamp: Option<Timestamp>,
    /// `lastTimestamp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_timestamp: Option<Timestamp>,
}
