//! Answers of the three metrics APIs.

use jiff::{SignedDuration, Timestamp};

use crate::model::{Labels, Quantity, Reading, Shared};

/// `metrics.k8s.io` PodMetrics: usage of one pod.
#[derive(Clone, Debug, PartialEq)]
pub struct PodMetrics {
    /// Name of the pod.
    pub name: String,
    /// Labels of the pod. None if the answer omits them; it then contains only pods that the selector matches.
    pub labels: Option<Labels>,
    /// End of the interval over which the usage was measured. Absent counts as Go's zero time.
    pub timestamp: Option<Timestamp>,
    /// Length of that interval.
    pub window: SignedDuration,
    /// Usage by container.
    pub containers: Vec<ContainerUsage>,
}

impl PodMetrics {
    /// Usage of a pod with one container named `main`, measured over the 30 seconds before `at`. It has no labels, so
    /// the selector must match the pod.
    pub fn new(
        pod: impl Into<String>,
        at: Timestamp,
        resource: impl Into<String>,
        usage: Quantity,
    ) -> Self {
        Self {
            name: pod.into(),
            labels: None,
            timestamp: Some(at),
            window: SignedDuration::from_secs(30),
            containers: vec![ContainerUsage {
                name: "main".to_owned(),
                usage: vec![(resource.into(), usage)],
            }],
        }
    }
}

/// Usage of one container.
#[derive(Clone, Debug, PartialEq)]
pub struct ContainerUsage {
    /// Name of the container.
    pub name: String,
    /// Usage by name of the resource.
    pub usage: Vec<(String, Quantity)>,
}

/// `custom.metrics.k8s.io` MetricValue: value of one object.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricValue {
    /// Name of the described object.
    pub object: String,
    /// When it was measured. Absent counts as Go's zero time.
    pub timestamp: Option<Timestamp>,
    /// Seconds over which it was measured. Absent means one minute.
    pub window_seconds: Option<i64>,
    /// The value.
    pub value: Quantity,
}

/// `external.metrics.k8s.io` ExternalMetricValue: value of one series.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalMetricValue {
    /// Labels of the series.
    pub labels: Vec<(String, String)>,
    /// When it was measured.
    pub timestamp: Option<Timestamp>,
    /// The value.
    pub value: Quantity,
}

/// The answer to the request for the metric at `index` of `spec.metrics`.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexedAnswer<T> {
    /// Index in `spec.metrics`.
    pub index: usize,
    /// The items, or why they could not be read.
    pub answer: Reading<Shared<T>>,
}
