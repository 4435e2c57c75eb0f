//! The past of HPAs, in every format.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "numbers for people: none is so large"
)]

mod advice;
mod answer;
mod csv;
mod happened;
mod html;
mod json;
mod overview;
mod text;

use jiff::{Timestamp, tz::TimeZone};

pub use advice::Advice;
pub use csv::csv;
pub use html::document;
pub use json::{HistoryOutput, json};
pub use overview::{
    HistoryOverviewOutput, OverviewContext, OverviewReport, OverviewRow, overview_csv,
    overview_json, overview_text,
};
pub use text::{how_sure, text};

use crate::{
    history::{Certainty, Course, Doubt, IntervalKind, Name, Point, Trust},
    model::HpaKey,
    render::simulate::PerPodUnit,
    simulation::{Band, Millis},
};

/// The past of one HPA.
#[derive(Clone, Debug)]
pub struct HistoryReport {
    /// The HPA.
    pub hpa: HpaKey,
    /// What it scales, as `kind/name`.
    pub target: String,
    /// Version of the controller.
    pub version: String,
    /// Begin of the time.
    pub from: Timestamp,
    /// Its end.
    pub to: Timestamp,
    /// In which zone times are shown.
    pub zone: TimeZone,
    /// The server that it was read from.
    pub server: String,
    /// The first metric; none: it has none.
    pub metric: Option<MetricReport>,
    /// What happened.
    pub course: Course,
    /// How well it is recomputed.
    pub trust: Trust,
    /// Why each rescale of the course happened; none: it could not be recomputed.
    pub reasons: Vec<Option<RescaleReason>>,
    /// What would make it better known.
    pub advice: Vec<Advice>,
    /// The series that were looked for.
    pub series: Vec<SeriesReport>,
    /// Where each input is taken from.
    pub sources: Vec<SourceReport>,
    /// What the pods could not show.
    pub censored: Vec<Censored>,
    /// What would have been with another spec; none: it was not asked for.
    pub what_if: Option<WhatIfReport>,
    /// What the server said besides.
    pub warnings: Vec<String>,
}

/// A metric as it is today.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricReport {
    /// Its name.
    pub name: String,
    /// What its value is.
    pub unit: PerPodUnit,
    /// Whether the value is that of a pod, or in percent of what pods request.
    pub is_per_pod: bool,
    /// Its target; none: it is of a type that is not known.
    pub target: Option<f64>,
    /// From where to where the controller tolerates the value.
    pub tolerated: Option<(f64, f64)>,
    /// How many metrics the HPA has besides.
    pub others: usize,
}

/// Why the replicas changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RescaleReason {
    /// The rule that decides, as in `explain`.
    pub rule: &'static str,
    /// Why, in sentences.
    pub sentences: Vec<String>,
}

/// A name of series that was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesReport {
    /// The name.
    pub name: Name,
    /// How many series of it there are.
    pub found: usize,
    /// From sample to sample.
    pub interval: Option<Millis>,
}

/// How an input is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// At each scrape.
    Observed,
    /// Between two bounds.
    Bounded,
    /// From other inputs, or as today.
    Inferred,
    /// By default.
    Assumed,
    /// Not at all.
    Unknown,
}

impl Known {
    /// In one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::Bounded => "bounded",
            Self::Inferred => "inferred",
            Self::Assumed => "assumed",
            Self::Unknown => "unknown",
        }
    }
}

/// Where an input is taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceReport {
    /// A stable key.
    pub key: &'static str,
    /// How it is known.
    pub known: Known,
    /// Its name, and more where that is needed.
    pub words: String,
}

/// Why the load of a time may have been greater than the pods show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Censored {
    /// At `maxReplicas`, for so long.
    AtMax(Millis),
    /// The kernel held containers back, in this share of their periods.
    Throttled(f64),
}

/// What would have been with another spec.
#[derive(Clone, Debug)]
pub struct WhatIfReport {
    /// The share of the replicas that the model gives with today's spec.
    pub control: f64,
    /// Whether that is enough to compare variants.
    pub is_trusted: bool,
    /// As it was.
    pub actual: WhatIfRow,
    /// Today's spec in the model, then the variants. Empty where the control run is not trusted.
    pub variants: Vec<WhatIfRow>,
    /// What an hour of a pod costs; none: no price was given.
    pub price: Option<f64>,
}

/// The past with one spec.
#[derive(Clone, Debug)]
pub struct WhatIfRow {
    /// What it is.
    pub name: String,
    /// Time and replicas, the median of the runs. Empty for what was.
    pub replicas: Vec<(Millis, f64)>,
    /// Hours of all pods together.
    pub pod_hours: Band,
    /// Hours at `maxReplicas`, wanting more.
    pub hours_at_max: Band,
    /// What pods would have been needed and were not there, in hours of pods.
    pub unmet_pod_hours: Band,
    /// Changes of the replicas.
    pub rescales: Band,
}

/// A certainty in one word.
pub fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Likely => "likely",
        Certainty::Unknown => "unknown",
    }
}

/// Why a sync is not certain, as the end of a sentence.
pub fn doubt(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Unseen => "the sync was between two scrapes",
        Doubt::OtherSyncs => "it depends on syncs between two scrapes",
        Doubt::Pods => "it depends on pods that changed at the same time",
        Doubt::NoPods => "the pods were not read",
        Doubt::NoValues => "the controller's own value is not exported",
        Doubt::Begin => "it depends on the time before",
        Doubt::Edited => "the HPA was edited since, and behavior is that of today",
    }
}

/// A stable key of a doubt.
pub fn doubt_key(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Unseen => "unseen",
        Doubt::OtherSyncs => "otherSyncs",
        Doubt::Pods => "pods",
        Doubt::NoPods => "noPods",
        Doubt::NoValues => "noValues",
        Doubt::Begin => "begin",
        Doubt::Edited => "edited",
    }
}

/// A stable key of what held.
pub fn interval_key(kind: IntervalKind) -> &'static str {
    match kind {
        IntervalKind::AtMax => "atMax",
        IntervalKind::MetricsFailed => "metricsFailed",
        IntervalKind::NotAbleToScale => "notAbleToScale",
        IntervalKind::Disabled => "disabled",
        IntervalKind::Flapping => "flapping",
        IntervalKind::NoData => "noData",
    }
}

impl HistoryReport {
    /// A time, with its date where the whole is longer than a day.
    fn clock(&self, at: Millis) -> String {
        let at = Timestamp::from_millisecond(at).unwrap_or_default();
        let format = if self.is_long() {
            "%m-%d %H:%M:%S"
        } else {
            "%H:%M:%S"
        };
        at.to_zoned(self.zone.clone()).strftime(format).to_string()
    }

    /// From point to point.
    fn spacing(&self) -> Millis {
        spacing(&self.course.points)
    }

    fn is_long(&self) -> bool {
        25 < self.to.duration_since(self.from).as_hours()
    }
}

/// From point to point, mostly.
fn spacing(points: &[Point]) -> Millis {
    let mut distances: Vec<Millis> = points
        .windows(2)
        .map(|pair| pair[1].time - pair[0].time)
        .collect();
    distances.sort_unstable();
    distances
        .get(distances.len() / 2)
        .copied()
        .unwrap_or(15_000)
}
