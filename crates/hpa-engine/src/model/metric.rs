//! Answers of the three metrics APIs.

use jiff::{SignedDuration, Timestamp};

use crate::model::{Labels, Quantity, Reading, Shared};

/// `metrics.k8s.io` PodMetrics: usage of one pod.
#[derive(Clone, Debug, PartialEq)]
pub struct PodMetrics {
    /// Name of the pod.
    pub name: String,
    /// Labels of the pod. None: the answer does not tell, and holds only what the selector matches.
    pub labels: Option<Labels>,
    /// End of the interval over which the usage was measured; absent counts as the zero time of Go.
    pub timestamp: Option<Timestamp>,
    /// Length of that interval.
    pub window: SignedDuration,
    /// Usage by container.
    pub containers: Vec<ContainerUsage>,
}

impl PodMetrics {
    /// Usage of a pod whose one container is named `main`, measured over the 30 seconds before `at`. The labels are not
    /// told, so the selector must match the pod.
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
    /// When it was measured; absent counts as the zero time of Go.
    pub timestamp: Option<Timestamp>,
    /// Seconds over which it was measured; absent: one minute.
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
    /// The items, or why there are none.
    pub answer: Reading<Shared<T>>,
}
