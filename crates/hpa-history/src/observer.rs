//! What is remembered from sync to sync while the past is observed.

use hpa_engine::model::{MetricSpec, MetricValueStatus, Observation, Pod, Shared};
use jiff::Timestamp;

use crate::{
    metric_course::MetricCourse,
    pods::PodHistory,
    read_times::ReadTimes,
    sample_age::is_running,
    series::{Millis, SeriesSet},
    sources::{Sources, has_times_of_kubelet, pods_of},
    sync_times::SyncTimes,
    usage::Counters,
};

/// Builds observations of the past.
pub(crate) struct Observer<'a> {
    pub(crate) set: &'a SeriesSet,
    pub(crate) today: &'a Observation,
    pub(crate) pods: PodHistory<'a>,
    pub(crate) counters: Counters<'a>,
    pub(crate) courses: &'a [MetricCourse],
    pub(crate) last_pods: Shared<Pod>,
    pub(crate) times: SyncTimes,
    /// When metrics-server reads the kubelet, learned from earlier syncs.
    pub(crate) reads: ReadTimes,
    pub(crate) seen: Option<Seen>,
    /// The time of the newest rescale: `lastScaleTime`, which no exporter has.
    pub(crate) scaled: Option<Timestamp>,
}

/// The newest sync seen.
pub(crate) struct Seen {
    pub(crate) at: Millis,
    pub(crate) values: Vec<Option<MetricValueStatus>>,
    /// The sync after which metrics-server read this sync's samples. None: not seen.
    pub(crate) read: Option<Millis>,
}

impl<'a> Observer<'a> {
    pub(crate) fn new(sources: &Sources<'a>) -> Self {
        Self {
            set: sources.set,
            today: sources.today,
            pods: pods_of(sources),
            counters: if has_times_of_kubelet(sources.set) {
                Counters::new(sources.set)
            } else {
                Counters::default()
            },
            courses: sources.courses,
            last_pods: Shared::default(),
            times: SyncTimes::default(),
            reads: ReadTimes::default(),
            seen: None,
            scaled: None,
        }
    }

    /// Whether a metric measures pods or depends on the number of ready pods.
    pub(crate) fn counts_pods(&self) -> bool {
        let mut metrics = self.today.hpa.spec.metrics.iter();
        metrics.any(|metric| {
            !metric.is_total() || metric.target().is_some_and(|target| target.value.is_some())
        })
    }

    /// Whether a metric is an average over `status.replicas` of the target.
    pub(crate) fn counts_status_replicas(&self) -> bool {
        let mut metrics = self.today.hpa.spec.metrics.iter();
        metrics.any(is_average_over_replicas)
    }

    /// Whether pods were read.
    pub(crate) fn has_pods(&self) -> bool {
        !self.pods.is_empty()
    }

    /// Whether the pod named `pod` belongs to the target and exists at `time`.
    pub(crate) fn exists(&self, pod: &str, time: Millis) -> bool {
        self.pods.exists(pod, time)
    }

    /// The names of the pods whose values a Pods metric can average at `time`.
    pub(crate) fn counted_by_pods_metrics(&self, time: Millis) -> Vec<String> {
        let pods = self.pods.recent(time);
        let counted = pods
            .iter()
            .filter(|pod| is_running(pod) && pod.deleted.is_none());
        counted.map(|pod| pod.name.clone()).collect()
    }
}

/// Whether a metric is one value averaged over `status.replicas` of the target. The status has the average rounded up,
/// but the controller decides by the exact value.
pub(crate) fn is_average_over_replicas(metric: &MetricSpec) -> bool {
    let target = metric.target().filter(|_| metric.is_total());
    target.is_some_and(|target| target.average_value.is_some())
}
