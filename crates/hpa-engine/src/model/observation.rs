//! Everything that the controller reads in one sync.

use jiff::SignedDuration;

use crate::model::{
    ControllerConfig, Direction, ExternalMetricValue, Hpa, IndexedAnswer, Input, MetricValue,
    Neighbors, Pod, PodMetrics, Scale, Shared, SnapshotField,
};

/// Everything that the controller reads in one sync of one HPA.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The controller's version, flags and gates.
    pub controller: ControllerConfig,
    /// The HPA with the status of the previous sync.
    pub hpa: Hpa,
    /// The target's scale subresource.
    pub scale: Reading<Scale>,
    /// The error that a write of the scale gets, if it is refused.
    pub scale_write_error: Option<ApiError>,
    /// The error that a write of the HPA's status gets, if it is refused.
    pub status_write_error: Option<ApiError>,
    /// Pods of the namespace, at least all that the selector of the scale matches.
    pub pods: Reading<Shared<Pod>>,
    /// PodMetrics, for Resource and ContainerResource metrics.
    pub pod_metrics: Reading<Shared<PodMetrics>>,
    /// Answers for Pods and Object metrics. A missing answer counts as an empty list.
    pub custom_metrics: Vec<IndexedAnswer<MetricValue>>,
    /// Answers for External metrics. A missing answer counts as an empty list.
    pub external_metrics: Vec<IndexedAnswer<ExternalMetricValue>>,
    /// Other HPAs of the namespace whose target's selector the controller knows.
    pub other_hpas: Neighbors<OtherHpa>,
}

impl Observation {
    /// The sync period of the HPA.
    pub fn sync_period(&self) -> Input<SignedDuration> {
        self.hpa.spec.sync_period(&self.controller)
    }

    /// `status.readyReplicas` as the target would report it. None: the pods were not read.
    #[doc(hidden)]
    pub fn ready_replicas(&self) -> Option<i32> {
        let pods = self.pods.read()?.iter();
        let ready = pods.filter(|pod| pod.is_ready() && pod.deleted.is_none());
        i32::try_from(ready.count()).ok()
    }

    /// The stabilization window of a direction.
    pub fn window(&self, direction: Direction) -> SignedDuration {
        self.hpa.spec.window(direction, &self.controller).value
    }

    /// Whether a sync on this observation comes before the next period, because the spec was edited.
    pub fn is_out_of_turn(&self) -> bool {
        self.hpa.is_observed() == Some(false)
    }

    /// An observation in which only the HPA is read so far. [`Decision::Unknown`](crate::trace::Decision::Unknown) then
    /// lists what is missing.
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
            other_hpas: Neighbors::default(),
        }
    }
}

/// The result of a read.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading<T> {
    /// It was read.
    Read(T),
    /// The controller gets the same error.
    Failed(ApiError),
    /// We could not read it. This does not show whether the controller could.
    NotRead(NotRead),
}

impl<T> Reading<T> {
    /// The value, if it was read.
    pub fn read(&self) -> Option<&T> {
        match self {
            Self::Read(value) => Some(value),
            Self::Failed(_) | Self::NotRead(_) => None,
        }
    }

    /// Why we could not read it, if so.
    pub fn not_read(&self) -> Option<&NotRead> {
        match self {
            Self::NotRead(not_read) => Some(not_read),
            Self::Read(_) | Self::Failed(_) => None,
        }
    }
}

/// `metav1.Status`: the API server's refusal.
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

/// What we could not read. This does not show whether the controller could.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct NotRead {
    /// The snapshot field that is missing: `scale`, `pods`, `podMetrics`, `customMetrics[1]`, …
    #[cfg_attr(feature = "serde", schemars(with = "String"))]
    pub what: SnapshotField,
    /// Why it could not be read.
    // A sentence fragment.
    pub why: String,
    /// What the user can do about it.
    // Such as the missing RBAC rule.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub remedy: Option<String>,
    /// Whether the user lacks a permission, which `remedy` names.
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
