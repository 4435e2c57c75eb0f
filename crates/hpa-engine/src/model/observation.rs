//! Everything that one reconcile reads.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::model::{
    ControllerConfig, Direction, ExternalMetricValue, Hpa, IndexedAnswer, Input, MetricValue, Pod,
    PodMetrics, Scale, Shared, SnapshotField,
};

/// Everything that the controller reads in one reconcile of one HPA.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The controller's version, flags and gates.
    pub controller: ControllerConfig,
    /// The HPA with the status of the reconcile before.
    pub hpa: Hpa,
    /// The target's scale subresource.
    pub scale: Reading<Scale>,
    /// What a write of the scale is answered with, if it is refused.
    pub scale_write_error: Option<ApiError>,
    /// What a write of the HPA's status is answered with, if it is refused.
    pub status_write_error: Option<ApiError>,
    /// Pods of the namespace: at least all those that the selector of the scale matches.
    pub pods: Reading<Shared<Pod>>,
    /// PodMetrics, for Resource and ContainerResource metrics.
    pub pod_metrics: Reading<Shared<PodMetrics>>,
    /// Answers for Pods and Object metrics. One that is absent is an empty list.
    pub custom_metrics: Vec<IndexedAnswer<MetricValue>>,
    /// Answers for External metrics. One that is absent is an empty list.
    pub external_metrics: Vec<IndexedAnswer<ExternalMetricValue>>,
    /// Other HPAs of the namespace whose target's selector the controller knows.
    pub other_hpas: Vec<Arc<OtherHpa>>,
}

impl Observation {
    /// From sync to sync of the HPA.
    pub fn sync_period(&self) -> Input<SignedDuration> {
        self.hpa.spec.sync_period(&self.controller)
    }

    /// The stabilization window of a direction.
    pub fn window(&self, direction: Direction) -> SignedDuration {
        self.hpa.spec.window(direction, &self.controller).value
    }

    /// Whether a sync that finds this is out of turn: it comes at once because the spec was edited.
    pub fn is_out_of_turn(&self) -> bool {
        self.hpa.is_observed() == Some(false)
    }

    /// An observation in which nothing but the HPA is read yet: decided so, it comes to
    /// [`Decision::Unknown`](crate::trace::Decision::Unknown) with what is missing.
    pub fn new(controller: ControllerConfig, hpa: Hpa) -> Self {
        let missing = |what| NotRead {
            what,
            why: "it was not given".to_owned(),
            remedy: None,
            is_forbidden: false,
        };
        Self {
            controller,
            hpa,
            scale: Reading::NotRead(missing(SnapshotField::Scale)),
            scale_write_error: None,
            status_write_error: None,
            pods: Reading::NotRead(missing(SnapshotField::Pods)),
            pod_metrics: Reading::NotRead(missing(SnapshotField::PodMetrics)),
            custom_metrics: Vec::new(),
            external_metrics: Vec::new(),
            other_hpas: Vec::new(),
        }
    }
}

/// What came of a read.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading<T> {
    /// It was read.
    Read(T),
    /// The controller gets this error, too.
    Failed(ApiError),
    /// We could not read it, which says nothing about the controller.
    NotRead(NotRead),
}

impl<T> Reading<T> {
    /// What was read, if it was.
    pub fn read(&self) -> Option<&T> {
        match self {
            Self::Read(value) => Some(value),
            Self::Failed(_) | Self::NotRead(_) => None,
        }
    }

    /// Why it could not be read here, if it could not.
    pub fn not_read(&self) -> Option<&NotRead> {
        match self {
            Self::NotRead(not_read) => Some(not_read),
            Self::Read(_) | Self::Failed(_) => None,
        }
    }
}

/// `metav1.Status`: how the API server refuses.
// As the controller gets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename = "Status")
)]
pub struct ApiError {
    /// `message`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "String::is_empty")
    )]
    pub message: String,
    /// `reason`, such as `NotFound`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "String::is_empty")
    )]
    pub reason: String,
    /// `code`, the HTTP status.
    #[cfg_attr(feature = "serde", serde(default))]
    pub code: u16,
}

/// What could not be read here, which says nothing about the controller.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct NotRead {
    /// The field of the snapshot that is missing: `scale`, `pods`, `podMetrics`, `customMetrics[1]`, …
    #[cfg_attr(feature = "serde", schemars(with = "String"))]
    pub what: SnapshotField,
    /// Why it could not be read.
    // In one sentence fragment.
    pub why: String,
    /// What the user can do about it.
    // Such as the missing RBAC rule.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub remedy: Option<String>,
    /// Whether a right of the user is missing, which `remedy` names.
    // As opposed to an object in a file, for example.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub is_forbidden: bool,
}

/// Another HPA of the namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize)
)]
pub struct OtherHpa {
    /// Its name.
    pub name: String,
    /// The selector of its target, in its string form.
    #[cfg_attr(feature = "serde", serde(default))]
    pub selector: String,
}
