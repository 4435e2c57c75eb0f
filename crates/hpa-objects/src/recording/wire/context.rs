//! What a live cluster shows besides the controller's inputs.

use std::collections::BTreeMap;

use hpa_engine::model::{FieldManager, IntermediateOwner};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Rollout, metadata::OwnerReference, null_is_empty};

/// The scale target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// `apiVersion`.
    #[serde(default)]
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
    /// Names of the containers of its pod template.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub template_containers: Vec<String>,
    /// `spec.podManagementPolicy` of a StatefulSet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod_management_policy: Option<String>,
    /// `priorityClassName` of its pod template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority_class: Option<String>,
    /// `status.readyReplicas`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_replicas: Option<i32>,
    /// `status.updatedReplicas`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_replicas: Option<i32>,
    /// Who wrote `spec.replicas`, newest first, from `managedFields`.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub replicas_written_by: Vec<FieldManager>,
    /// `spec.replicas` in the annotation `kubectl.kubernetes.io/last-applied-configuration`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied_replicas: Option<i32>,
    /// `metadata.creationTimestamp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<Timestamp>,
    /// The labels and annotations that name its manager: Helm, Argo CD, Flux and the like.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub marks: BTreeMap<String, String>,
    /// The controlling owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<OwnerReference>,
    /// Fields of Argo's `Rollout` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollout: Option<Rollout>,
    /// Owners of the pods between pod and target.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub intermediate_owners: Vec<IntermediateOwner>,
}

/// A request to the API server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiRequest {
    /// What was read.
    pub what: String,
    /// Path and query.
    pub path: String,
    /// HTTP status of the answer; absent: there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Seconds until the answer.
    #[serde(default)]
    pub took_seconds: f64,
}

/// The complete answer of the API server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// Path and query of the request.
    pub path: String,
    /// The JSON.
    pub body: serde_json::Value,
}

impl From<&hpa_engine::model::ApiRequest> for ApiRequest {
    fn from(request: &hpa_engine::model::ApiRequest) -> Self {
        Self {
            what: request.what.clone(),
            path: request.path.clone(),
            status: request.status,
            took_seconds: request.took.as_secs_f64(),
        }
    }
}
