//! What a live cluster has to say beside what the controller reads.

use crate::model::SnapshotField;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use std::collections::BTreeMap;

use super::{Rollout, metadata::OwnerReference, null_is_empty};

/// Another HPA of the namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OtherHpa {
    /// Its name.
    pub name: String,
    /// The selector of its target, in its string form.
    #[serde(default)]
    pub selector: String,
}

/// What could not be read here, which says nothing about the controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotRead {
    /// The field of the snapshot that is missing: `scale`, `pods`, `podMetrics`, `customMetrics[1]`, …
    #[serde(with = "super::snapshot_field")]
    #[schemars(with = "String")]
    pub what: SnapshotField,
    /// Why it could not be read.
    pub why: String,
    /// What the user can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Whether a right of the user is missing, which `remedy` names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_forbidden: bool,
}

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
    /// Those labels and annotations that tell who manages it: Helm, Argo CD, Flux and the like.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub marks: BTreeMap<String, String>,
    /// The controlling owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<OwnerReference>,
    /// What only Argo's `Rollout` has.
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

/// Who wrote a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldManager {
    /// `manager`.
    #[serde(default)]
    pub manager: String,
    /// `operation`: `Apply` or `Update`.
    #[serde(default)]
    pub operation: String,
    /// `subresource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subresource: Option<String>,
    /// `time`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Timestamp>,
}

/// A ReplicaSet or the like that owns pods and is owned itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntermediateOwner {
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
    /// Kind of its controlling owner.
    #[serde(default)]
    pub owner_kind: String,
    /// Name of its controlling owner.
    #[serde(default)]
    pub owner_name: String,
    /// Annotation `deployment.kubernetes.io/revision`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// Message of its condition `ReplicaFailure`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// A request to the API server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiRequest {
    /// What was to be read.
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

/// An answer of the API server as it came, with everything in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// Path and query of the request.
    pub path: String,
    /// The JSON.
    pub body: serde_json::Value,
}

impl From<&crate::model::ApiRequest> for ApiRequest {
    fn from(request: &crate::model::ApiRequest) -> Self {
        Self {
            what: request.what.clone(),
            path: request.path.clone(),
            status: request.status,
            took_seconds: request.took.as_secs_f64(),
        }
    }
}
