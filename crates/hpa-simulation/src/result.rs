//! The result of one run.

use crate::Millis;

/// The result of one seed.
#[derive(Clone, Debug)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// The state over time, in even steps.
    pub points: Vec<Point>,
    /// The changes of the replicas by the controller.
    pub rescales: Vec<SimulatedRescale>,
    /// The key figures.
    pub summary: RunSummary,
    /// Whether each expectation holds.
    pub expectations: Vec<bool>,
    /// How far the run got: its length, unless it was stopped.
    pub end: Millis,
}

/// A change of the replicas by the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedRescale {
    /// When.
    pub at: Millis,
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
}

/// The state at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// When.
    pub at: Millis,
    /// The load of the first metric.
    pub load: f64,
    /// The replicas that the load needs at the target, ignoring the bounds. None: that cannot be computed.
    pub needed: Option<i32>,
    /// The recommendation of the last sync, before bounds and rate limits.
    pub desired: i32,
    /// `spec.replicas`.
    pub replicas: i32,
    /// Pods that are ready.
    pub ready: i32,
    /// Pods without a node.
    pub without_node: i32,
    /// The first metric per ready pod: percent of the request, or a value.
    pub per_pod: f64,
    /// Share of the load lost in the last second.
    pub lost: f64,
}

/// The key figures of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSummary {
    /// The longest stretch in which the load was not met: some of it was lost, or fewer pods were ready than it needs
    /// and `maxReplicas` allows. None: it was not met at the end, or that is not known.
    pub met_after: Option<Millis>,
    /// When that stretch begins; 0: there is none.
    pub met_from: Millis,
    /// The parts of `met_after`.
    pub parts: Parts,
    /// Share of the load that was lost. None: the capacity of a pod is unknown.
    pub not_served: Option<f64>,
    /// The same, within the longest stretch.
    pub not_served_until_met: Option<f64>,
    /// Total pod hours, counted from each pod's creation.
    pub pod_hours: f64,
    /// Changes of the replicas by the controller.
    pub rescales: u32,
    /// How long the value per pod was above the limit.
    pub above: Millis,
    /// The most replicas.
    pub most: i32,
    /// The fewest replicas.
    pub fewest: i32,
    /// When the load first needed more replicas than `maxReplicas`.
    pub above_max: Option<Millis>,
}

/// The parts of the time until the load is met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Until the first scale-up: metrics and the next sync.
    pub notice: Millis,
    /// From the first scale-up to the last: rate limits, windows and metrics that lag.
    pub steps: Millis,
    /// After the last scale-up: pods start.
    pub startup: Millis,
}
