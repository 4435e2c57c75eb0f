//! The report on the runs.

use jiff::Timestamp;

use crate::{
    Expectation, ExpectationReport, Millis, PerPodUnit, Run, SimulationReport, Startup, Summary,
    VariantReport,
};

use crate::{explained::ExplainedRun, model::Model};

/// The runs of all variants.
pub struct Played {
    /// The runs of each variant, in the order of their seeds. All variants have the same seeds.
    pub runs: Vec<Vec<Run>>,
    /// The first run of each variant in words.
    pub explained: Vec<ExplainedRun>,
    /// How many runs were to be played, if it was interrupted.
    pub interrupted_of: Option<usize>,
}

/// Number of points of the course: enough for a wide picture.
const MOST_POINTS: Millis = 480;

/// The interval between points.
pub fn step(length: Millis) -> Millis {
    let steps = [
        5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400,
    ];
    let fits = |step: &&Millis| length / (**step * 1000) <= MOST_POINTS;
    steps.iter().find(fits).copied().unwrap_or(86_400) * 1000
}

/// The report; none: there is no model. `expected` is the model that the expectations are about. `is_length_given`: the
/// length of the simulation is meant, even if the load is longer.
pub fn report(
    models: &[Model],
    played: Played,
    expectations: &[Expectation],
    (expected, is_length_given): (usize, bool),
) -> Option<SimulationReport> {
    let first = models.first()?;
    let observation = &first.scenario.observation;
    let runs = &played.runs[expected];
    let expectation = |(index, expectation): (usize, &Expectation)| {
        let holds_in = runs.iter().filter(|run| run.expectations[index]).count();
        let of = runs.len();
        ExpectationReport {
            text: expectation.text.clone(),
            variant: models[expected].name.clone(),
            holds_in,
            of,
            holds: expectation.share * of as f64 <= holds_in as f64 + 1e-9,
        }
    };
    let expectations = expectations.iter().enumerate().map(expectation).collect();
    let length = first.scenario.length;
    let loads = first.scenario.demands.iter();
    let longest_load = loads.map(|demand| demand.load.length()).max();
    let cut_load = longest_load.filter(|load| !is_length_given && length < *load);
    let count = played.runs[0].len();
    let interrupted_of = played.interrupted_of;
    let played = played.runs.into_iter().zip(played.explained);
    Some(SimulationReport {
        hpa: observation.hpa.key(),
        target: observation.hpa.spec.scale_target.to_string(),
        version: observation.controller.version.value.to_string(),
        start: first.scenario.start,
        length,
        cut_load,
        runs: count,
        interrupted_of,
        events: first.scenario.events.clone(),
        variants: models
            .iter()
            .zip(played)
            .map(|(model, (runs, explained))| variant(model, runs, explained))
            .collect(),
        assumptions: first.assumptions.clone(),
        not_modeled: first.not_modeled.clone(),
        problem: first.problem.clone(),
        expectations,
    })
}

fn variant(model: &Model, runs: Vec<Run>, explained: ExplainedRun) -> VariantReport {
    let scenario = &model.scenario;
    let spec = &scenario.observation.hpa.spec;
    let (metric, load_unit) = model.first_metric();
    let unit = model.per_pod_unit();
    let measured = scenario.measured();
    let is_percent = unit == PerPodUnit::PercentOfRequest;
    VariantReport {
        name: model.name.clone(),
        bounds: (spec.min_replicas(), spec.max_replicas),
        unit,
        metric,
        load_unit,
        goal: measured.goal,
        tolerated: measured.tolerated,
        most_per_pod: measured.most_per_pod.filter(|_| is_percent),
        above: measured.above,
        summary: Summary::of(&runs),
        failure: explained.failure(),
        rescales: explained.rescales,
        runs,
    }
}

/// The runs of one spec.
pub struct PastVariant {
    /// `today`, or its assignments.
    pub name: String,
    /// `maxReplicas`.
    pub max: i32,
    /// When they start.
    pub start: Timestamp,
    /// How long new pods take.
    pub startup: Startup,
    /// A summary of all runs.
    pub summary: Summary,
    /// The value per pod above which the summary counts seconds.
    pub above: f64,
    /// The runs, with different random numbers.
    pub runs: Vec<Run>,
}

impl PastVariant {
    /// The runs of a model.
    pub fn new(model: &Model, runs: Vec<Run>) -> Self {
        Self {
            name: model.name.clone(),
            max: model.scenario.observation.hpa.spec.max_replicas,
            start: model.scenario.start,
            startup: model.scenario.pods.startup.clone(),
            summary: Summary::of(&runs),
            above: model.scenario.measured().above,
            runs,
        }
    }
}
