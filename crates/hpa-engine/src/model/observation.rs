//! Everything that the controller reads in one sync.

use jiff::SignedDuration;

use crate::model::{
    ApiError, ControllerConfig, Direction, ExternalMetricValue, Hpa, IndexedAnswer, Input,
    MetricValue, Neighbors, NotRead, OtherHpa, Pod, PodMetrics, Reading, Scale, Shared,
    SnapshotField,
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
