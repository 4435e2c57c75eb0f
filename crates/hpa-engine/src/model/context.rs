//! What a reader wants to know beside what the controller reads: events, the target, who wrote the replicas, and how
//! the reading itself went.

use jiff::{SignedDuration, Timestamp};

use crate::model::{InferredSetting, NotRead, Origin, Rollout, Surroundings};

/// Everything known about one HPA that does not enter the decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// Whether the controller wrote the status of the HPA while it was read: a part is from before that, a part from after.
    pub is_torn: bool,
    /// Events on the HPA, oldest first.
    pub events: Vec<KubeEvent>,
    /// The scale target, if it was read.
    pub target: Option<Target>,
    /// What stands around it.
    pub surroundings: Surroundings,
    /// Who the HPA belongs to.
    pub hpa_origin: Origin,
    /// Who wrote the spec of the HPA last, the controller aside.
    pub hpa_edited_by: Option<FieldManager>,
    /// When the controller wrote the status of the HPA last. It does not write a status that stays the same.
    pub hpa_status_written: Option<Timestamp>,
    /// When the present kube-controller-manager took the lead: its memory begins there at the earliest.
    pub leader_since: Option<Timestamp>,
    /// What could not be read and so is missing from the page.
    pub not_read: Vec<NotRead>,
    /// Requests that were made, in the order of their answers.
    pub requests: Vec<ApiRequest>,
    /// The server's version as it calls itself, such as `v1.36.3`.
    pub server_version: Option<String>,
    /// Settings of the controller that follow from what it did.
    pub inferred: Vec<InferredSetting>,
}

/// An event on the HPA as the API server keeps it: repeated ones are counted, and some are lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KubeEvent {
    /// `type`: `Normal` or `Warning`.
    pub event_type: String,
    /// `reason`.
    pub reason: String,
    /// `message`.
    pub message: String,
    /// How often it was emitted.
    pub count: i32,
    /// First time.
    pub first: Option<Timestamp>,
    /// Last time.
    pub last: Option<Timestamp>,
}

/// The scale target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
    /// Names of the containers of its pod template: one that a pod has beside them was injected.
    pub template_containers: Vec<String>,
    /// `spec.podManagementPolicy` of a StatefulSet.
    pub pod_management_policy: Option<String>,
    /// `priorityClassName` of its pod template.
    pub priority_class: Option<String>,
    /// `status.readyReplicas`, if the kind has it.
    pub ready_replicas: Option<i32>,
    /// `status.updatedReplicas`, if the kind has it.
    pub updated_replicas: Option<i32>,
    /// Who wrote `spec.replicas`, newest first, from `managedFields`.
    pub replicas_written_by: Vec<FieldManager>,
    /// `spec.replicas` in the manifest that kubectl applied last, if it has the field.
    pub applied_replicas: Option<i32>,
    /// `metadata.creationTimestamp`.
    pub created: Option<Timestamp>,
    /// Who it belongs to.
    pub origin: Origin,
    /// What only Argo's `Rollout` has.
    pub rollout: Option<Rollout>,
    /// Owners of the pods between pod and target (ReplicaSets): `kind/name`, and the kind and name of their owner.
    pub intermediate_owners: Vec<IntermediateOwner>,
}

/// A ReplicaSet or the like that owns pods and is owned itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct IntermediateOwner {
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
    /// Kind of its controlling owner.
    #[cfg_attr(feature = "serde", serde(default))]
    pub owner_kind: String,
    /// Name of its controlling owner.
    #[cfg_attr(feature = "serde", serde(default))]
    pub owner_name: String,
    /// Annotation `deployment.kubernetes.io/revision`.
    // Which template of a Deployment it is for, in the order in which they came into use.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub revision: Option<i64>,
    /// Message of its condition `ReplicaFailure`.
    // Why it could not create pods.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub failure: Option<String>,
}

/// Who wrote a field.
// From `managedFields`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct FieldManager {
    /// `manager`.
    // Such as `kubectl-client-side-apply`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub manager: String,
    /// `operation`: `Apply` or `Update`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub operation: String,
    /// `subresource`.
    // Such as `scale`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub subresource: Option<String>,
    /// `time`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub time: Option<Timestamp>,
}

/// A request to the API server.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiRequest {
    /// What was to be read, such as `pod metrics`.
    pub what: String,
    /// Path and query.
    pub path: String,
    /// HTTP status of the answer; none: there was no answer.
    pub status: Option<u16>,
    /// How long it took.
    pub took: SignedDuration,
}
