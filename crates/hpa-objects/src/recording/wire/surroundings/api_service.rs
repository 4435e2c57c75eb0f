//! Who serves an API of the aggregation layer.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model;

/// An `APIService` of a metrics API.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ApiService {
    /// `metadata.name`, such as `v1beta1.metrics.k8s.io`.
    pub name: String,
    /// `spec.group`.
    pub group: String,
    /// `spec.version`.
    pub version: String,
    /// `namespace/name` of the Service behind it; absent: the API server itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// Whether the condition `Available` is true; absent: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<bool>,
    /// Its reason.
    pub reason: String,
    /// Its message.
    pub message: String,
    /// Its last transition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

impl From<&ApiService> for model::ApiService {
    fn from(service: &ApiService) -> Self {
        Self {
            name: service.name.clone(),
            group: service.group.clone(),
            version: service.version.clone(),
            service: service.service.clone(),
            is_available: service.available,
            reason: service.reason.clone(),
            message: service.message.clone(),
            since: service.since,
        }
    }
}
