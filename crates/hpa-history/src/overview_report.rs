//! The past of many HPAs, the most urgent first.

use std::cmp::Reverse;

use hpa_engine::model::HpaKey;
use hpa_words::{amount::count, clock::span};
use jiff::{Timestamp, tz::TimeZone};

use crate::{
    answer::left_out,
    course::{Course, FAILURES, IntervalKind},
    possible::ImpossibleSamples,
    report::spacing,
    series::Millis,
};

/// The past of many HPAs.
#[derive(Clone, Debug)]
pub struct OverviewReport {
    /// Start of the time range.
    pub from: Timestamp,
    /// End of the time range.
    pub to: Timestamp,
    /// The zone in which times are shown.
    pub zone: TimeZone,
    /// The server that the data was read from; none: the HPAs are in several clusters.
    pub server: Option<String>,
    /// The HPAs, the most urgent first.
    pub rows: Vec<OverviewRow>,
    /// Warnings of the server, and what is missing.
    pub warnings: Vec<String>,
    /// The clusters of several contexts, in the order of the flags; empty: there is one cluster.
    pub contexts: Vec<OverviewContext>,
}

/// The cluster of one of several contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)
)]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct OverviewContext {
    /// Name of the context.
    pub name: String,
    /// The server that its past was read from; null: nothing was read.
    pub server: Option<String>,
    /// How many of the HPAs are in its cluster.
    pub hpas: usize,
    /// Why it could not be read; null: it was read.
    pub error: Option<String>,
}

/// The past of one HPA.
#[derive(Clone, Debug)]
pub struct OverviewRow {
    /// The context of its cluster; none: there is only one cluster.
    pub context: Option<String>,
    /// The HPA.
    pub key: HpaKey,
    /// What it scales, as `kind/name`.
    pub target: String,
    /// `maxReplicas` today.
    pub max: i32,
    /// What happened; none: the server has no samples of it.
    pub course: Option<Course>,
    /// Samples of it that are left out because they cannot be.
    pub impossible: Vec<ImpossibleSamples>,
}

/// The intervals that need attention, the most urgent first.
pub const KINDS: [IntervalKind; 4] = [
    IntervalKind::MetricsFailed,
    IntervalKind::NotAbleToScale,
    IntervalKind::AtMax,
    IntervalKind::Flapping,
];

impl OverviewRow {
    /// Its urgency: failures before limits, the longest first.
    pub fn urgency(&self) -> [Millis; 4] {
        // What only one scrape shows has no length.
        let urgency = |kind| self.held(kind).map_or(0, |time| time.max(1));
        let [failed, unable, at_max, flapping] = KINDS.map(urgency);
        let rescales = Millis::try_from(self.changes().unwrap_or(0)).unwrap_or(Millis::MAX);
        [failed + unable, at_max, flapping, rescales]
    }

    /// How long a state held; none: no scrape shows it.
    pub fn held(&self, kind: IntervalKind) -> Option<Millis> {
        let course = self.course.as_ref()?;
        let is_shown = course.intervals.iter().any(|one| one.kind == kind);
        is_shown.then(|| course.time_of(kind))
    }

    /// How long a state held; none: not known.
    pub fn time_of(&self, kind: IntervalKind) -> Option<Millis> {
        self.course.as_ref()?.known_time_of(kind)
    }

    /// Whether no scrape shows one of these states, and not all of them are excluded.
    pub fn is_unknown(&self, kinds: &[IntervalKind]) -> bool {
        kinds.iter().all(|kind| self.held(*kind).is_none())
            && kinds.iter().any(|kind| self.time_of(*kind).is_none())
    }

    /// Changes of the replicas; none: there are no samples.
    pub fn changes(&self) -> Option<usize> {
        Some(self.course.as_ref()?.rescales.len())
    }

    /// Pod hours in the time with samples; none: there are no two samples in a row.
    pub fn pod_hours(&self) -> Option<f64> {
        self.course.as_ref()?.pod_hours()
    }

    /// How much of the time range has no samples: between two, before the first and after the last one.
    pub fn no_data(&self, report: &OverviewReport) -> Millis {
        let (from, to) = (report.from.as_millisecond(), report.to.as_millisecond());
        let Some(course) = &self.course else {
            return to - from;
        };
        let points = &course.points;
        let first = points.first().map_or(to, |one| one.time);
        let last = points.last().map_or(to, |one| one.time);
        // The same is a gap between two samples.
        let longest = 5 * spacing(points) / 2;
        let edges = [first - from, to - last].into_iter();
        edges.filter(|edge| longest < *edge).sum::<Millis>() + course.time_of(IntervalKind::NoData)
    }

    /// The fewest and the most replicas; none: there are no samples.
    pub fn replicas(&self) -> Option<(i32, i32)> {
        let replicas = || {
            self.course
                .iter()
                .flat_map(|one| &one.points)
                .map(|one| one.replicas)
        };
        Some((replicas().min()?, replicas().max()?))
    }
}

/// A length of time in words.
pub fn how_long(time: Millis) -> String {
    if time == 0 {
        "1 scrape".to_owned()
    } else {
        span(time as f64 / 1000.0)
    }
}

/// The first line of the output.
pub fn overview_answer(report: &OverviewReport) -> String {
    let mut sentences = Vec::new();
    for kind in KINDS {
        let rows = report.rows.iter();
        let mut rows: Vec<(&OverviewRow, Millis)> = rows
            .filter_map(|row| Some((row, row.held(kind)?)))
            .collect();
        rows.sort_by_key(|(_, time)| Reverse(*time));
        let Some((first, time)) = rows.first() else {
            continue;
        };
        let what = match kind {
            IntervalKind::MetricsFailed => "could not compute the metrics",
            IntervalKind::NotAbleToScale => "could not read or write the scale",
            IntervalKind::AtMax => "was held at maxReplicas",
            _ => "went up and down in turns",
        };
        let more = match rows.len() - 1 {
            0 => String::new(),
            more => format!(", {more} more for less"),
        };
        let time = how_long(*time);
        let context = first.context.as_ref();
        let context = context.map_or_else(String::new, |context| format!(" of {context}"));
        sentences.push(format!("{}{context} {what} for {time}{more}.", first.key));
    }
    let rows_that =
        |are: &dyn Fn(&OverviewRow) -> bool| report.rows.iter().filter(|row| are(row)).count();
    let all = report.rows.len();
    let silent = rows_that(&|row| row.course.is_none());
    let range = report.to.as_millisecond() - report.from.as_millisecond();
    let partial = rows_that(&|row| row.course.is_some() && range < 20 * row.no_data(report));
    let known = rows_that(&|row| row.impossible.is_empty() && !row.is_unknown(&KINDS));
    if sentences.is_empty() && 0 < known {
        let who = match known {
            _ if known == all => "All is well".to_owned(),
            1 => format!("1 of {} is well", count(all, "HPA")),
            _ => format!("{known} of {} are well", count(all, "HPA")),
        };
        let when = match partial {
            0 => "",
            _ => " in the time with samples",
        };
        sentences.push(format!(
            "{who}{when}: never held at maxReplicas, no flapping, no failed metric."
        ));
    }
    let unknown: Vec<String> = [
        ("failures", &FAILURES[..]),
        ("time at maxReplicas", &[IntervalKind::AtMax][..]),
    ]
    .into_iter()
    .filter_map(|(what, kinds)| {
        let rows = rows_that(&|row| row.course.is_some() && row.is_unknown(kinds));
        (0 < rows).then(|| format!("{what} of {}", count(rows, "HPA")))
    })
    .collect();
    if !unknown.is_empty() {
        let unknown = unknown.join(", ");
        sentences.push(format!(
            "Unknown without samples of the conditions: {unknown}."
        ));
    }
    for (rows, when) in [(partial, "for part of this time"), (silent, "in this time")] {
        if 0 < rows {
            let have = if rows == 1 { "has" } else { "have" };
            sentences.push(format!("{} {have} no samples {when}.", count(rows, "HPA")));
        }
    }
    let impossible: Vec<&OverviewRow> = report
        .rows
        .iter()
        .filter(|row| !row.impossible.is_empty())
        .collect();
    if let [first, more @ ..] = &impossible[..] {
        let also = match more.len() {
            0 => String::new(),
            more => format!(" {} have such samples, also.", count(more, "other HPA")),
        };
        let what = left_out(&first.impossible).join(" ");
        sentences.push(format!("{}: {what}{also}", first.key));
    }
    if 0 < silent && silent == all {
        sentences.push(
            "Check whether kube-state-metrics is scraped, whether the HPAs existed, and whether the server keeps raw samples for that long."
                .to_owned(),
        );
    }
    sentences.join(" ")
}
