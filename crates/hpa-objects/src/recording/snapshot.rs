//! One line of a recording.

use std::{collections::BTreeMap, sync::Arc};

use hpa_engine::model::{ApiError, Neighbors, Shared};
use hpa_words::program;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wire::{
    Answer, Answered, ApiRequest, Controller, Event, ExternalMetricValue, FieldManager, Hpa,
    HpaStatus, IndexedAnswer, KubernetesEvent, MetricValue, NotRead, OtherHpa, Pod, PodMetrics,
    Scale, Surroundings, Target, null_is_empty,
};

/// `apiVersion` of a [`Snapshot`].
pub const API_VERSION: &str = "kubectl-hpa/v1";

/// `kind` of a [`Snapshot`].
pub const KIND: &str = "Snapshot";

/// One sync of one HPA: everything that the controller read and, in `outcome`, what it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// `kubectl-hpa/v1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Snapshot`.
    #[schemars(extend("const" = KIND))]
    pub kind: String,
    /// Names the recording.
    pub metadata: SnapshotMeta,
    /// The controller's clock in this sync, RFC 3339, up to nanoseconds.
    pub time: Timestamp,
    /// Version, flags and gates of the controller.
    pub controller: Controller,
    /// The controller has just started and remembers nothing.
    #[serde(default, skip_serializing_if = "super::wire::is_false")]
    pub controller_started: bool,

    /// The controller wrote the status of the HPA during the capture: some objects are from before, others from after.
    #[serde(default, skip_serializing_if = "super::wire::is_false")]
    pub torn: bool,

    /// The HPA as read, with the status of the previous sync.
    pub hpa: Hpa,
    /// The target's scale subresource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// The error that the read of the scale gets, if it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_error: Option<ApiError>,
    /// The error that a write of the scale gets, if it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_write_error: Option<ApiError>,
    /// The error that a write of the HPA's status gets, if it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_write_error: Option<ApiError>,
    /// Pods of the namespace, at least all that the selector of the scale matches.
    #[serde(default, deserialize_with = "null_is_empty")]
    pub pods: Shared<Arc<Pod>>,
    /// The answer of `metrics.k8s.io`; absent: an empty list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod_metrics: Option<Answer<Arc<PodMetrics>>>,
    /// The answers of `custom.metrics.k8s.io`, one for each Pods or Object metric; absent: empty lists.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub custom_metrics: Vec<IndexedAnswer<MetricValue>>,
    /// The answers of `external.metrics.k8s.io`, one for each External metric; absent: empty lists.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub external_metrics: Vec<IndexedAnswer<ExternalMetricValue>>,
    /// Other HPAs of the namespace that the controller has synced before.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Neighbors::is_empty"
    )]
    pub other_hpas: Neighbors<OtherHpa>,
    /// What the controller did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,

    /// What could not be read here. Errors that the controller gets as well are not listed here.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub not_read: Vec<NotRead>,
    /// Events on the HPA as the API server stores them, oldest first.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub kubernetes_events: Vec<KubernetesEvent>,
    /// The scale target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The objects around the HPA: API services, other autoscalers, what limits its pods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<Surroundings>,
    /// When the HPA was deleted, or was no longer selected. The line then has its last state, which no sync found, and ends
    /// its history: a later HPA of the same name is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hpa_deleted: Option<Timestamp>,
    /// Who wrote the spec of the HPA last, apart from the controller, from its `managedFields`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hpa_edited_by: Option<FieldManager>,
    /// When the controller wrote the status of the HPA last, from its `managedFields`. It does not write an unchanged
    /// status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hpa_status_written: Option<Timestamp>,
    /// When the current kube-controller-manager became leader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader_since: Option<Timestamp>,
    /// The requests to the API server.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub requests: Vec<ApiRequest>,
    /// Clock of the API server minus the clock of the capturing machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_skew_seconds: Option<f64>,
    /// The version that the API server reports, such as `v1.36.3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_version: Option<String>,
    /// Notes that a person made while watching since the previous snapshot, oldest first.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub notes: Vec<Note>,
    /// How the sync is known, if it was read from a monitoring server later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<ReadAfterwards>,
    /// With `--no-redact`: the complete API answers behind the snapshot.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub answers: Vec<Answered>,
}

/// `metadata` of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotMeta {
    /// Name of the recording. Lines with another name belong to another recording.
    #[serde(default)]
    pub name: String,
    /// Version and command of this program that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_by: Option<String>,
}

/// A note that a person made while watching.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// When.
    pub time: Timestamp,
    /// The text; may be empty.
    #[serde(default)]
    pub text: String,
}

/// How a sync is known that was not captured but read from a monitoring server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadAfterwards {
    /// The server.
    pub server: String,
    /// How certain the decision is: `certain`, `likely` or `unknown`.
    pub certainty: String,
    /// How each input is known: `observed`, `bounded`, `inferred`, `assumed` or `unknown`.
    pub provenance: BTreeMap<String, String>,
}

/// What the controller did in one sync.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Replicas written to the scale, even if the write was refused; absent: no write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_to: Option<i32>,
    /// The status of the HPA afterwards.
    pub status: HpaStatus,
    /// Events in the order emitted, before any aggregation.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub events: Vec<Event>,
}

impl Snapshot {
    /// The snapshot in JSON. Other packages call this, because each would compile all of serde's code again.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }

    /// Reads what [`Self::to_json`] returns.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(text)
    }

    /// A snapshot with the mandatory fields. The caller sets the others.
    pub fn new(recording: String, time: Timestamp, controller: Controller, hpa: Hpa) -> Self {
        Self {
            api_version: API_VERSION.to_owned(),
            kind: KIND.to_owned(),
            metadata: SnapshotMeta {
                name: recording,
                written_by: program::written_by(),
            },
            time,
            controller,
            controller_started: false,
            torn: false,
            hpa,
            scale: None,
            scale_error: None,
            scale_write_error: None,
            status_write_error: None,
            pods: Shared::default(),
            pod_metrics: None,
            custom_metrics: Vec::new(),
            external_metrics: Vec::new(),
            other_hpas: Neighbors::default(),
            outcome: None,
            not_read: Vec::new(),
            kubernetes_events: Vec::new(),
            target: None,
            surroundings: None,
            hpa_deleted: None,
            hpa_edited_by: None,
            hpa_status_written: None,
            leader_since: None,
            requests: Vec::new(),
            clock_skew_seconds: None,
            server_version: None,
            notes: Vec::new(),
            history: None,
            answers: Vec::new(),
        }
    }

    /// Whether it was captured through the API: it has fields that only an API client knows. A sync recorded in the
    /// controller itself does not.
    pub fn is_captured(&self) -> bool {
        self.server_version.is_some()
            || self.leader_since.is_some()
            || self.target.is_some()
            || !self.requests.is_empty()
    }

    /// The controller's clock in this sync.
    pub fn time(&self) -> Timestamp {
        self.time
    }
}
