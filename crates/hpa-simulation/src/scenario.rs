//! The inputs of a run.

use hpa_engine::model::{Memory, Observation, Pod};
use jiff::Timestamp;

use crate::{Load, Millis, TimedEvent};

/// All inputs of a run except the seed.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What the first sync reads, except metrics: HPA, scale, pods and the controller's settings.
    pub observation: Observation,
    /// What the controller remembers at the start.
    pub memory: Memory,
    /// When it starts.
    pub start: Timestamp,
    /// How long it lasts.
    pub length: Millis,
    /// Indices of the observation's pods that belong to the target. The others never change.
    pub own: Vec<usize>,
    /// The loads.
    pub demands: Vec<Demand>,
    /// How pods start, share a load and end.
    pub pods: PodModel,
    /// How usage becomes a metric.
    pub pipeline: Pipeline,
    /// How the target creates and replaces pods.
    pub workload: Workload,
    /// The events, by time.
    pub events: Vec<TimedEvent>,
    /// The value per pod above which seconds are counted. None: the target of the first metric plus tolerance.
    pub above: Option<f64>,
}

/// A load and its metric.
#[derive(Clone, Debug)]
pub struct Demand {
    /// What the load drives.
    pub source: DemandSource,
    /// The load over time.
    pub load: Load,
    /// The load before the start.
    pub before: f64,
}

/// What a load drives.
#[derive(Clone, Debug, PartialEq)]
pub enum DemandSource {
    /// CPU of the target's pods, in cores.
    Cpu {
        /// Usage of an idle pod.
        base: f64,
        /// The highest usage of a pod. None: unlimited.
        capacity: Option<f64>,
        /// Whether work that is not done is queued instead of lost.
        is_queued: bool,
    },
    /// Memory of the target's pods, in bytes. Pods do not release it.
    Memory {
        /// Usage of an idle pod.
        base: f64,
    },
    /// A Pods metric: shared by the ready pods.
    Pods {
        /// Index in `spec.metrics`.
        metric: usize,
    },
    /// An Object or External metric: the load itself, or the length of the queue that it fills.
    Total {
        /// Index in `spec.metrics`.
        metric: usize,
        /// How the queue is drained, if the metric is its length. The load is then the arrivals per second.
        service: Option<Service>,
    },
}

/// How a queue is drained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Service {
    /// Items that one ready pod takes per second.
    pub rate: f64,
    /// Items waiting at the start.
    pub waiting: f64,
}

/// How pods start, share a load and end.
#[derive(Clone, Debug)]
pub struct PodModel {
    /// The template of new pods: labels, owner, containers with their requests.
    pub template: Pod,
    /// How long each step of a start takes.
    pub startup: Startup,
    /// Extra CPU at the start.
    pub burst: Option<Burst>,
    /// How evenly ready pods share a load.
    pub spread: Spread,
    /// How many pods fit.
    pub nodes: Option<Nodes>,
    /// The most pods that may exist; none: as many as are wanted.
    pub most: Option<usize>,
    /// Time from the deletion of a pod to its end.
    pub termination: Millis,
    /// Share of the usage by container.
    pub containers: Vec<(String, f64)>,
}

/// How long each step of a pod's start takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Startup {
    /// From creation to ready, uniformly distributed. Containers run from the middle of it on.
    Between(Millis, Millis),
    /// Like one of these pods.
    Observed(Vec<StartTimes>),
}

/// The steps of one pod's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartTimes {
    /// From its creation until it has a node.
    pub schedule: Millis,
    /// From then until its containers run.
    pub start: Millis,
    /// From then until it is ready.
    pub readiness: Millis,
}

impl StartTimes {
    /// A start of which only the whole length is known: containers run from the middle of it on.
    pub fn in_halves(total: Millis) -> Self {
        Self {
            schedule: 0,
            start: total / 2,
            readiness: total - total / 2,
        }
    }

    /// From its creation until it is ready.
    pub fn total(&self) -> Millis {
        self.schedule + self.start + self.readiness
    }
}

/// CPU that a container uses besides its load after it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burst {
    /// Cores.
    pub cores: f64,
    /// How long.
    pub length: Millis,
}

/// How evenly ready pods share a load.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Share of each pod of [`Scenario::own`], relative to an even one. Empty: random.
    pub observed: Vec<f64>,
    /// For new pods: standard deviation of the logarithm of the share.
    pub sigma: f64,
}

/// How many pods of the target fit on nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// Pods that fit on the existing nodes.
    pub room: u32,
    /// How long a pod beyond `room` waits for a new node. None: forever, or until another pod is gone.
    pub wait: Option<Millis>,
}

/// How usage becomes a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// Shortest and longest time between two readings of a container by the kubelet.
    pub housekeeping: (Millis, Millis),
    /// Time between two scrapes by metrics-server, and by the adapter of other metrics.
    pub resolution: Millis,
}

/// How the target creates and replaces pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// All in parallel. During a rollout, this many percent more or fewer pods than wanted.
    Deployment {
        /// `maxSurge`.
        surge: u32,
        /// `maxUnavailable`.
        unavailable: u32,
    },
    /// In the order of ordinals: unless `is_parallel`, each pod waits until the previous one is ready.
    StatefulSet {
        /// `podManagementPolicy: Parallel`.
        is_parallel: bool,
    },
}

/// The load before the start runs for this long first, so that metrics exist at the start.
pub(crate) const WARM_UP: Millis = 90_000;
