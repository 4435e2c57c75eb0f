//! What a simulation comes to, in every format.
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

use jiff::Timestamp;

pub use answer::answer;
pub use csv::csv;
pub use html::document;
pub(in crate::render) use html::ranged;
pub use json::{BandItem, SimulateOutput, json};
pub use parameter::{Assumption, NotModeled, Parameter};
pub(in crate::render) use text::bar;
pub use text::styled;
pub use text::text;

use crate::{
    explain::amount::trimmed,
    model::HpaKey,
    simulation::{Band, Millis, Run, Summary, TimedEvent},
};

/// What a simulation comes to.
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
    /// How many runs there are of each variant.
    pub runs: usize,
    /// How many were asked for, if it was interrupted.
    pub interrupted_of: Option<usize>,
    /// What happens from outside, by time.
    pub events: Vec<TimedEvent>,
    /// Today's spec first.
    pub variants: Vec<VariantReport>,
    /// Everything that was taken from somewhere.
    pub assumptions: Vec<Assumption>,
    /// What may happen and does not, here.
    pub not_modeled: Vec<NotModeled>,
    /// The expectations, about the last variant that was asked for by `--set`, or today's.
    pub expectations: Vec<ExpectationReport>,
}

/// One variant of the spec.
#[derive(Clone, Debug)]
pub struct VariantReport {
    /// `today`, or its assignments.
    pub name: String,
    /// `minReplicas` and `maxReplicas`.
    pub bounds: (i32, i32),
    /// The course by metric.
    pub unit: PerPodUnit,
    /// The name of the first metric, as a load has it.
    pub metric: String,
    /// The unit of the load.
    pub load_unit: LoadUnit,
    /// The target of the first metric, in the unit of the value per pod; none: it has none.
    pub goal: Option<f64>,
    /// Where nothing changes around the target: the lowest and the highest value per pod.
    pub tolerated: Option<(f64, f64)>,
    /// The most that a pod can reach, in the unit of the value per pod.
    pub most_per_pod: Option<f64>,
    /// The value above which seconds are counted.
    pub above: f64,
    /// All runs in a few numbers.
    pub summary: Summary,
    /// The rescales of the first run.
    pub rescales: Vec<RescaleReport>,
    /// All runs, the first one first.
    pub runs: Vec<Run>,
}

/// A rescale in words.
#[derive(Clone, Debug, PartialEq)]
pub struct RescaleReport {
    /// When.
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

/// Whether an expectation holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationReport {
    /// As it was written.
    pub text: String,
    /// The variant that it is about.
    pub variant: String,
    /// In so many runs it holds.
    pub holds_in: usize,
    /// Of so many.
    pub of: usize,
    /// Whether that is enough.
    pub holds: bool,
}

/// What the value per pod is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerPodUnit {
    /// Percent of what the pods request.
    PercentOfRequest,
    /// A value of the metric.
    Value(LoadUnit),
}

/// What a load is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadUnit {
    /// CPU cores.
    Cores,
    /// Bytes.
    Bytes,
    /// Whatever the metric counts.
    Number,
}

impl LoadUnit {
    /// So much of it: `4.8 cores`, `3.2 GiB`, `250`.
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
    /// So much of it: `72%`, `350m`.
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

/// Three digits at most, without zeros at the end.
pub(in crate::render) fn number(value: f64) -> String {
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
pub(in crate::render) fn span(seconds: f64) -> String {
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
pub(in crate::render) fn clock(at: Millis) -> String {
    let total = at / 1000;
    let (hours, minutes, seconds) = (total / 3600, total % 3600 / 60, total % 60);
    if hours == 0 {
        format!("{minutes}:{seconds:02}")
    } else {
        format!("{hours}:{minutes:02}:{seconds:02}")
    }
}

/// A band as one text: the middle, and the range where runs differ.
pub(in crate::render) fn band(band: &Band, amount: impl Fn(f64) -> String) -> String {
    let (low, middle, high) = (amount(band.low), amount(band.median), amount(band.high));
    if low == high {
        middle
    } else {
        format!("{middle} ({low} to {high})")
    }
}
