//! The output of `simulate -o json`: the contract for programs (docs/schema/simulate.json).

use hpa_simulation::{Millis, PerPodUnit, SimulationReport, Summary, VariantReport};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::happening;
use crate::json::SCHEMA_VERSION;

/// What `kubectl hpa simulate -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SimulateOutput {
    /// Version of this contract.
    pub schema_version: u32,
    /// Namespace of the HPA.
    pub namespace: String,
    /// Name of the HPA.
    pub name: String,
    /// What it scales, as `kind/name`.
    pub target: String,
    /// Version of the controller.
    pub version: String,
    /// When the simulation starts.
    pub start: Timestamp,
    /// How long it lasts.
    pub length_seconds: f64,
    /// The number of runs of each variant.
    pub runs: usize,
    /// Whether it was interrupted, so that there are fewer runs than requested.
    pub interrupted: bool,
    /// Today's spec first.
    pub variants: Vec<Variant>,
    /// The simulated events, by time.
    pub events: Vec<EventItem>,
    /// All parameters and their sources.
    pub provenance: Vec<ProvenanceItem>,
    /// What may happen in a cluster but is not simulated.
    pub not_modeled: Vec<NotModeledItem>,
    /// What `explain` says is wrong at the start, whatever the load; null: nothing.
    pub problem: Option<ProblemItem>,
    /// Whether each `--expect` holds.
    pub expectations: Vec<ExpectationItem>,
}

/// One variant of the spec.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    /// `today`, or its assignments.
    pub name: String,
    /// `minReplicas`.
    pub min_replicas: i32,
    /// `maxReplicas`.
    pub max_replicas: i32,
    /// The unit of `perPod`: `percentOfRequest` or `value`.
    pub per_pod_unit: String,
    /// The target of the first metric, in that unit; null: it has none.
    pub target: Option<f64>,
    /// Why the HPA cannot scale at the end of the first run, for people; null: it can.
    pub failure: Option<String>,
    /// A summary of all runs.
    pub summary: SummaryItem,
    /// The rescales of the first run.
    pub rescales: Vec<RescaleItem>,
    /// The course of the first run.
    pub points: Vec<PointItem>,
}

/// A summary of all runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SummaryItem {
    /// The longest time until the load is met again: all of it is served, and as many pods are ready as it needs at
    /// the target or as `maxReplicas` allows. Null: it is not met at the end of most runs, or that is not known.
    pub met_after_seconds: Option<BandItem>,
    /// Runs at the end of which the load is not met.
    pub unmet_runs: usize,
    /// Share of the load that is not served, 0 to 1; null: the capacity of a pod is not known.
    pub not_served_share: Option<BandItem>,
    /// Pod hours in total.
    pub pod_hours: BandItem,
    /// Changes of the replicas by the controller.
    pub rescales: BandItem,
    /// Seconds in which the value per pod is above `above`.
    pub seconds_above: BandItem,
    /// The value per pod above which seconds are counted; null: the first metric has no target.
    pub above: Option<f64>,
    /// The parts of the time until the load is met.
    pub met_after_parts: PartsItem,
}

/// The parts of the time until the load is met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartsItem {
    /// Time until the first scale-up: metrics and the next sync.
    pub notice_seconds: BandItem,
    /// From the first scale-up to the last: rate limits, windows, metrics that lag.
    pub steps_seconds: BandItem,
    /// Time after the last scale-up: pods start.
    pub startup_seconds: BandItem,
}

/// The median of all runs, and the range of eight of ten.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BandItem {
    /// The median.
    pub median: f64,
    /// One run in ten is lower.
    pub low: f64,
    /// One run in ten is higher; null: it is never reached.
    pub high: Option<f64>,
}

/// A rescale of the first run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RescaleItem {
    /// Seconds since the start.
    pub seconds: f64,
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
    /// The rule that decides, as in `explain`.
    pub rule: String,
    /// Why, for people.
    pub sentence: String,
}

/// The first run at one point in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointItem {
    /// Seconds since the start.
    pub seconds: f64,
    /// The load of the first metric: cores, bytes, or a number.
    pub load: f64,
    /// `spec.replicas` of the target.
    pub replicas: i32,
    /// Pods that are ready.
    pub ready: i32,
    /// What the metrics asked for in the last sync, before bounds and limits.
    pub desired: i32,
    /// What the load needs at the target, regardless of the bounds; null: that cannot be computed.
    pub needed: Option<i32>,
    /// The first metric per ready pod.
    pub per_pod: f64,
    /// Share of the load that is lost at that time.
    pub not_served: f64,
}

/// A simulated event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventItem {
    /// Seconds since the start.
    pub seconds: f64,
    /// What happens, for people.
    pub sentence: String,
}

/// A parameter and its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvenanceItem {
    /// A stable key.
    pub parameter: String,
    /// Its name, for people.
    pub name: String,
    /// Its value, for people.
    pub value: String,
    /// `observed`, `given`, `inferred`, `atLeast` or `assumed`.
    pub provenance: String,
}

/// Something that may happen in a cluster but is not simulated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotModeledItem {
    /// A stable key.
    pub key: String,
    /// One sentence, for people.
    pub sentence: String,
}

/// What is wrong at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemItem {
    /// A few words, as in `list`.
    pub words: String,
    /// One sentence, for people.
    pub sentence: String,
}

/// The result of an `--expect`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpectationItem {
    /// The expectation as written.
    pub expectation: String,
    /// The variant that it is about.
    pub variant: String,
    /// The number of runs in which it holds.
    pub holds_in: usize,
    /// The number of runs.
    pub of: usize,
    /// Whether that is enough.
    pub holds: bool,
}

/// The report as JSON.
pub fn json(report: &SimulationReport) -> SimulateOutput {
    SimulateOutput {
        schema_version: SCHEMA_VERSION,
        namespace: report.hpa.namespace.clone(),
        name: report.hpa.name.clone(),
        target: report.target.clone(),
        version: report.version.clone(),
        start: report.start,
        length_seconds: seconds(report.length),
        runs: report.runs,
        interrupted: report.interrupted_of.is_some(),
        variants: report.variants.iter().map(variant).collect(),
        events: report
            .events
            .iter()
            .map(|event| EventItem {
                seconds: seconds(event.at),
                sentence: happening(event.event),
            })
            .collect(),
        provenance: report
            .assumptions
            .iter()
            .map(|assumption| {
                let (name, value) = assumption.parameter.words(assumption.provenance);
                ProvenanceItem {
                    parameter: assumption.parameter.key().to_owned(),
                    name,
                    value,
                    provenance: assumption.provenance.as_str().to_owned(),
                }
            })
            .collect(),
        not_modeled: report
            .not_modeled
            .iter()
            .map(|one| NotModeledItem {
                key: one.key().to_owned(),
                sentence: one.sentence(),
            })
            .collect(),
        problem: report.problem.clone().map(|problem| ProblemItem {
            words: problem.words,
            sentence: problem.sentence,
        }),
        expectations: report
            .expectations
            .iter()
            .map(|one| ExpectationItem {
                expectation: one.text.clone(),
                variant: one.variant.clone(),
                holds_in: one.holds_in,
                of: one.of,
                holds: one.holds,
            })
            .collect(),
    }
}

impl SummaryItem {
    /// `above` is the value per pod above which seconds are counted.
    pub(crate) fn new(summary: &Summary, above: f64) -> Self {
        Self {
            met_after_seconds: summary.met_after.as_ref().map(Into::into),
            unmet_runs: summary.unmet_runs,
            not_served_share: summary.not_served.as_ref().map(Into::into),
            pod_hours: (&summary.pod_hours).into(),
            rescales: (&summary.rescales).into(),
            seconds_above: (&summary.seconds_above).into(),
            above: above.is_finite().then_some(rounded(above)),
            met_after_parts: PartsItem {
                notice_seconds: (&summary.notice).into(),
                steps_seconds: (&summary.steps).into(),
                startup_seconds: (&summary.startup).into(),
            },
        }
    }
}

fn variant(variant: &VariantReport) -> Variant {
    Variant {
        name: variant.name.clone(),
        min_replicas: variant.bounds.0,
        max_replicas: variant.bounds.1,
        per_pod_unit: match variant.unit {
            PerPodUnit::PercentOfRequest => "percentOfRequest",
            PerPodUnit::Value(_) => "value",
        }
        .to_owned(),
        target: variant.goal,
        failure: variant.failure.clone(),
        summary: SummaryItem::new(&variant.summary, variant.above),
        rescales: variant
            .rescales
            .iter()
            .map(|rescale| RescaleItem {
                seconds: seconds(rescale.at),
                from: rescale.from,
                to: rescale.to,
                rule: rescale.reason.rule.to_owned(),
                sentence: rescale.reason.sentences.join(" "),
            })
            .collect(),
        points: variant
            .runs
            .first()
            .into_iter()
            .flat_map(|run| &run.points)
            .map(|point| PointItem {
                seconds: seconds(point.at),
                load: rounded(point.load),
                replicas: point.replicas,
                ready: point.ready,
                desired: point.desired,
                needed: point.needed,
                per_pod: rounded(point.per_pod),
                not_served: rounded(point.lost),
            })
            .collect(),
    }
}

impl From<&hpa_simulation::Band> for BandItem {
    fn from(band: &hpa_simulation::Band) -> Self {
        Self {
            median: rounded(band.median),
            low: rounded(band.low),
            high: band.high.is_finite().then(|| rounded(band.high)),
        }
    }
}

fn seconds(millis: Millis) -> f64 {
    millis as f64 / 1000.0
}

/// Six decimals: more is noise.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
