//! What is given of a simulation besides the HPA.

use crate::{Millis, TimedEvent};

/// What is given of a simulation besides the HPA.
#[derive(Clone, Debug)]
pub struct ModelOptions {
    /// How long to simulate.
    pub length: Millis,
    /// The loads over time, as `[METRIC=]LOAD`.
    pub loads: Vec<String>,
    /// From the creation of a pod until it is ready: a time, a range, or `observed`.
    pub start: Option<String>,
    /// Room for pods, and how long a pod beyond waits for a new node: `12,+90s`.
    pub nodes: Option<String>,
    /// The most CPU that a pod can use, in cores.
    pub capacity: Option<f64>,
    /// What a pod uses without a load, as `[RESOURCE=]AMOUNT`.
    pub base: Vec<String>,
    /// CPU that a container uses besides its load after it starts, and for how long: `800m/30s`.
    pub start_cpu: Option<String>,
    /// How unevenly pods share a load: the standard deviation of the logarithm.
    pub uneven: Option<f64>,
    /// Whether CPU work that cannot be done waits, instead of being lost.
    pub is_queued: bool,
    /// What one ready pod takes from a queue each second, as `METRIC=RATE`.
    pub service_rate: Vec<String>,
    /// From scrape to scrape of the metrics.
    pub metrics_resolution: Millis,
    /// From reading to reading of a container by the kubelet.
    pub kubelet_interval: (Millis, Millis),
    /// What happens meanwhile.
    pub events: Vec<TimedEvent>,
    /// The value per pod above which seconds are counted.
    pub above: Option<String>,
}

/// How long a simulation is, if nothing is given.
const LENGTH: Millis = 3_600_000;

/// From scrape to scrape of metrics-server, by default.
pub(crate) const RESOLUTION: Millis = 15_000;

/// From reading to reading of a container by the kubelet, by default.
pub(crate) const KUBELET: (Millis, Millis) = (10_000, 20_000);

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            length: LENGTH,
            loads: Vec::new(),
            start: None,
            nodes: None,
            capacity: None,
            base: Vec::new(),
            start_cpu: None,
            uneven: None,
            is_queued: false,
            service_rate: Vec::new(),
            metrics_resolution: RESOLUTION,
            kubelet_interval: KUBELET,
            events: Vec::new(),
            above: None,
        }
    }
}
