//! One line of a recording.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wire::{
    Answer, Answered, ApiRequest, Controller, Event, ExternalMetricValue, FieldManager, Hpa,
    HpaStatus, IndexedAnswer, KubernetesEvent, MetricValue, NotRead, OtherHpa, Pod, PodMetrics,
    Scale, Surroundings, Target, null_is_empty,
};
use crate::model::{ApiError, Shared};

/// `apiVersion` of a [`Snapshot`].
pub const API_VERSION: &str = "kubectl-hpa/v1";

/// `kind` of a [`Snapshot`].
pub const KIND: &str = "Snapshot";

/// One reconcile of one HPA: everything that the controller read and, in `outcome`, what it did.
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
    /// The controller's clock in this reconcile, RFC 3339, up to nanoseconds.
    pub time: Timestamp,
    /// Version, flags and gates of the controller.
    pub controller: Controller,
    /// The controller has just started: it remembers nothing.
    #[serde(default, skip_serializing_if = "super::wire::is_false")]
    pub controller_started: bool,

    /// The controller wrote the status of the HPA while this was captured: a part is from before that, a part from after.
    #[serde(default, skip_serializing_if = "super::wire::is_false")]
    pub torn: bool,

    /// The HPA as read, with the status of the reconcile before.
    pub hpa: Hpa,
    /// The target's scale subresource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// What the read of the scale is answered with, if it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_error: Option<ApiError>,
    /// What a write of the scale is answered with, if it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_write_error: Option<ApiError>,
    /// What a write of the HPA's status is answered with, if it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_write_error: Option<ApiError>,
    /// Pods of the namespace: at least all those that the selector of the scale matches.
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
    /// Other HPAs of the namespace that the controller has reconciled before.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub other_hpas: Vec<Arc<OtherHpa>>,
    /// What the controller did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,

    /// What could not be read here, as opposed to errors that the controller gets as well.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub not_read: Vec<NotRead>,
    /// Events on the HPA as the API server keeps them, oldest first.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub kubernetes_events: Vec<KubernetesEvent>,
    /// The scale target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// What stands around the HPA: API services, other autoscalers, what limits its pods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<Surroundings>,
    /// Who wrote the spec of the HPA last, the controller aside, from its `managedFields`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hpa_edited_by: Option<FieldManager>,
    /// When the controller wrote the status of the HPA last, from its `managedFields`. A status that stays the same is
    /// not written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hpa_status_written: Option<Timestamp>,
    /// When the present kube-controller-manager took the lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader_since: Option<Timestamp>,
    /// The requests that were made to the API server.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub requests: Vec<ApiRequest>,
    /// Clock of the API server less the clock of the machine that captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_skew_seconds: Option<f64>,
    /// The server's version as it calls itself, such as `v1.36.3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_version: Option<String>,
    /// What whoever was watching noted since the snapshot before, oldest first.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub notes: Vec<Note>,
    /// How the sync is known, if it was read from a monitoring server afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<ReadAfterwards>,
    /// With `--no-redact`, the answers that all this was taken from, whole.
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
    /// Name of the recording: lines with another name are another recording.
    #[serde(default)]
    pub name: String,
}

/// A moment that a person marked while watching.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// When.
    pub time: Timestamp,
    /// In the person's words; may be empty.
    #[serde(default)]
    pub text: String,
}

/// How a sync is known that nobody captured: from what a monitoring server kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadAfterwards {
    /// The server.
    pub server: String,
    /// `certain`, `likely` or `unknown`: how sure the decision is.
    pub certainty: String,
    /// How each input is known: `observed`, `bounded`, `inferred`, `assumed` or `unknown`.
    pub provenance: BTreeMap<String, String>,
}

/// What the controller did in one reconcile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Number written to the scale, also if the write was refused; absent: no write.
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
    /// A snapshot with what every snapshot has; the rest is set field by field.
    pub fn new(recording: String, time: Timestamp, controller: Controller, hpa: Hpa) -> Self {
        Self {
            api_version: API_VERSION.to_owned(),
            kind: KIND.to_owned(),
            metadata: SnapshotMeta { name: recording },
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
            other_hpas: Vec::new(),
            outcome: None,
            not_read: Vec::new(),
            kubernetes_events: Vec::new(),
            target: None,
            surroundings: None,
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

    /// Whether it was captured through the API: it says what only a client of the API knows. A reconcile that was
    /// recorded in the controller itself does not.
    pub fn is_captured(&self) -> bool {
        self.server_version.is_some()
            || self.leader_since.is_some()
            || self.target.is_some()
            || !self.requests.is_empty()
    }

    /// The controller's clock in this reconcile.
    pub fn time(&self) -> Timestamp {
        self.time
    }
}
