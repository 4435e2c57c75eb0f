//! What a report shows next to the controller's inputs: Events, the target, who wrote the replicas, and how the reads
//! went.

use jiff::{SignedDuration, Timestamp};

use crate::model::{InferredSetting, NotRead, Origin, Rollout, SeenWrites, Surroundings};

/// Everything known about one HPA that does not affect the decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// Whether the controller wrote the status of the HPA during the reads, so that some objects are from before the
    /// write and others from after.
    pub is_torn: bool,
    /// Events on the HPA, oldest first.
    pub events: Vec<KubeEvent>,
    /// The changes of the replicas that earlier reads show.
    pub seen_writes: SeenWrites,
    /// The scale target, if it was read.
    pub target: Option<Target>,
    /// The objects around the HPA.
    pub surroundings: Surroundings,
    /// Who the HPA belongs to.
    pub hpa_origin: Origin,
    /// Who wrote the spec of the HPA last, apart from the controller.
    pub hpa_edited_by: Option<FieldManager>,
    /// When the controller wrote the status of the HPA last. It does not write a status that stays the same.
    pub hpa_status_written: Option<Timestamp>,
    /// When the current kube-controller-manager became leader. Its recommendation history starts then at the earliest.
    pub leader_since: Option<Timestamp>,
    /// What could not be read and is missing from the report.
    pub not_read: Vec<NotRead>,
    /// The API requests, in the order of their answers.
    pub requests: Vec<ApiRequest>,
    /// The version that the API server reports, such as `v1.36.3`.
    pub server_version: Option<String>,
    /// Controller settings inferred from what the controller did.
    pub inferred: Vec<InferredSetting>,
}

/// An Event on the HPA as the API server stores it: repeats are counted, and some are lost.
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

impl KubeEvent {
    /// The last of the messages, if the Event combines several.
    pub fn combined(message: &str) -> Option<&str> {
        message.strip_prefix("(combined from similar events): ")
    }
}

/// The scale target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
    /// Names of the containers in its pod template. Any other container of a pod was injected.
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
    /// Who manages it.
    pub origin: Origin,
    /// Fields of Argo's `Rollout` only.
    pub rollout: Option<Rollout>,
    /// Owners between pod and target (ReplicaSets), each with its own owner.
    pub intermediate_owners: Vec<IntermediateOwner>,
}

/// A ReplicaSet, or another object that owns pods and has an owner itself.
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
    // Orders the pod templates of a Deployment by when they came into use.
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

/// The writer of a field.
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
    /// What was read, such as `pod metrics`.
    pub what: String,
    /// Path and query.
    pub path: String,
    /// HTTP status of the answer. None if there was no answer.
    pub status: Option<u16>,
    /// How long it took.
    pub took: SignedDuration,
}
