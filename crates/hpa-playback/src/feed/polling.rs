//! When to poll the metrics of a namespace: once per sync period, just before the controller reads them.

use jiff::{SignedDuration, Timestamp};

pub use hpa_engine::engine::after as later;
pub(super) use hpa_engine::engine::before as earlier;

/// The polls of one namespace.
#[derive(Clone, Debug)]
pub struct Polling {
    /// When the latest poll started; none: there was none yet.
    begun: Option<Timestamp>,
    /// How long it took.
    took: SignedDuration,
    /// When the latest additional poll started.
    extra: Option<Timestamp>,
    /// Whether a poll is running.
    is_running: bool,
    /// Whether there is an HPA whose metrics were never read.
    is_requested: bool,
}

/// When the controller syncs an HPA, as far as known.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    /// The time of a sync.
    pub sync: Timestamp,
    /// The sync period.
    pub period: SignedDuration,
}

impl Beat {
    /// The first sync at or after `from`.
    fn next_from(self, from: Timestamp) -> Timestamp {
        let period = self.period.as_secs_f64();
        let since = from.duration_since(self.sync).as_secs_f64();
        let offset = (since / period).ceil() * period;
        later(
            self.sync,
            SignedDuration::try_from_secs_f64(offset).unwrap_or_default(),
        )
    }
}

impl Default for Polling {
    /// Nothing is polled yet.
    fn default() -> Self {
        Self {
            begun: None,
            took: SignedDuration::ZERO,
            extra: None,
            is_running: false,
            is_requested: true,
        }
    }
}

impl Polling {
    /// Whether a poll is running.
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Records that there is an HPA whose metrics were never read.
    pub fn want(&mut self) {
        self.is_requested = true;
    }

    /// Records the start of a poll, regular or additional.
    pub fn begin(&mut self, now: Timestamp, is_extra: bool) {
        self.is_running = true;
        self.is_requested = false;
        if is_extra {
            self.extra = Some(now);
        } else {
            self.begun = Some(now);
        }
    }

    /// Records the end of the poll.
    pub fn end(&mut self, now: Timestamp) {
        self.is_running = false;
        let begun = self.begun.max(self.extra).unwrap_or(now);
        self.took = now.duration_since(begun).max(SignedDuration::ZERO);
    }

    /// Whether an additional poll is allowed: one per period.
    pub fn may_poll_again(&self, now: Timestamp, period: SignedDuration) -> bool {
        !self.is_running
            && self
                .extra
                .is_none_or(|extra| later(extra, period / 2) <= now)
    }

    /// How long before a sync a poll starts.
    pub fn lead(&self, period: SignedDuration) -> SignedDuration {
        // The next poll may be slower than the last one. A third of the period is the most: what is read earlier is as
        // likely to be older than what the sync finds.
        (self.took * 4).clamp(SHORTEST_LEAD, (period / 3).max(SHORTEST_LEAD))
    }

    /// When to start the next poll, given the beats of the namespace's HPAs; `period` counts while there are none.
    /// With several beats it starts before the first sync after the longest pause, so that most samples are young.
    /// `None` until the running poll has ended.
    pub fn next(&self, beats: &[Beat], period: SignedDuration) -> Option<Timestamp> {
        if self.is_running {
            return None;
        }
        let Some(begun) = self.begun else {
            return Some(Timestamp::MIN);
        };
        if self.is_requested {
            return Some(later(begun, SHORTEST_PAUSE));
        }
        let Some(first) = first_after_pause(beats) else {
            return Some(later(begun, period));
        };
        let lead = self.lead(first.period);
        // The sync that this poll was for is `lead` after its start. Half a period more, and one that comes a little early
        // is still not polled for twice.
        let requested = later(later(begun, lead), first.period / 2);
        Some(earlier(first.next_from(requested), lead))
    }
}

/// The beat after the longest pause within a period.
fn first_after_pause(beats: &[Beat]) -> Option<Beat> {
    let anchor = *beats.first()?;
    let period = anchor.period.as_secs_f64();
    let phase = |beat: &Beat| {
        let since = beat.sync.duration_since(anchor.sync).as_secs_f64();
        since.rem_euclid(period)
    };
    let mut phases: Vec<(f64, Beat)> = beats.iter().map(|beat| (phase(beat), *beat)).collect();
    phases.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let (last, _) = *phases.last()?;
    let mut before = last - period;
    let mut longest: Option<(f64, Beat)> = None;
    for (phase, beat) in phases {
        let pause = phase - before;
        before = phase;
        if longest.is_none_or(|(known, _)| known < pause) {
            longest = Some((pause, beat));
        }
    }
    longest.map(|(_, beat)| beat)
}

/// However fast reading is, start this long before a sync.
pub(super) const SHORTEST_LEAD: SignedDuration = SignedDuration::from_millis(60);

/// However many HPAs appear, the least time between polls.
const SHORTEST_PAUSE: SignedDuration = SignedDuration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(millis).unwrap()
    }

    fn millis(millis: i64) -> SignedDuration {
        SignedDuration::from_millis(millis)
    }

    fn beat(sync: i64) -> Beat {
        Beat {
            sync: at(sync),
            period: millis(15_000),
        }
    }

    fn polled(begun: i64, ended: i64) -> Polling {
        let mut polling = Polling::default();
        assert_eq!(polling.next(&[], millis(15_000)), Some(Timestamp::MIN));
        polling.begin(at(begun), false);
        assert_eq!(polling.next(&[beat(0)], millis(15_000)), None);
        polling.end(at(ended));
        polling
    }

    #[test]
    fn one_hpa_is_always_polled_just_before_its_sync() {
        let polling = polled(0, 20);
        assert_eq!(polling.next(&[], millis(15_000)), Some(at(15_000)));
        assert_eq!(
            polling.next(&[beat(4_000)], millis(15_000)),
            Some(at(18_920))
        );
        // An imminent sync is too early after the previous poll.
        assert_eq!(
            polling.next(&[beat(7_000)], millis(15_000)),
            Some(at(21_920))
        );
        let polling = polled(18_920, 18_940);
        assert_eq!(
            polling.next(&[beat(4_000)], millis(15_000)),
            Some(at(33_920))
        );
    }

    #[test]
    fn many_hpas_are_polled_once_before_the_first_after_the_longest_pause() {
        let beats = [beat(6_000), beat(20_500), beat(5_000), beat(9_000)];
        let polling = polled(4_900, 4_910);
        assert_eq!(polling.next(&beats, millis(15_000)), Some(at(19_940)));
        // The pause may be the one around the end of the period.
        let beats = [beat(14_000), beat(1_000), beat(29_500)];
        assert_eq!(polling.next(&beats, millis(15_000)), Some(at(13_940)));
    }

    #[test]
    fn slow_answers_are_requested_earlier_but_never_a_whole_period() {
        assert_eq!(polled(0, 500).lead(millis(15_000)), millis(2_000));
        assert_eq!(polled(0, 9_000).lead(millis(15_000)), millis(5_000));
        assert_eq!(polled(0, 1).lead(millis(15_000)), SHORTEST_LEAD);
    }

    #[test]
    fn new_hpa_is_polled_soon_and_a_doubtful_sample_once_more_per_period() {
        let mut polling = polled(10_000, 10_010);
        polling.want();
        assert_eq!(
            polling.next(&[beat(4_000)], millis(15_000)),
            Some(at(11_000))
        );
        assert!(polling.may_poll_again(at(10_020), millis(15_000)));
        polling.begin(at(10_020), true);
        assert!(!polling.may_poll_again(at(10_020), millis(15_000)));
        polling.end(at(10_030));
        assert!(!polling.may_poll_again(at(10_040), millis(15_000)));
        assert!(polling.may_poll_again(at(17_520), millis(15_000)));
        // The regular polls continue as before.
        assert_eq!(
            polling.next(&[beat(4_000)], millis(15_000)),
            Some(at(18_940))
        );
    }
}
