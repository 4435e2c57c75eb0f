//! When to take the next snapshot of a recording.
//!
//! The controller syncs an HPA once per period, at a phase that only its status writes reveal. Its decision depends on
//! the state at that instant, so a snapshot is most useful shortly before a sync: then it has the status of the
//! previous sync, and pods, metrics and scale as the coming sync finds them. Right after a sync the status, the scale
//! and soon the pods are already the result of it. Until the first write is observed, the phase is unknown and
//! snapshots are taken at the interval.

use hpa_engine::{
    engine::after,
    model::{Input, Provenance},
};
use jiff::{SignedDuration, Timestamp};

/// The phase and the period of the controller's syncs, inferred from its writes.
#[derive(Clone, Debug)]
pub struct Schedule {
    every: Option<SignedDuration>,
    /// The period that was assumed at first, if it was.
    assumed: Option<SignedDuration>,
    period: SignedDuration,
    last_write: Option<Timestamp>,
    /// Gaps between writes that are shorter than the period.
    short_gaps: Vec<SignedDuration>,
    /// Gaps between writes, in periods.
    multiples: Vec<f64>,
}

impl Schedule {
    /// A schedule with an interval, or with one snapshot per sync. An assumed sync period is limited to the interval
    /// that the user chose.
    pub fn new(every: Option<SignedDuration>, period: Input<SignedDuration>) -> Self {
        let assumed = (period.provenance == Provenance::Assumed).then_some(period.value);
        let period = match every {
            Some(every) if period.provenance == Provenance::Assumed => period.value.min(every),
            _ => period.value,
        };
        Self {
            every,
            assumed,
            period,
            last_write: None,
            short_gaps: Vec::new(),
            multiples: Vec::new(),
        }
    }

    /// Records that the controller wrote a status at `at`.
    pub fn note_write(&mut self, at: Timestamp) {
        if let Some(gap) = self.last_write.map(|last| at.duration_since(last)) {
            self.note_gap(gap);
        }
        self.last_write = Some(at);
    }

    /// Records that the controller wrote a status at about `at`: this does not refine the period.
    pub fn note_write_about(&mut self, at: Timestamp) {
        self.last_write = Some(at);
    }

    /// The sync period, as far as known.
    pub fn period(&self) -> SignedDuration {
        self.period
    }

    /// The period that the writes show, if it was only assumed and differs: to a tenth of a second, since each sync is
    /// delayed by the duration of the previous one.
    pub fn learned(&self) -> Option<SignedDuration> {
        let assumed = self.assumed?.as_secs_f64();
        let period = self.period.as_secs_f64();
        let is_other = 0.1 < (period / assumed - 1.0).abs();
        let rounded = (period * 10.0).floor().max(1.0) / 10.0;
        is_other
            .then(|| SignedDuration::try_from_secs_f64(rounded).ok())
            .flatten()
    }

    /// When a write was last observed.
    pub fn last_write(&self) -> Option<Timestamp> {
        self.last_write
    }

    /// The first sync at or after `from`; `None` if no write was observed yet.
    pub fn next_sync(&self, from: Timestamp) -> Option<Timestamp> {
        let write = self.last_write?;
        let period = self.period.as_secs_f64();
        let syncs = (from.duration_since(write).as_secs_f64() / period).ceil();
        let offset = SignedDuration::try_from_secs_f64(syncs * period).unwrap_or(self.period);
        Some(after(write, offset))
    }

    /// When to start the next snapshot after one started at `last`, if reading takes `reading`.
    pub fn next(&self, last: Timestamp, reading: SignedDuration) -> Timestamp {
        let every = self.every.unwrap_or(self.period);
        let requested = after(last, every);
        let Some(write) = self.last_write else {
            return requested;
        };
        // The sync nearest to the wanted time that is not over.
        let period = self.period.as_secs_f64();
        let syncs = (requested.duration_since(write).as_secs_f64() / period)
            .round()
            .max(1.0);
        let lead = (reading * 4).clamp(SHORTEST_LEAD, (self.period / 3).max(SHORTEST_LEAD));
        let offset = SignedDuration::try_from_secs_f64(syncs * period).unwrap_or(self.period);
        let begin = after(write, offset - lead);
        if begin <= after(last, reading) {
            after(begin, self.period)
        } else {
            begin
        }
    }

    /// Whether the controller has synced the HPA between these times; true if sync times are not known.
    pub fn has_sync_between(&self, from: Timestamp, to: Timestamp) -> bool {
        let Some(write) = self.last_write else {
            return true;
        };
        let syncs = |time: Timestamp| {
            (time.duration_since(write).as_secs_f64() / self.period.as_secs_f64()).floor()
        };
        syncs(from) < syncs(to)
    }

    /// A gap of whole periods refines the period: each sync is delayed by the duration of the previous one. Shorter
    /// gaps that are all multiples of the shortest mean that the period is shorter than assumed.
    fn note_gap(&mut self, gap: SignedDuration) {
        let period = self.period.as_secs_f64();
        let syncs = (gap.as_secs_f64() / period).round();
        // A tenth: a sync is delayed by its own duration, never by a large part of a period.
        if 1.0 <= syncs && (gap.as_secs_f64() / syncs / period - 1.0).abs() < 0.1 {
            self.period = gap.div_f64(syncs);
            self.note_multiple(syncs);
            return;
        }
        if gap < self.period {
            self.short_gaps.push(gap);
        }
        let Some(shortest) = self.short_gaps.iter().min().copied() else {
            return;
        };
        let is_multiple = |gap: &SignedDuration| {
            let times = gap.as_secs_f64() / shortest.as_secs_f64();
            (times - times.round()).abs() < 0.15
        };
        // An edit that is synced immediately makes one short gap, not three that are multiples of each other.
        if 3 <= self.short_gaps.len() && self.short_gaps.iter().all(is_multiple) {
            self.period = shortest;
            self.short_gaps.clear();
            self.multiples.clear();
        }
    }

    /// If the controller only writes every second or third period, the period is that much longer.
    fn note_multiple(&mut self, syncs: f64) {
        self.multiples.push(syncs);
        let common = self
            .multiples
            .iter()
            .copied()
            .reduce(greatest_common_divisor)
            .unwrap_or(1.0);
        // An unchanged status is not written, so a few gaps of two periods are chance.
        if 4 <= self.multiples.len() {
            self.period = self.period.mul_f64(common);
            self.multiples.clear();
        }
    }
}

fn greatest_common_divisor(one: f64, other: f64) -> f64 {
    if other < 0.5 {
        one
    } else {
        greatest_common_divisor(other, one % other)
    }
}

/// However fast reading is, start this long before a sync.
const SHORTEST_LEAD: SignedDuration = SignedDuration::from_millis(60);

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::UNIX_EPOCH;

    fn at(millis: i64) -> Timestamp {
        after(START, SignedDuration::from_millis(millis))
    }

    fn millis(millis: i64) -> SignedDuration {
        SignedDuration::from_millis(millis)
    }

    fn assumed() -> Input<SignedDuration> {
        Input::assumed(millis(15_000))
    }

    #[test]
    fn without_a_write_the_interval_counts() {
        let schedule = Schedule::new(None, assumed());
        assert_eq!(schedule.next(at(0), millis(20)), at(15_000));
    }

    #[test]
    fn snapshots_come_shortly_before_the_next_sync() {
        let mut schedule = Schedule::new(None, assumed());
        schedule.note_write(at(4_000));
        assert_eq!(schedule.next(at(4_010), millis(50)), at(18_800));
        assert_eq!(schedule.next(at(18_800), millis(50)), at(33_800));
    }

    #[test]
    fn long_interval_skips_syncs() {
        let mut schedule = Schedule::new(Some(millis(60_000)), assumed());
        schedule.note_write(at(4_000));
        assert_eq!(schedule.next(at(3_800), millis(50)), at(63_800));
    }

    #[test]
    fn assumed_period_is_no_longer_than_the_interval() {
        let schedule = Schedule::new(Some(millis(1_000)), assumed());
        assert_eq!(schedule.period, millis(1_000));
        let schedule = Schedule::new(Some(millis(1_000)), Input::observed(millis(15_000)));
        assert_eq!(schedule.period, millis(15_000));
    }

    #[test]
    fn period_follows_the_writes() {
        let mut schedule = Schedule::new(None, assumed());
        schedule.note_write(at(0));
        // Two syncs later, each 12 ms late.
        schedule.note_write(at(30_024));
        assert_eq!(schedule.period, millis(15_012));
        // One short gap may have any reason; several mean a shorter period.
        schedule.note_write(at(32_024));
        schedule.note_write(at(33_025));
        assert_eq!(schedule.period, millis(15_012));
        schedule.note_write(at(36_030));
        assert_eq!(schedule.period, millis(1_001));
    }

    #[test]
    fn assumed_period_is_distinguished_from_the_one_that_writes_show() {
        let mut schedule = Schedule::new(None, assumed());
        schedule.note_write(at(0));
        assert_eq!(schedule.next_sync(at(15_001)), Some(at(30_000)));
        schedule.note_write(at(15_010));
        assert_eq!(schedule.learned(), None);
        for write in [20_024, 25_030, 35_050] {
            schedule.note_write(at(write));
        }
        assert_eq!(schedule.learned(), Some(millis(5_000)));
        let mut schedule = Schedule::new(None, Input::given(millis(15_000)));
        for write in [0, 5_000, 10_000, 15_000, 20_000] {
            schedule.note_write(at(write));
        }
        assert_eq!(schedule.learned(), None);
    }

    #[test]
    fn period_grows_if_the_controller_writes_more_seldom() {
        let mut schedule = Schedule::new(Some(millis(5_000)), assumed());
        for seconds in [0, 15, 45, 60, 90] {
            schedule.note_write(at(seconds * 1_000));
        }
        assert_eq!(schedule.period, millis(15_000));
        assert!(!schedule.has_sync_between(at(91_000), at(104_000)));
        assert!(schedule.has_sync_between(at(104_000), at(106_000)));
    }
}
