//! Estimates when the controller synced. Three facts help: a scrape shows the last sync before it; the next sync comes
//! one period after the end of the previous one; and pods show when the sync that created them ran.
//!
//! Syncs are a little further apart than a period, so they drift relative to the scrapes: occasionally a scrape shows
//! the same sync as the previous scrape. Which scrape that is decides how many syncs a window contains.

use std::{collections::BTreeSet, f64::consts::TAU};

use hpa_engine::model::Observation;

use crate::{pods::PodHistory, scrape::Scrape, series::Millis};

/// The times of the syncs that the scrapes show, in the order of the scrapes.
#[derive(Default)]
pub(crate) struct SyncTimes {
    syncs: Vec<ScrapedSync>,
    period: Millis,
}

/// The sync that a scrape shows.
struct ScrapedSync {
    /// The scrape.
    scrape: Millis,
    time: SyncTime,
    /// Whether the previous scrape also shows it.
    is_again: bool,
    /// Whether its number of syncs since the previous ones is uncertain.
    is_unsure: bool,
}

/// The possible times of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyncTime {
    /// The most probable time.
    pub(crate) likely: Millis,
    /// The earliest and the latest time.
    pub(crate) others: Vec<Millis>,
}

/// The sync period of the controller, in milliseconds.
pub(crate) fn period_of(today: &Observation) -> Millis {
    let period = today.sync_period().value.as_millis();
    Millis::try_from(period).unwrap_or(15_000).max(1)
}

/// The first and the last possible time.
type Span = (Millis, Millis);

/// A hypothesis for the number of syncs up to a scrape.
struct Count {
    /// Since the start of the row.
    count: Millis,
    last: Estimate,
    weight: f64,
    /// The counts at the previous scrape that lead to it, the most probable first.
    from: Vec<usize>,
}

/// The time of a sync, as a normal distribution.
#[derive(Clone, Copy)]
struct Estimate {
    mean: f64,
    deviation: f64,
    /// Syncs since one with a known time.
    since: Millis,
}

/// The assumed length of a sync without evidence.
const SYNC_LENGTH: Millis = 10;

/// Uncertainty of the mean time between two syncs in a row, as a share of `step - period`.
const UNEVEN: f64 = 0.4;

/// As a share of the period: a longer sync would count as two.
const LONGEST_SYNC: f64 = 0.05;

/// At least this many known syncs are needed to measure the length of a sync.
const ENOUGH_SYNCS: Millis = 10;

/// Creation times are truncated to seconds.
const CREATION: Millis = 1_000;

/// Pods are created up to this long after the sync.
const LATENESS: Millis = 100;

/// Over this many periods without a scrape, syncs cannot be counted.
const LONGEST_GAP: Millis = 20;

/// Added to the density everywhere, because a sync can take much longer than most.
const LEAST_DENSITY: f64 = 1e-6;

/// Lower bound for the share of syncs that leave the same status.
const LEAST_SAME: f64 = 0.002;

/// How rarely the sync after a rescale does not read the new replicas.
const AFTER_RESCALE: f64 = 1e-4;

/// Counts with a smaller share of the probability are dropped.
const LEAST_WEIGHT: f64 = 0.005;

impl SyncTimes {
    pub(crate) fn new(scrapes: &[Scrape], pods: &PodHistory<'_>, period: Millis) -> Self {
        let period = period.max(1);
        let known: Vec<Option<Span>> = (0..scrapes.len())
            .map(|index| known(scrapes, index, pods, period))
            .collect();
        let step = period + sync_length(&known, period);
        let rows = Rows {
            scrapes,
            known: &known,
            period,
            step,
            same: same_share(scrapes, step, period),
        };
        Self {
            syncs: rows.syncs(),
            period,
        }
    }

    /// The time of the sync that a scrape shows, given the previous scrape.
    pub(crate) fn of(&self, scrape: &Scrape, before: Option<&Scrape>) -> SyncTime {
        let place = self.syncs.partition_point(|one| one.scrape < scrape.time);
        let next = self.syncs.get(place);
        if let Some(found) = next.filter(|next| next.scrape == scrape.time) {
            return found.time.clone();
        }
        // A sync without a scrape: at even intervals before the next one.
        let oldest = earliest_sync(scrape, self.period);
        let from = before.map_or(oldest, |before| before.time.max(oldest)) + 1;
        let from = from.min(scrape.time);
        let likely = next.map_or(scrape.time, |next| {
            let late = (next.time.likely - scrape.time).max(0);
            next.time.likely - (late + self.period - 1) / self.period * self.period
        });
        SyncTime {
            likely: likely.clamp(from, scrape.time),
            others: vec![from, scrape.time],
        }
    }

    /// Whether a scrape shows the same sync as the previous one.
    pub(crate) fn is_again(&self, scrape: &Scrape) -> bool {
        self.sync_of(scrape).is_some_and(|one| one.is_again)
    }

    /// Whether the number of syncs up to a scrape is uncertain.
    pub(crate) fn is_unsure(&self, scrape: &Scrape) -> bool {
        self.sync_of(scrape).is_some_and(|one| one.is_unsure)
    }

    fn sync_of(&self, scrape: &Scrape) -> Option<&ScrapedSync> {
        let place = self
            .syncs
            .binary_search_by_key(&scrape.time, |one| one.scrape);
        self.syncs.get(place.ok()?)
    }
}

/// When the sync that a scrape shows was at the earliest: a period before it, and a little more.
pub(crate) fn earliest_sync(scrape: &Scrape, period: Millis) -> Millis {
    scrape.time - period - period / 10
}

/// The time of the sync that a scrape shows, if it created pods.
fn known(scrapes: &[Scrape], index: usize, pods: &PodHistory<'_>, period: Millis) -> Option<Span> {
    let (before, scrape) = (&scrapes[index.checked_sub(1)?], &scrapes[index]);
    if scrape.desired <= scrape.current {
        return None;
    }
    let created = if before.desired == scrape.current {
        pods.first_created(before.time, scrape.time)?
    } else {
        // A sync that was not seen created pods, too.
        let recent = earliest_sync(scrape, period);
        let last = pods.last_created(before.time, scrape.time);
        last.filter(|created| recent <= *created)?
    };
    // It was also between the scrapes.
    let first = (created - LATENESS).max(before.time + 1);
    let last = (created + CREATION - 1).min(scrape.time);
    (first <= last).then_some((first, last))
}

/// The share of syncs that leave the same status as the previous one, not counting scrapes that show a sync again.
fn same_share(scrapes: &[Scrape], step: Millis, period: Millis) -> f64 {
    let pairs = scrapes.windows(2);
    let same = pairs.filter(|pair| pair[1].is_same(&pair[0])).count();
    let repeats = (step - period) as f64 / step as f64;
    ((same + 1) as f64 / (scrapes.len() + 1) as f64 - repeats).max(LEAST_SAME)
}

/// By how much syncs are further apart than a period, from pairs of known syncs with a clear number of syncs in
/// between.
fn sync_length(known: &[Option<Span>], period: Millis) -> Millis {
    let known: Vec<&Span> = known.iter().flatten().collect();
    let longest = period + (period as f64 * LONGEST_SYNC) as Millis;
    let (mut elapsed, mut syncs) = (0, 0);
    for pair in known.windows(2) {
        let (earlier, later) = (pair[0], pair[1]);
        let most = (later.1 - earlier.0) / period;
        let least = (later.0 - earlier.1 + longest - 1) / longest;
        if least == most && 0 < most {
            elapsed += middle(*later) - middle(*earlier);
            syncs += most;
        }
    }
    if syncs < ENOUGH_SYNCS {
        return SYNC_LENGTH;
    }
    (elapsed / syncs - period).max(SYNC_LENGTH)
}

fn middle((first, last): Span) -> Millis {
    first.midpoint(last)
}

/// Counts the syncs from scrape to scrape, row by row.
struct Rows<'a> {
    scrapes: &'a [Scrape],
    /// The time of the sync that each scrape shows, if known.
    known: &'a [Option<Span>],
    period: Millis,
    /// The time between two syncs.
    step: Millis,
    same: f64,
}

/// The result for a row of scrapes: the most probable count at each.
struct Row {
    begin: usize,
    counts: Vec<Counted>,
}

/// The most probable count at a scrape.
#[derive(Clone, Copy)]
struct Counted {
    count: Millis,
    last: Estimate,
    is_unsure: bool,
}

impl Rows<'_> {
    fn syncs(&self) -> Vec<ScrapedSync> {
        let mut syncs = Vec::with_capacity(self.scrapes.len());
        let is_near =
            |one: &Scrape, next: &Scrape| next.time - one.time <= LONGEST_GAP * self.period;
        let mut begin = 0;
        for row in self.scrapes.chunk_by(is_near) {
            self.take(&self.row(begin, begin + row.len()), &mut syncs);
            begin += row.len();
        }
        syncs
    }

    /// Counts forward and back from the first sync with a known time.
    fn row(&self, begin: usize, end: usize) -> Row {
        let start = (begin..end).find(|index| self.known[*index].is_some());
        let start = start.unwrap_or(begin);
        let back: Vec<usize> = (begin..=start).rev().collect();
        let on: Vec<usize> = (start..end).collect();
        let mut counts = self.walk(&back);
        counts.reverse();
        counts.pop();
        counts.extend(self.walk(&on));
        // The number of syncs since an earlier row is unknown.
        counts[0].is_unsure |= 0 < begin;
        Row { begin, counts }
    }

    /// The possible times of the sync that a scrape shows: the next sync comes after the scrape.
    fn span_of(&self, index: usize) -> Span {
        let time = self.scrapes[index].time;
        self.known[index].unwrap_or((time - self.step + 1, time))
    }

    /// The most probable counts from scrape to scrape, forward or back.
    fn walk(&self, way: &[usize]) -> Vec<Counted> {
        let mut all = vec![vec![Count {
            count: 0,
            last: Estimate::even(self.span_of(way[0])),
            weight: 1.0,
            from: Vec::new(),
        }]];
        for pair in way.windows(2) {
            let next = self.next((pair[0], pair[1]), all.last().map_or(&[], Vec::as_slice));
            all.push(next);
        }
        best(&all)
    }

    /// The counts at a scrape, from those at its neighbor.
    fn next(&self, (from, to): (usize, usize), counts: &[Count]) -> Vec<Count> {
        let (before, after) = (&self.scrapes[from.min(to)], &self.scrapes[from.max(to)]);
        let is_same = after.is_same(before);
        let is_rescale = after.current != after.desired;
        let is_known = self.known[from.max(to)].is_some();
        let found = self.span_of(to);
        let way = if from < to { 1 } else { -1 };
        let mut next: Vec<Count> = Vec::new();
        for (place, one) in counts.iter().enumerate() {
            // The first sync comes after the previous scrape, each other one a step later.
            for later in 0..=(after.time - before.time) / self.step + 1 {
                if later == 0 && (!is_same || is_known) {
                    continue;
                }
                let expected = one.last.after(way * later, self.step, self.period);
                let (last, share) = expected.within(found, self.known[to].is_some());
                let of_status = match (is_same, later) {
                    (true, 1..) if is_rescale => AFTER_RESCALE,
                    (true, 1..) => self.same,
                    _ => 1.0,
                };
                let weight = one.weight * share * of_status;
                let count = one.count + way * later;
                match next.iter_mut().find(|other| other.count == count) {
                    Some(other) if other.weight < weight => {
                        other.from.insert(0, place);
                        other.last = last;
                        other.weight += weight;
                    }
                    Some(other) => {
                        other.from.push(place);
                        other.weight += weight;
                    }
                    None => next.push(Count {
                        count,
                        last,
                        weight,
                        from: vec![place],
                    }),
                }
            }
        }
        let all: f64 = next.iter().map(|one| one.weight).sum();
        next.retain(|one| LEAST_WEIGHT * all <= one.weight);
        for one in &mut next {
            one.weight /= all;
        }
        next
    }

    /// Adds the syncs of a row.
    fn take(&self, row: &Row, into: &mut Vec<ScrapedSync>) {
        let times = self.times(row.begin, &row.counts);
        for (index, (counted, likely)) in row.counts.iter().zip(times).enumerate() {
            let found = self.span_of(row.begin + index);
            let error = 2.0 * counted.last.deviation;
            let within = |time: Millis| time.clamp(found.0, found.1);
            let before = index.checked_sub(1).map(|before| row.counts[before].count);
            into.push(ScrapedSync {
                scrape: self.scrapes[row.begin + index].time,
                time: SyncTime {
                    likely,
                    others: vec![
                        within(likely - error as Millis),
                        within(likely + error as Millis),
                    ],
                },
                is_again: before == Some(counted.count),
                is_unsure: counted.is_unsure,
            });
        }
    }

    /// The most probable times of the syncs of a row: evenly spaced between known ones, and in order even if the period
    /// contradicts the scrapes.
    fn times(&self, begin: usize, counts: &[Counted]) -> Vec<Millis> {
        let known: Vec<(Millis, Millis)> = (0..counts.len())
            .filter_map(|index| Some((counts[index].count, middle(self.known[begin + index]?))))
            .collect();
        let mut latest = Millis::MIN;
        let at = |index: usize| {
            let count = counts[index].count;
            let place = known.partition_point(|(known, _)| *known <= count);
            let before = place.checked_sub(1).and_then(|place| known.get(place));
            let time = match (before, known.get(place)) {
                (Some((first, from)), Some((last, to))) => {
                    from + (to - from) * (count - first) / (last - first)
                }
                _ => counts[index].last.mean as Millis,
            };
            let (first, last) = self.span_of(begin + index);
            latest = time.clamp(first, last).max(latest);
            latest
        };
        (0..counts.len()).map(at).collect()
    }
}

/// The path to the most probable count at the end. It is uncertain where other counts also lead to the end.
fn best(all: &[Vec<Count>]) -> Vec<Counted> {
    let Some(last) = all.last() else {
        return Vec::new();
    };
    let heaviest = (0..last.len()).max_by(|a, b| last[*a].weight.total_cmp(&last[*b].weight));
    let mut place = heaviest.unwrap_or(0);
    let mut possible: Vec<usize> = (0..last.len())
        .filter(|place| 2.0 * LEAST_WEIGHT < last[*place].weight)
        .collect();
    let mut path = Vec::with_capacity(all.len());
    for counts in all.iter().rev() {
        let chosen = &counts[place];
        path.push(Counted {
            count: chosen.count,
            last: chosen.last,
            is_unsure: 1 < possible.len(),
        });
        place = chosen.from.first().copied().unwrap_or(0);
        let earlier: BTreeSet<usize> = possible
            .iter()
            .flat_map(|place| counts[*place].from.iter().copied())
            .collect();
        possible = earlier.into_iter().collect();
    }
    path.reverse();
    path
}

impl Estimate {
    /// A uniform distribution over a span.
    fn even((first, last): Span) -> Self {
        let length = (last - first + 1) as f64;
        Self {
            mean: middle((first, last)) as f64,
            deviation: length / 12.0_f64.sqrt(),
            since: 0,
        }
    }

    /// The estimate for a number of syncs later or earlier.
    fn after(self, later: Millis, step: Millis, period: Millis) -> Self {
        let since = self.since + later.abs();
        let length = (step - period) as f64 * UNEVEN;
        let error = |syncs: Millis| (syncs as f64 * length).powi(2);
        let variance = self.deviation.powi(2) + error(since) - error(self.since);
        Self {
            mean: self.mean + (later * step) as f64,
            deviation: variance.max(1.0).sqrt(),
            since,
        }
    }

    /// The part of the estimate within a span, and its probability.
    fn within(self, (first, last): Span, is_known: bool) -> (Self, f64) {
        const POINTS: i32 = 64;
        let width = (last - first + 1) as f64 / f64::from(POINTS);
        let (mut all, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for point in 0..POINTS {
            let time = first as f64 + (f64::from(point) + 0.5) * width - self.mean;
            let density = (-(time / self.deviation).powi(2) / 2.0).exp() + LEAST_DENSITY;
            all += density;
            sum += density * time;
            squares += density * time * time;
        }
        let mean = sum / all;
        let deviation = (squares / all - mean * mean).max(1.0).sqrt();
        let share = all * width / (self.deviation * TAU.sqrt());
        let estimate = Self {
            mean: self.mean + mean,
            deviation,
            since: if is_known { 0 } else { self.since },
        };
        (estimate, share)
    }
}
