//! What a run starts from.

use hpa_engine::model::{Memory, Observation, Pod};
use jiff::Timestamp;

use crate::{Load, Millis, TimedEvent};

/// Everything that a run starts from, but for the seed.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What the first sync finds, but for metrics: HPA, scale, pods and the controller's settings.
    pub observation: Observation,
    /// What the controller remembers at the start.
    pub memory: Memory,
    /// When it starts.
    pub start: Timestamp,
    /// How long it lasts.
    pub length: Millis,
    /// Index of each pod of the observation that belongs to the target. The others stay as they are.
    pub own: Vec<usize>,
    /// The loads.
    pub demands: Vec<Demand>,
    /// How pods start, share a load and end.
    pub pods: PodModel,
    /// How a usage becomes a metric.
    pub pipeline: Pipeline,
    /// How the target makes and replaces pods.
    pub workload: Workload,
    /// What happens meanwhile, by time.
    pub events: Vec<TimedEvent>,
    /// The value per pod above which seconds are counted; none: the target of the first metric plus the tolerance.
    pub above: Option<f64>,
}

/// A load and what it is a load of.
#[derive(Clone, Debug)]
pub struct Demand {
    /// What it is a load of.
    pub source: DemandSource,
    /// The load over time.
    pub load: Load,
    /// The load before the start.
    pub before: f64,
}

/// What a load is a load of.
#[derive(Clone, Debug, PartialEq)]
pub enum DemandSource {
    /// CPU of the target's pods, in cores.
    Cpu {
        /// What a pod uses that serves nothing.
        base: f64,
        /// The most that a pod can use; none: as much as it wants.
        capacity: Option<f64>,
        /// Whether work that is not done waits, instead of being lost.
        is_queued: bool,
    },
    /// Memory of the target's pods, in bytes. Pods do not give it back.
    Memory {
        /// What a pod uses that serves nothing.
        base: f64,
    },
    /// A Pods metric: shared by the ready pods.
    Pods {
        /// Index in `spec.metrics`.
        metric: usize,
    },
    /// An Object or External metric: the load itself, or the queue that it makes.
    Total {
        /// Index in `spec.metrics`.
        metric: usize,
        /// How the queue gets shorter, where the metric is its length. The load is what arrives each second then.
        service: Option<Service>,
    },
}

/// How a queue gets shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Service {
    /// What one ready pod takes from it each second.
    pub rate: f64,
    /// What waits in it at the start.
    pub waiting: f64,
}

/// How pods start, share a load and end.
#[derive(Clone, Debug)]
pub struct PodModel {
    /// What a new pod looks like: labels, owner, containers with their requests.
    pub template: Pod,
    /// How long each step of a start takes.
    pub startup: Startup,
    /// CPU at the start.
    pub burst: Option<Burst>,
    /// How evenly ready pods share a load.
    pub spread: Spread,
    /// How much room there is.
    pub nodes: Option<Nodes>,
    /// From the deletion of a pod to its end.
    pub termination: Millis,
    /// Share of the usage of each container.
    pub containers: Vec<(String, f64)>,
}

/// How long each step of a pod's start takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Startup {
    /// From creation to ready, with equal chances in between. Containers run from the middle of it on.
    Between(Millis, Millis),
    /// As one of these pods.
    Observed(Vec<StartTimes>),
}

/// The steps of one pod's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartTimes {
    /// From its creation until it has a node.
    pub schedule: Millis,
    /// From there until its containers run.
    pub start: Millis,
    /// From there until it is ready.
    pub readiness: Millis,
}

/// CPU that a container uses besides its load after it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burst {
    /// Cores.
    pub cores: f64,
    /// For so long.
    pub length: Millis,
}

/// How evenly ready pods share a load.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Share of each pod of [`Scenario::own`], relative to an even one; empty: by chance.
    pub observed: Vec<f64>,
    /// Of new pods: standard deviation of the logarithm of the share.
    pub sigma: f64,
}

/// How many pods of the target have room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// So many pods have room on the nodes that are there.
    pub room: u32,
    /// A pod beyond waits so long for a new node; none: for ever, or until a pod goes.
    pub wait: Option<Millis>,
}

/// How a usage becomes a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// From reading to reading of a container by the kubelet: shortest and longest.
    pub housekeeping: (Millis, Millis),
    /// From scrape to scrape of metrics-server, and of the adapter of other metrics.
    pub resolution: Millis,
}

/// How the target makes and replaces pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// All at the same time. A rollout may have so many percent more and fewer pods than wanted.
    Deployment {
        /// `maxSurge`.
        surge: u32,
        /// `maxUnavailable`.
        unavailable: u32,
    },
    /// By number: one after the other unless `is_parallel`, each when the one before is ready.
    StatefulSet {
        /// `podManagementPolicy: Parallel`.
        is_parallel: bool,
    },
}
