//! How metrics-server turns the kubelet's counters into usage. Upstream: `pkg/storage/pod.go` and `types.go` of
//! metrics-server 0.9.0; compared with that code in `tests/golden/metrics_server.jsonl.gz`.

use crate::Millis;

/// One reading of a container by the kubelet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterPoint {
    /// When the container started. [`Millis::MIN`]: unknown.
    pub start: Millis,
    /// When it was read.
    pub time: Millis,
    /// CPU used since the start, in core-nanoseconds.
    pub cpu_nanos: u64,
    /// Memory at that time, in bytes.
    pub memory: u64,
}

/// What metrics-server stores for a container: two readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContainerStore {
    last: Option<CounterPoint>,
    previous: Option<CounterPoint>,
}

/// The usage of a container between two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// End of the averaging window.
    pub time: Millis,
    /// Length of the averaging window.
    pub window: Millis,
    /// Nanocores.
    pub cpu_nanos: u64,
    /// Bytes.
    pub memory: u64,
}

/// A container that started less than one resolution ago, but at least this long ago, counts from its start. Upstream:
/// `freshContainerMinMetricsResolution`.
const FRESH_LEAST: Millis = 10_000;

/// Go's zero time is before everything, and a duration since then is the longest possible.
const ZERO_POINT: CounterPoint = CounterPoint {
    start: Millis::MIN,
    time: Millis::MIN,
    cpu_nanos: 0,
    memory: 0,
};
const LONGEST: Millis = 9_223_372_036_854;

impl ContainerStore {
    /// Stores the reading of a scrape. None: the scrape does not find the container. `pod_has_previous` says whether a
    /// container of the pod has two readings already: upstream then uses a zero point for a container without them.
    /// Upstream: `podStorage.Store`.
    pub fn store(
        &mut self,
        found: Option<CounterPoint>,
        resolution: Millis,
        pod_has_previous: bool,
    ) {
        let Some(point) = found else {
            *self = Self::default();
            return;
        };
        let age = point.time.saturating_sub(point.start);
        let is_fresh = point.start < point.time && age < resolution && FRESH_LEAST <= age;
        // A container that started after the last reading has a new counter.
        let last = self.last.filter(|last| point.start < last.time);
        let previous = match last {
            _ if is_fresh => Some(CounterPoint {
                time: point.start,
                cpu_nanos: 0,
                ..point
            }),
            Some(last) if last.time < point.time => Some(last),
            Some(_) if pod_has_previous => {
                let previous = self.previous.unwrap_or(ZERO_POINT);
                (previous.time < point.time).then_some(previous)
            }
            _ => None,
        };
        *self = Self {
            last: Some(point),
            previous,
        };
    }

    /// Whether the last scrape found it.
    pub fn is_found(&self) -> bool {
        self.last.is_some()
    }

    /// Whether it has two readings. A pod with a container without them has no metrics.
    pub fn is_complete(&self) -> bool {
        self.previous.is_some()
    }

    /// The usage between the two readings. None if there are fewer than two, or if the counter went back. Upstream:
    /// `resourceUsage`.
    pub fn usage(&self) -> Option<Usage> {
        let (last, previous) = (self.last?, self.previous?);
        if last.start < previous.start {
            return None;
        }
        let nanos = last.cpu_nanos.checked_sub(previous.cpu_nanos)?;
        let window = last.time.saturating_sub(previous.time).min(LONGEST);
        // Adds up like `Duration.Seconds`. The quotient is truncated, as in Go's conversion to an integer.
        let rest = if window == LONGEST {
            854_775_807
        } else {
            window % 1000 * 1_000_000
        };
        let seconds = (window / 1000) as f64 + rest as f64 / 1e9;
        Some(Usage {
            time: last.time,
            window,
            cpu_nanos: (nanos as f64 / seconds) as u64,
            memory: last.memory,
        })
    }
}
