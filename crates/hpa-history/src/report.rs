//! The report on a past.

use hpa_engine::model::HpaKey;
use hpa_explain::{RescaleReason, SourceReport};
use hpa_simulation::{Band, PerPodUnit, Summary};
use jiff::{Timestamp, Zoned, civil::Date, tz::TimeZone};

use crate::{
    advice::Advice,
    course::{Course, Point},
    names::Name,
    possible::ImpossibleSamples,
    series::Millis,
    trust::Trust,
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
    /// Start of the time range.
    pub from: Timestamp,
    /// End of the time range.
    pub to: Timestamp,
    /// The zone in which times are shown.
    pub zone: TimeZone,
    /// The server that the data was read from.
    pub server: String,
    /// The first metric; none: it has none.
    pub metric: Option<MetricReport>,
    /// What happened.
    pub course: Course,
    /// How well the past is recomputed.
    pub trust: Trust,
    /// Why each rescale of the course happened; none: it could not be recomputed.
    pub reasons: Vec<Option<RescaleReason>>,
    /// How to make the past better known, the most helpful first.
    pub advice: Vec<Advice>,
    /// The series that were queried.
    pub series: Vec<SeriesReport>,
    /// The source of each input.
    pub sources: Vec<SourceReport>,
    /// What the pods could not show.
    pub censored: Vec<Censored>,
    /// The past under other specs; none: not requested.
    pub what_if: Option<WhatIfReport>,
    /// Warnings of the server, another scale target, and values that are not used.
    pub warnings: Vec<String>,
    /// Samples that are left out because they cannot be.
    pub impossible: Vec<ImpossibleSamples>,
}

/// A metric as it is today.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricReport {
    /// Its name.
    pub name: String,
    /// The unit of its value.
    pub unit: PerPodUnit,
    /// Whether the value is per pod; otherwise it is in percent of the requests.
    pub is_per_pod: bool,
    /// Its target; none: its type is not known.
    pub target: Option<f64>,
    /// The range of values within tolerance.
    pub tolerated: Option<(f64, f64)>,
    /// Number of other metrics of the HPA.
    pub others: usize,
}

/// One series name that was queried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesReport {
    /// The name.
    pub name: Name,
    /// The number of series found.
    pub found: usize,
    /// The time between samples.
    pub interval: Option<Millis>,
}

/// Why the load may have been higher than the pods show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Censored {
    /// At `maxReplicas`, for this long.
    AtMax(Millis),
    /// The kernel throttled containers in this share of their periods.
    Throttled(f64),
    /// Containers used nearly all that their limits allow, for this long.
    AtLimits(Millis),
}

/// The past under other specs.
#[derive(Clone, Debug)]
pub struct WhatIfReport {
    /// The share of the actual replicas that the model reproduces with today's spec.
    pub control: f64,
    /// Whether that is enough to compare variants.
    pub is_trusted: bool,
    /// The actual past.
    pub actual: WhatIfRow,
    /// Today's spec in the model, then the variants. Empty if the control run is not trusted.
    pub variants: Vec<WhatIfRow>,
    /// The price of one pod hour; none: no price was given.
    pub price: Option<f64>,
    /// The CPU that the price counts for a pod; none: no price of CPU was given.
    pub pod_cpu: Option<PodCpu>,
    /// How long the pods could not show the whole load. There, other specs count no fewer pods than there were, as far
    /// as their `maxReplicas` allows.
    pub hidden: Millis,
    /// How long new pods take.
    pub startup: WhatIfStartup,
}

/// The CPU that a pod requests on average.
#[derive(Clone, Copy, Debug)]
pub struct PodCpu {
    /// Cores.
    pub cores: f64,
    /// Whether today's pods request it, because the requests in that time range are not known.
    pub is_of_today: bool,
}

/// How long new pods of the model take from their creation until they are ready.
#[derive(Clone, Copy, Debug)]
pub struct WhatIfStartup {
    /// Seconds.
    pub seconds: Band,
    /// The number of pods of that past that took so long. 0: it is assumed.
    pub pods: usize,
}

/// The past under one spec.
#[derive(Clone, Debug)]
pub struct WhatIfRow {
    /// The name of the spec.
    pub name: String,
    /// Time and replicas, the median of the runs. Empty for the actual past.
    pub replicas: Vec<(Millis, f64)>,
    /// Pod hours in total.
    pub pod_hours: Band,
    /// Hours at `maxReplicas` while the metrics asked for more.
    pub hours_at_max: Band,
    /// Hours of pods that were needed and did not exist.
    pub unmet_pod_hours: Band,
    /// Changes of the replicas.
    pub rescales: Band,
    /// The summary of the runs, and the value per pod above which it counts seconds. None: the actual past, or another
    /// spec where the pods could not show the whole load.
    pub summary: Option<(Summary, f64)>,
}

impl HistoryReport {
    /// A time, with its date if the whole range is longer than a day.
    pub fn clock(&self, at: Millis) -> String {
        let at = Timestamp::from_millisecond(at).unwrap_or_default();
        let format = if self.is_long() {
            "%m-%d %H:%M:%S"
        } else {
            "%H:%M:%S"
        };
        at.to_zoned(self.zone.clone()).strftime(format).to_string()
    }

    /// The usual time between two points.
    pub fn spacing(&self) -> Millis {
        spacing(&self.course.points)
    }

    fn is_long(&self) -> bool {
        25 < self.to.duration_since(self.from).as_hours()
    }

    /// A time in the zone of the report.
    pub fn zoned(&self, at: Millis) -> Zoned {
        let at = Timestamp::from_millisecond(at).unwrap_or_default();
        at.to_zoned(self.zone.clone())
    }

    /// The first and the last time with data.
    pub fn edges(&self) -> Option<(Millis, Millis)> {
        let points = &self.course.points;
        Some((points.first()?.time, points.last()?.time))
    }

    /// `22:03:15`, with the date if it differs from `day`.
    fn time_after(&self, at: Millis, day: Option<Date>) -> String {
        let zoned = self.zoned(at);
        let format = match day {
            Some(day) if day != zoned.date() => "%b %-d %H:%M:%S",
            _ => "%H:%M:%S",
        };
        zoned.strftime(format).to_string()
    }

    /// A time, or a time range.
    pub fn times(&self, from: Millis, to: Option<Millis>) -> String {
        let first = self.time_after(from, None);
        match to.filter(|to| *to != from) {
            Some(to) => {
                let day = self.zoned(from).date();
                format!("{first} to {}", self.time_after(to, Some(day)))
            }
            None => first,
        }
    }
}

/// The usual time between two points.
pub fn spacing(points: &[Point]) -> Millis {
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
