//! The API server's clock, from the `Date` headers of its answers.
//!
//! A header has whole seconds: the server's clock showed a time in [date, date + 1 s) between request and answer. Each
//! answer narrows down the difference of the clocks; the sub-second part comes from several answers and the local
//! clock.

use jiff::{SignedDuration, Timestamp};

/// The known range of the server's clock minus the local clock, closed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ServerClock {
    range: Option<(SignedDuration, SignedDuration)>,
}

impl ServerClock {
    /// Records an answer dated `date` to a request sent at `sent` and answered at `received`.
    pub(super) fn note(&mut self, date: Timestamp, sent: Timestamp, received: Timestamp) {
        let low = date.duration_since(received);
        let high = date.duration_since(sent) + SignedDuration::from_secs(1);
        self.range = Some(match self.range {
            Some((known_low, known_high)) if known_low.max(low) <= known_high.min(high) => {
                (known_low.max(low), known_high.min(high))
            }
            // A clock was set in between, or another server answered: the latest answer counts.
            _ => (low, high),
        });
    }

    /// The server's clock minus the local clock. Zero if the answers allow it, since most clocks are synchronized;
    /// otherwise the middle of the allowed range.
    pub(super) fn skew(&self) -> SignedDuration {
        match self.range {
            Some((low, high)) if SignedDuration::ZERO < low || high < SignedDuration::ZERO => {
                low + (high - low) / 2
            }
            _ => SignedDuration::ZERO,
        }
    }

    /// The server's time at the local time `here`.
    pub(super) fn server_time(&self, here: Timestamp) -> Timestamp {
        here.saturating_add(self.skew()).unwrap_or(here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn clocks_in_step_have_no_skew() {
        let mut clock = ServerClock::default();
        clock.note(
            at("2026-01-01T10:00:05Z"),
            at("2026-01-01T10:00:05.700Z"),
            at("2026-01-01T10:00:05.720Z"),
        );
        assert_eq!(clock.skew(), SignedDuration::ZERO);
    }

    #[test]
    fn several_answers_narrow_the_skew_down() {
        let mut clock = ServerClock::default();
        // An hour and 0.5 s ahead: the second answer comes after the second has changed.
        clock.note(
            at("2026-01-01T11:00:05Z"),
            at("2026-01-01T10:00:05.400Z"),
            at("2026-01-01T10:00:05.450Z"),
        );
        clock.note(
            at("2026-01-01T11:00:06Z"),
            at("2026-01-01T10:00:05.500Z"),
            at("2026-01-01T10:00:05.550Z"),
        );
        let skew = clock.skew();
        let exact = SignedDuration::from_millis(3_600_500);
        assert!(
            (skew - exact).abs() < SignedDuration::from_millis(101),
            "{skew}"
        );
        let now = clock.server_time(at("2026-01-01T10:00:00Z"));
        assert_eq!(now.as_second(), at("2026-01-01T11:00:00Z").as_second());
    }
}
