//! The result of a simulation, in every format.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "numbers for people: none is so large"
)]

mod answer;
mod csv;
mod event;
mod html;
mod json;
mod parameter;
mod text;

use jiff::{SignedDuration, Timestamp};

pub use answer::answer;
pub use csv::csv;
pub use html::document;
pub(crate) use html::ranged;
pub(super) use json::rounded;
pub use json::{BandItem, SimulateOutput, SummaryItem, json};
pub use parameter::{Assumption, NotModeled, Parameter};
pub(crate) use text::bar;
pub use text::styled;
pub use text::text;

use hpa_engine::model::HpaKey;
use hpa_simulation::{Band, Millis, Run, Summary, TimedEvent};
use hpa_words::{amount::trimmed, clock::elapsed};

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
    pub(crate) fn is_need_known(&self) -> bool {
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
    /// The rule that decides.
    pub rule: &'static str,
    /// Why, in sentences.
    pub sentences: Vec<String>,
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

/// The unit of the value per pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerPodUnit {
    /// Percent of what the pods request.
    PercentOfRequest,
    /// A value of the metric.
    Value(LoadUnit),
}

/// The unit of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadUnit {
    /// CPU cores.
    Cores,
    /// Bytes.
    Bytes,
    /// The unit of the metric.
    Number,
}

impl LoadUnit {
    /// An amount with its unit: `4.8 cores`, `3.2 GiB`, `250`.
    pub fn amount(self, value: f64) -> String {
        match self {
            Self::Cores if value == 0.0 => "0".to_owned(),
            Self::Cores if value < 1.0 => format!("{:.0}m", value * 1000.0),
            Self::Cores => {
                let number = number(value);
                let noun = if number == "1" { "core" } else { "cores" };
                format!("{number} {noun}")
            }
            Self::Bytes => bytes(value),
            Self::Number => number(value),
        }
    }
}

impl PerPodUnit {
    /// A value with its unit: `72%`, `350m`.
    pub fn amount(self, value: f64) -> String {
        match self {
            Self::PercentOfRequest => format!("{value:.0}%"),
            Self::Value(unit) => unit.amount(value),
        }
    }
}

fn bytes(value: f64) -> String {
    const UNITS: [(&str, f64); 3] = [
        ("GiB", 1_073_741_824.0),
        ("MiB", 1_048_576.0),
        ("KiB", 1024.0),
    ];
    match UNITS.iter().find(|(_, size)| *size <= value) {
        Some((unit, size)) => format!("{} {unit}", number(value / size)),
        None => format!("{value:.0} B"),
    }
}

/// At most three significant digits, without trailing zeros.
pub(crate) fn number(value: f64) -> String {
    let digits = match value.abs() {
        magnitude if magnitude >= 100.0 => 0,
        magnitude if magnitude >= 10.0 => 1,
        _ => 2,
    };
    trimmed(value, digits)
}

/// Replicas of the first run at its start and end, `6 → 20 replicas`.
fn replicas(variant: &VariantReport) -> String {
    let points = variant.runs.first().map_or(&[][..], |run| &run.points);
    match (points.first(), points.last()) {
        (Some(first), Some(last)) if first.replicas != last.replicas => {
            format!("{} → {} replicas", first.replicas, last.replicas)
        }
        (Some(first), _) => format!("{} replicas at the start and at the end", first.replicas),
        (None, _) => String::new(),
    }
}

/// The heading of the time in which the value per pod is above the limit: `time > 66%`.
fn time_above(report: &SimulationReport) -> String {
    let first = report.variants.first();
    match first.filter(|variant| variant.above.is_finite()) {
        Some(variant) => format!("time > {}", variant.unit.amount(variant.above)),
        None => "time above".to_owned(),
    }
}

/// A length of time: `48 s`, `3 min 50 s`, `2 h 5 min`, `7 d`.
pub(crate) fn span(seconds: f64) -> String {
    let total = seconds.round() as i64;
    let (hours, minutes, seconds) = (total / 3600, total % 3600 / 60, total % 60);
    match (hours, minutes, seconds) {
        (48.., ..) if hours % 24 == 0 => format!("{} d", hours / 24),
        (48.., ..) => format!("{} d {} h", hours / 24, hours % 24),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, 0, _) => format!("{hours} h"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// A time since the start: `1:15`, `2:03:00`.
pub(crate) fn clock(at: Millis) -> String {
    elapsed(SignedDuration::from_millis(at))
}

/// A band as text: the median, and the range if runs differ.
pub(crate) fn band(band: &Band, amount: impl Fn(f64) -> String) -> String {
    let (low, middle, high) = (amount(band.low), amount(band.median), amount(band.high));
    if low == high {
        middle
    } else {
        format!("{middle} ({low} to {high})")
    }
}
