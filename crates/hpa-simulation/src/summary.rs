//! Key figures of one run, and bands over many.

use crate::{Millis, Parts, Point, Run, RunSummary, SimulatedRescale, usage::Served};

/// Running counts for the summary.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    above: f64,
    tolerated: f64,
    max: i32,
    offered: f64,
    lost: f64,
    has_capacity: bool,
    pod_seconds: f64,
    above_millis: Millis,
    most: i32,
    fewest: i32,
    above_max: Option<Millis>,
    /// Whether every point says how many replicas the load needs.
    is_known: bool,
    /// The current stretch, if the load is not met.
    current: Option<Stretch>,
    longest: Option<Stretch>,
}

#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: Millis,
    to: Millis,
    offered: f64,
    lost: f64,
}

/// A shorter interval with the load met does not end a stretch.
const PAUSE: Millis = 15_000;

impl Tally {
    pub(crate) fn new(above: f64, (tolerated, max): (f64, i32)) -> Self {
        Self {
            above,
            tolerated,
            max,
            offered: 0.0,
            lost: 0.0,
            has_capacity: false,
            pod_seconds: 0.0,
            above_millis: 0,
            most: 0,
            fewest: i32::MAX,
            above_max: None,
            is_known: true,
            current: None,
            longest: None,
        }
    }

    pub(crate) fn take(&mut self, point: &Point, served: Served) {
        self.has_capacity |= served.offered > 0.0;
        self.offered += served.offered;
        self.lost += served.lost;
        self.pod_seconds += f64::from(point.replicas);
        if self.above < point.per_pod {
            self.above_millis += 1000;
        }
        self.most = self.most.max(point.replicas);
        self.fewest = self.fewest.min(point.replicas);
        self.is_known &= point.needed.is_some();
        let needed = point.needed.unwrap_or_default();
        if self.max < needed && self.above_max.is_none() {
            self.above_max = Some(point.at);
        }
        let is_short = self.tolerated < point.per_pod && point.ready < self.max;
        let is_lost = served.lost > served.offered * 1e-9;
        let is_empty = point.ready == 0 && 0 < needed;
        if is_short || is_lost || is_empty {
            let stretch = self.current.get_or_insert(Stretch {
                from: point.at,
                to: point.at,
                offered: 0.0,
                lost: 0.0,
            });
            stretch.to = point.at + 1000;
            stretch.offered += served.offered;
            stretch.lost += served.lost;
        } else if let Some(stretch) = self.current
            && stretch.to + PAUSE <= point.at
        {
            self.end(stretch);
        }
    }

    fn end(&mut self, stretch: Stretch) {
        self.current = None;
        let length = |stretch: Stretch| stretch.to - stretch.from;
        if self
            .longest
            .is_none_or(|longest| length(longest) < length(stretch))
        {
            self.longest = Some(stretch);
        }
    }

    pub(crate) fn finish(mut self, rescales: &[SimulatedRescale], end: Millis) -> RunSummary {
        let is_met = self.is_known && self.current.is_none_or(|stretch| stretch.to + 1000 < end);
        if let Some(stretch) = self.current {
            if is_met {
                self.end(stretch);
            } else {
                self.longest = Some(stretch);
            }
        }
        let parts = self.longest.map_or_else(Parts::default, |stretch| {
            let mut ups = rescales.iter().filter(|rescale| {
                rescale.from < rescale.to && stretch.from <= rescale.at && rescale.at <= stretch.to
            });
            let first = ups.next().map(|rescale| rescale.at);
            let last = ups.next_back().map(|rescale| rescale.at).or(first);
            match (first, last) {
                (Some(first), Some(last)) => Parts {
                    notice: first - stretch.from,
                    steps: last - first,
                    startup: stretch.to - last,
                },
                _ => Parts::default(),
            }
        });
        let share = |lost: f64, offered: f64| if offered > 0.0 { lost / offered } else { 0.0 };
        RunSummary {
            met_after: is_met.then(|| self.longest.map_or(0, |stretch| stretch.to - stretch.from)),
            met_from: self.longest.map_or(0, |stretch| stretch.from),
            parts,
            not_served: self.has_capacity.then(|| share(self.lost, self.offered)),
            not_served_until_met: self
                .longest
                .filter(|_| self.has_capacity)
                .map(|stretch| share(stretch.lost, stretch.offered)),
            pod_hours: self.pod_seconds / 3600.0,
            rescales: u32::try_from(rescales.len()).unwrap_or(u32::MAX),
            above: self.above_millis,
            most: self.most,
            fewest: self.fewest.min(self.most),
            above_max: self.above_max,
        }
    }
}

/// The median of all runs, and the range of the middle 80%.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Band {
    /// 10% of the runs are lower.
    pub low: f64,
    /// 50% of the runs are lower.
    pub median: f64,
    /// 10% of the runs are higher.
    pub high: f64,
}

/// A band as text: the median, and the range if runs differ.
pub fn band(band: &Band, amount: impl Fn(f64) -> String) -> String {
    let (low, middle, high) = (amount(band.low), amount(band.median), amount(band.high));
    if low == high {
        middle
    } else {
        format!("{middle} ({low} to {high})")
    }
}

/// Key figures over many runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Seconds until the load is met. None: half of the runs or more end without meeting it.
    pub met_after: Option<Band>,
    /// Seconds until it is first not met for that long.
    pub met_from: Band,
    /// Number of runs that end without meeting the load.
    pub unmet_runs: usize,
    /// Share of the load that is lost. None: the capacity of a pod is unknown.
    pub not_served: Option<Band>,
    /// The same, until the load is met.
    pub not_served_until_met: Option<Band>,
    /// Total pod hours.
    pub pod_hours: Band,
    /// Changes of the replicas by the controller.
    pub rescales: Band,
    /// Seconds in which the value per pod is above the limit.
    pub seconds_above: Band,
    /// Seconds until the first scale-up.
    pub notice: Band,
    /// Seconds from the first scale-up to the last.
    pub steps: Band,
    /// Seconds after the last scale-up.
    pub startup: Band,
}

impl Band {
    /// The band over values in any order. All zero if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (share * values.len().saturating_sub(1) as f64).round() as usize;
            values.get(index).copied().unwrap_or_default()
        };
        Self {
            low: at(0.1),
            median: at(0.5),
            high: at(0.9),
        }
    }
}

impl Summary {
    /// The summary of runs.
    pub fn of(runs: &[Run]) -> Self {
        let seconds = |millis: Millis| millis as f64 / 1000.0;
        let all = |value: &dyn Fn(&RunSummary) -> f64| {
            Band::of(runs.iter().map(|run| value(&run.summary)))
        };
        let some = |value: &dyn Fn(&RunSummary) -> Option<f64>| {
            let values: Vec<f64> = runs.iter().filter_map(|run| value(&run.summary)).collect();
            (!values.is_empty()).then(|| Band::of(values))
        };
        let unmet_runs = runs
            .iter()
            .filter(|run| run.summary.met_after.is_none())
            .count();
        // A run that does not meet the load counts as the longest: it takes at least its whole length.
        let met = |summary: &RunSummary| summary.met_after.map_or(f64::INFINITY, seconds);
        Self {
            met_after: Some(all(&met)).filter(|band| band.median.is_finite()),
            met_from: all(&|summary| seconds(summary.met_from)),
            unmet_runs,
            not_served: some(&|summary| summary.not_served),
            not_served_until_met: some(&|summary| summary.not_served_until_met),
            pod_hours: all(&|summary| summary.pod_hours),
            rescales: all(&|summary| f64::from(summary.rescales)),
            seconds_above: all(&|summary| seconds(summary.above)),
            notice: all(&|summary| seconds(summary.parts.notice)),
            steps: all(&|summary| seconds(summary.parts.steps)),
            startup: all(&|summary| seconds(summary.parts.startup)),
        }
    }
}
