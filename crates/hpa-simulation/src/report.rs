//! The result of a simulation.

use hpa_engine::model::HpaKey;
use hpa_explain::{Problem, RescaleReason};
use jiff::Timestamp;

use crate::{
    Millis, Run, Summary, TimedEvent,
    parameter::{Assumption, NotModeled},
    unit::{LoadUnit, PerPodUnit},
};

/// The result of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationReport {
    /// The HPA.
    pub hpa: HpaKey,
    /// What it scales, as `kind/name`.
    pub target: String,
    /// Version of the controller.
    pub version: String,
    /// When it starts.
    pub start: Timestamp,
    /// How long it lasts.
    pub length: Millis,
    /// How long the load changes, if that is longer and `--for` is not given.
    pub cut_load: Option<Millis>,
    /// The number of runs of each variant.
    pub runs: usize,
    /// The number of requested runs, if it was interrupted.
    pub interrupted_of: Option<usize>,
    /// External events, by time.
    pub events: Vec<TimedEvent>,
    /// Today's spec first.
    pub variants: Vec<VariantReport>,
    /// All parameters and their sources.
    pub assumptions: Vec<Assumption>,
    /// What may happen in a cluster but is not simulated.
    pub not_modeled: Vec<NotModeled>,
    /// What `explain` says is wrong at the start, whatever the load.
    pub problem: Option<Problem>,
    /// The expectations on the last variant of `--set`, or on today's spec.
    pub expectations: Vec<ExpectationReport>,
}

/// One variant of the spec.
#[derive(Clone, Debug)]
pub struct VariantReport {
    /// `today`, or its assignments.
    pub name: String,
    /// `minReplicas` and `maxReplicas`.
    pub bounds: (i32, i32),
    /// The unit of the value per pod.
    pub unit: PerPodUnit,
    /// The name of the first metric, as in a load.
    pub metric: String,
    /// The unit of the load.
    pub load_unit: LoadUnit,
    /// The target of the first metric, in the unit of the value per pod; none: it has none.
    pub goal: Option<f64>,
    /// The range within tolerance: the lowest and the highest value per pod.
    pub tolerated: Option<(f64, f64)>,
    /// The highest value that a pod can reach, in the unit of the value per pod.
    pub most_per_pod: Option<f64>,
    /// The value above which seconds are counted.
    pub above: f64,
    /// Why the HPA cannot scale at the end of the first run, in sentences; none: it can.
    pub failure: Option<String>,
    /// A summary of all runs.
    pub summary: Summary,
    /// The rescales of the first run.
    pub rescales: Vec<RescaleReport>,
    /// All runs, the first one first.
    pub runs: Vec<Run>,
}

impl VariantReport {
    /// Whether it is known how many replicas the load needs.
    pub fn is_need_known(&self) -> bool {
        let mut points = self.runs.iter().flat_map(|run| &run.points);
        points.all(|point| point.needed.is_some())
    }
}

/// A rescale in words.
#[derive(Clone, Debug, PartialEq)]
pub struct RescaleReport {
    /// Its time.
    pub at: Millis,
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
    /// Why.
    pub reason: RescaleReason,
}

/// The result of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationReport {
    /// The expectation as written.
    pub text: String,
    /// The variant that it is about.
    pub variant: String,
    /// The number of runs in which it holds.
    pub holds_in: usize,
    /// The number of runs.
    pub of: usize,
    /// Whether that is enough.
    pub holds: bool,
}
