//! Whether the API server's answers are so late that syncs are shown late.

use hpa_engine::model::Source;
use hpa_watch::Event;
use hpa_words::clock::duration;
use jiff::SignedDuration;

/// Whether answers are late.
#[derive(Debug, Default)]
pub struct Lateness {
    is_late: bool,
}

impl Lateness {
    /// Whether to measure how long a trivial answer of the API server takes, given the `fastest` of the latest
    /// answers. A metrics API that is slow by itself delays nothing else.
    pub fn is_suspected(&self, fastest: Option<SignedDuration>, period: SignedDuration) -> bool {
        self.is_late || fastest.is_some_and(|fastest| limit(period) <= fastest)
    }

    /// Records how long an answer took. Returns what to report: that answers are late, or no longer.
    pub fn note(&mut self, took: SignedDuration, period: SignedDuration) -> Option<Event> {
        let source = Source::Answers;
        let limit = limit(period);
        if !self.is_late && limit <= took {
            self.is_late = true;
            let took = duration(rounded(took));
            let why = format!("API server is slow ({took} per response): syncs are shown late");
            Some(Event::Failing {
                source,
                why,
                fresh_until: None,
            })
        } else if self.is_late && took < limit / 2 {
            self.is_late = false;
            Some(Event::Recovered { source })
        } else {
            None
        }
    }
}

/// Answers that take this long are late.
fn limit(period: SignedDuration) -> SignedDuration {
    (period / 10).max(LEAST)
}

/// Rounded to whole seconds, or to tenths below two seconds.
fn rounded(took: SignedDuration) -> SignedDuration {
    let millis = took.as_millis();
    let unit = if millis < 2_000 { 100 } else { 1_000 };
    let rounded = i64::try_from((millis + unit / 2) / unit * unit);
    rounded.map_or(took, SignedDuration::from_millis)
}

/// However short the sync period is, this is not late.
const LEAST: SignedDuration = SignedDuration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_late_by_a_tenth_of_the_sync_period_and_in_time_below_half_of_that() {
        let millis = SignedDuration::from_millis;
        let period = millis(15_000);
        let mut lateness = Lateness::default();
        assert!(!lateness.is_suspected(None, period));
        assert!(!lateness.is_suspected(Some(millis(1_400)), period));
        assert!(lateness.is_suspected(Some(millis(1_500)), period));
        assert!(lateness.note(millis(1_400), period).is_none());
        let Some(Event::Failing { why, .. }) = lateness.note(millis(3_040), period) else {
            panic!("3 s are late");
        };
        assert_eq!(
            why,
            "API server is slow (3 s per response): syncs are shown late"
        );
        assert!(lateness.is_suspected(None, period), "it may be over");
        assert!(lateness.note(millis(1_000), period).is_none());
        let over = lateness.note(millis(20), period);
        assert!(matches!(
            over,
            Some(Event::Recovered {
                source: Source::Answers
            })
        ));
        // However short the period is.
        assert!(lateness.note(millis(900), millis(1_000)).is_none());
    }
}
