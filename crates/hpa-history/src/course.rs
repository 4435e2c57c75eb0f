//! The past as points, rescales and intervals.

use std::collections::BTreeMap;

use hpa_diagnosis::flapping::{Known, OwnRescale, TURNS, WITHIN, turns};
use hpa_engine::model::Observation;
use jiff::Timestamp;

use crate::{
    certainty::{Certainty, Doubt},
    observe::at,
    past_sync::PastSync,
    scrape::Scrape,
    series::Millis,
};

/// The past of one HPA.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// One for each sync seen.
    pub points: Vec<Point>,
    /// Changes of the replicas.
    pub rescales: Vec<PastRescale>,
    /// Times during which a state held.
    pub intervals: Vec<Interval>,
    /// Time between the syncs seen.
    spacing: Millis,
    /// States that hold at the newest point: their indices in `intervals`.
    open: Vec<usize>,
    /// The number of points that neither show nor exclude a state.
    unseen: BTreeMap<IntervalKind, usize>,
}

/// One sync.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// When.
    pub time: Millis,
    /// Replicas after it.
    pub replicas: i32,
    /// `minReplicas` and `maxReplicas`.
    pub bounds: (i32, i32),
    /// What the metrics recommended, before any limit.
    pub recommendation: Option<i32>,
    /// The recomputed replicas.
    pub recomputed: Option<i32>,
    /// How certain `recomputed` is.
    pub certainty: Certainty,
    /// Number of ready pods. None: the pods were not read.
    pub ready: Option<i32>,
    /// The first metric's value, as the controller computed it; percent for a utilization.
    pub value: Option<f64>,
    /// Its target at that time, in the same unit. None: the sync was not recomputed.
    pub target: Option<f64>,
}

/// A change of the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRescale {
    /// When it was seen.
    pub time: Millis,
    /// Replicas before.
    pub from: i32,
    /// Replicas after.
    pub to: i32,
    /// The recomputed replicas: lowest, most probable, highest.
    pub recomputed: Option<(i32, i32, i32)>,
    /// What the metrics recommended.
    pub recommendation: Option<i32>,
    /// How certain `recomputed` is.
    pub certainty: Certainty,
    /// Why it is not certain.
    pub doubts: Vec<Doubt>,
}

/// A state that held for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The state.
    pub kind: IntervalKind,
    /// When it was first seen.
    pub from: Millis,
    /// When it was last seen.
    pub to: Millis,
    /// The lowest and the highest recommendation during it.
    pub recommendation: Option<(i32, i32)>,
    /// Replicas at its end.
    pub replicas: i32,
}

impl PastRescale {
    fn own(&self) -> OwnRescale {
        OwnRescale {
            at: at(self.time),
            from: self.from,
            to: self.to,
        }
    }
}

/// The kinds of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntervalKind {
    /// The metrics recommended more than `maxReplicas`.
    AtMax,
    /// The controller could not compute its metrics: `ScalingActive` is false.
    MetricsFailed,
    /// The controller could not read or write the scale: `AbleToScale` is false.
    NotAbleToScale,
    /// The target had zero replicas, so the HPA did nothing.
    Disabled,
    /// The direction changed often.
    Flapping,
    /// Nothing was scraped.
    NoData,
}

/// The kinds that are failures.
pub const FAILURES: [IntervalKind; 2] = [IntervalKind::MetricsFailed, IntervalKind::NotAbleToScale];

/// A stable key of an interval kind.
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

/// A new HPA has no conditions for this long.
const NEW: Millis = 90_000;

impl Course {
    /// An empty course. `spacing` is the time between the syncs seen.
    pub fn new(spacing: Millis) -> Self {
        Self {
            spacing,
            ..Self::default()
        }
    }

    /// Adds a sync.
    pub fn take(&mut self, sync: &PastSync<'_>) {
        let scrape = sync.scrape;
        let recomputed = sync.recomputed;
        let certainty = recomputed.map_or(Certainty::Unknown, |one| one.certainty);
        if scrape.current != scrape.desired {
            self.rescales.push(PastRescale {
                time: scrape.time,
                from: scrape.current,
                to: scrape.desired,
                recomputed: recomputed.map(|one| (one.range.0, one.likely, one.range.1)),
                recommendation: recomputed.and_then(|one| one.recommendation),
                certainty,
                doubts: recomputed.map_or_else(Vec::new, |one| one.doubts.clone()),
            });
        }
        if !sync.is_seen {
            return;
        }
        let ready = sync
            .details
            .and_then(|details| details.observation.pods.read())
            .filter(|_| recomputed.is_some_and(|one| !one.doubts.contains(&Doubt::NoPods)))
            .map(|pods| pods.iter().filter(|pod| pod.is_ready()).count());
        let point = Point {
            time: scrape.time,
            replicas: scrape.desired,
            bounds: scrape.bounds,
            recommendation: recomputed.and_then(|one| one.recommendation),
            recomputed: recomputed.map(|one| one.likely),
            certainty,
            ready: ready.and_then(|ready| i32::try_from(ready).ok()),
            value: value_of(scrape),
            target: sync.details.and_then(|one| target_of(one.observation)),
        };
        self.take_intervals(scrape, &point);
        self.take_unseen(scrape, &point);
        self.points.push(point);
    }

    fn take_intervals(&mut self, scrape: &Scrape, point: &Point) {
        if let Some(last) = self.points.last()
            && self.longest() < point.time - last.time
        {
            self.open.clear();
            self.intervals.push(Interval {
                kind: IntervalKind::NoData,
                from: last.time,
                to: point.time,
                recommendation: None,
                replicas: last.replicas,
            });
        }
        let is_above = point
            .recommendation
            .is_some_and(|recommendation| point.bounds.1 < recommendation);
        // If nothing can be recomputed, the condition still shows that a bound held.
        let is_limited = point.recommendation.is_none()
            && scrape.condition("ScalingLimited") == Some("True")
            && !scrape.has_failed();
        let holds = [
            (
                IntervalKind::AtMax,
                point.replicas == point.bounds.1 && (is_above || is_limited),
            ),
            (IntervalKind::MetricsFailed, scrape.has_failed()),
            (
                IntervalKind::NotAbleToScale,
                scrape.condition("AbleToScale") == Some("False"),
            ),
            (
                IntervalKind::Disabled,
                scrape.current == 0 && scrape.condition("ScalingActive") == Some("False"),
            ),
        ];
        for (kind, holds) in holds {
            let place = self
                .open
                .iter()
                .position(|place| self.intervals[*place].kind == kind);
            match (holds, place) {
                (true, Some(place)) => {
                    let interval = &mut self.intervals[self.open[place]];
                    interval.to = point.time;
                    interval.replicas = point.replicas;
                    interval.recommendation = wider(interval.recommendation, point.recommendation);
                }
                (true, None) => {
                    self.open.push(self.intervals.len());
                    self.intervals.push(Interval {
                        kind,
                        from: point.time,
                        to: point.time,
                        recommendation: wider(None, point.recommendation),
                        replicas: point.replicas,
                    });
                }
                (false, Some(place)) => {
                    // It held until this sync, as far as was seen.
                    let interval = &mut self.intervals[self.open.remove(place)];
                    interval.to = point.time;
                }
                (false, None) => {}
            }
        }
    }

    fn take_unseen(&mut self, scrape: &Scrape, point: &Point) {
        let lacks = |condition: &str| scrape.condition(condition).is_none();
        let can_be_limited = point.replicas == point.bounds.1
            && point.recommendation.is_none()
            && !scrape.has_failed();
        let unseen = [
            (
                IntervalKind::AtMax,
                can_be_limited && lacks("ScalingLimited"),
            ),
            (IntervalKind::MetricsFailed, lacks("ScalingActive")),
            (IntervalKind::NotAbleToScale, lacks("AbleToScale")),
        ];
        for (kind, is_unseen) in unseen {
            if is_unseen {
                *self.unseen.entry(kind).or_default() += 1;
            }
        }
    }

    /// Completes the course with what needs the whole past.
    pub fn finish(&mut self) {
        self.open.clear();
        let mut found: Vec<Interval> = Vec::new();
        let own: Vec<OwnRescale> = self.rescales.iter().map(PastRescale::own).collect();
        let span = Millis::try_from(WITHIN.as_millis()).unwrap_or(Millis::MAX);
        for end in 0..self.rescales.len() {
            let last = &self.rescales[end];
            let begin = self.rescales[..end].partition_point(|one| one.time < last.time - span);
            let within = &self.rescales[begin..=end];
            // Scrapes show only some of the rescales.
            if turns(&own[begin..=end], Known::Some).len() < TURNS {
                continue;
            }
            let (from, to, replicas) = (within[0].time, last.time, last.to);
            match found.last_mut() {
                Some(interval) if from <= interval.to => {
                    interval.to = to;
                    interval.replicas = replicas;
                }
                _ => found.push(Interval {
                    kind: IntervalKind::Flapping,
                    from,
                    to,
                    recommendation: None,
                    replicas,
                }),
            }
        }
        self.intervals.append(&mut found);
        self.intervals.sort_by_key(|one| (one.from, one.kind));
    }

    /// The changes of direction while the HPA was flapping.
    pub fn turns(&self) -> Vec<Timestamp> {
        let flapping = self.intervals.iter();
        let flapping = flapping.filter(|one| one.kind == IntervalKind::Flapping);
        let turns = flapping.flat_map(|one| {
            let within = self.rescales.iter();
            let within = within.filter(|rescale| (one.from..=one.to).contains(&rescale.time));
            let own: Vec<OwnRescale> = within.map(PastRescale::own).collect();
            turns(&own, Known::Some)
        });
        turns.collect()
    }

    /// Total time in states of a kind.
    pub fn time_of(&self, kind: IntervalKind) -> Millis {
        let of_kind = self.intervals.iter().filter(|one| one.kind == kind);
        of_kind.map(|one| one.to - one.from).sum()
    }

    /// The same. None: no point shows the state, and the conditions that exclude it were not seen for a while.
    pub fn known_time_of(&self, kind: IntervalKind) -> Option<Millis> {
        let is_shown = self.intervals.iter().any(|one| one.kind == kind);
        let unseen = self.unseen.get(&kind).copied().unwrap_or(0);
        let is_excluded = unseen < self.points.len()
            && Millis::try_from(unseen).is_ok_and(|unseen| unseen * self.spacing <= NEW);
        (is_shown || is_excluded).then(|| self.time_of(kind))
    }

    /// Why nothing was decided at a time, or why that is not known. `last` is the last sync before that decided.
    pub fn undecided(&self, last: Option<Millis>, time: Millis) -> Option<&Interval> {
        self.intervals.iter().find(|one| {
            let is_undecided = match one.kind {
                IntervalKind::AtMax | IntervalKind::Flapping => false,
                // The next sync was to come soon after the last one that was seen.
                IntervalKind::NoData => {
                    last.is_none_or(|last| last <= one.from) && one.from + self.longest() < time
                }
                _ => last.is_none_or(|last| last < one.from),
            };
            // It ended with the sync at its end, unless that is the last one.
            let is_within = (one.from..one.to).contains(&time)
                || time == one.to && self.points.last().is_some_and(|last| last.time == time);
            is_undecided && is_within
        })
    }

    /// The longest time between two points without a gap.
    pub fn longest(&self) -> Millis {
        5 * self.spacing / 2
    }

    /// Replicas times hours, over the times with scrapes. None: there are no two scrapes in a row.
    pub fn pod_hours(&self) -> Option<f64> {
        let longest = self.longest();
        self.points
            .windows(2)
            .filter(|pair| pair[1].time - pair[0].time <= longest)
            .map(|pair| f64::from(pair[0].replicas) * (pair[1].time - pair[0].time) as f64)
            .reduce(|one, other| one + other)
            .map(|pod_millis| pod_millis / 3_600_000.0)
    }
}

fn wider(range: Option<(i32, i32)>, one: Option<i32>) -> Option<(i32, i32)> {
    match (range, one) {
        (Some((least, most)), Some(one)) => Some((least.min(one), most.max(one))),
        (None, Some(one)) => Some((one, one)),
        (range, None) => range,
    }
}

/// The first metric's target.
fn target_of(observation: &Observation) -> Option<f64> {
    let metric = observation.hpa.spec.metrics.first()?;
    metric.target()?.approximate_f64()
}

/// The first metric's value.
fn value_of(scrape: &Scrape) -> Option<f64> {
    let value = scrape.values.first()?.as_ref()?;
    value.average_utilization.map(f64::from).or_else(|| {
        let quantity = value.average_value.as_ref().or(value.value.as_ref())?;
        Some(quantity.approximate_f64())
    })
}
