//! Writes points in time and durations.

use jiff::{RoundMode, SignedDuration, Timestamp, TimestampRound, Unit, tz::TimeZone};

/// The time zone of the reader, and the instant that the page describes.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The reader's time zone.
    pub zone: TimeZone,
    /// The instant that the page describes.
    pub now: Timestamp,
    /// The start of a simulation, whose times have no time of day.
    start: Option<Timestamp>,
}

impl Clock {
    /// A clock that writes the time of day.
    pub fn new(zone: TimeZone, now: Timestamp) -> Self {
        Self {
            zone,
            now,
            start: None,
        }
    }

    /// A clock that writes the time since `start`, which has no time of day.
    pub fn since(start: Timestamp, now: Timestamp) -> Self {
        Self {
            start: Some(start),
            ..Self::new(TimeZone::UTC, now)
        }
    }

    /// Writes a point in time to the second, with the date if it is another day: `10:42:15`.
    pub fn time(&self, at: Timestamp) -> String {
        if let Some(start) = self.start {
            let since = at.duration_since(start);
            return if since.is_negative() {
                format!("{} before the start", elapsed(since.abs()))
            } else {
                elapsed(since)
            };
        }
        let there = nearest_second(at).to_zoned(self.zone.clone());
        let here = self.now.to_zoned(self.zone.clone());
        let format = if there.date() == here.date() {
            "%H:%M:%S"
        } else {
            "%Y-%m-%d %H:%M:%S"
        };
        there.strftime(format).to_string()
    }

    /// Writes an instant with its zone, without the date: `10:37:15 UTC`.
    pub fn time_of_day(&self, at: Timestamp) -> String {
        let time = self.time(at);
        if self.start.is_some() {
            return time;
        }
        format!("{time} {}", at.to_zoned(self.zone.clone()).strftime("%Z"))
    }

    /// Writes the instant of the page with date and zone: `2026-11-21 10:37:15 UTC`.
    pub fn full(&self, at: Timestamp) -> String {
        if self.start.is_some_and(|start| start <= at) {
            return format!("{} after the start", self.time(at));
        }
        nearest_second(at)
            .to_zoned(self.zone.clone())
            .strftime("%Y-%m-%d %H:%M:%S %Z")
            .to_string()
    }

    /// Writes when something future happens and how far away that is: `at 10:46:30 (in 4 min)`. What holds up to this very
    /// sync no longer holds at the next one.
    pub fn ahead(&self, at: Timestamp) -> String {
        if self.is_now(at) {
            return "at the next sync".to_owned();
        }
        let up_to_the_second = SignedDuration::from_millis(999);
        let distance = at.duration_since(self.now).saturating_add(up_to_the_second);
        format!("at {} (in {})", self.time(at), rough(distance))
    }

    /// Whether a point in time has come, to the millisecond: an expiry is a nanosecond after the last instant that counts.
    pub fn is_now(&self, at: Timestamp) -> bool {
        at.duration_since(self.now) < SignedDuration::from_millis(1)
    }

    /// Writes roughly how long ago something was: `14 min`; `0 s` for a time in the future.
    pub fn ago(&self, at: Timestamp) -> String {
        rough(self.age(at))
    }

    /// How long ago something was, 0 for a time in the future. It is counted between the times as they are written, so that a
    /// reader comes to the same.
    pub fn age(&self, at: Timestamp) -> SignedDuration {
        let since = nearest_second(self.now).duration_since(nearest_second(at));
        since.max(SignedDuration::ZERO)
    }
}

/// A time as it is written.
fn nearest_second(time: Timestamp) -> Timestamp {
    time.round(Unit::Second).unwrap_or(time)
}

/// Truncates a time to the second.
pub fn whole_second(time: Timestamp) -> Timestamp {
    let rounding = TimestampRound::new()
        .smallest(Unit::Second)
        .mode(RoundMode::Trunc);
    time.round(rounding).unwrap_or(time)
}

/// Writes a time since a start: `1:15`, `2:03:00`.
pub fn elapsed(since: SignedDuration) -> String {
    let total = since.as_secs();
    let (hours, minutes, seconds) = (total / 3600, total % 3600 / 60, total % 60);
    if hours == 0 {
        format!("{minutes}:{seconds:02}")
    } else {
        format!("{hours}:{minutes:02}:{seconds:02}")
    }
}

/// Writes a duration exactly, without zero parts: `5 min`, `1 min 30 s`, `300 ms`.
pub fn duration(duration: SignedDuration) -> String {
    let milliseconds = duration.as_millis();
    if milliseconds % 1000 != 0 {
        let seconds = duration.as_secs_f64();
        return if seconds.abs() < 1.0 {
            format!("{milliseconds} ms")
        } else {
            format!("{seconds:.1} s")
        };
    }
    let seconds = duration.as_secs();
    let parts = [
        (seconds / 3600, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let words: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number != 0)
        .map(|(number, unit)| format!("{number} {unit}"))
        .collect();
    if words.is_empty() {
        "0 s".to_owned()
    } else {
        words.join(" ")
    }
}

/// A length of time: `48 s`, `3 min 50 s`, `2 h 5 min`, `7 d`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and no time is so long"
)]
pub fn span(seconds: f64) -> String {
    let total = seconds.round() as i64;
    let (hours, minutes, seconds) = (total / 3600, total % 3600 / 60, total % 60);
    match (hours, minutes, seconds) {
        (48.., ..) if hours % 24 == 0 => format!("{} d", hours / 24),
        (48.., ..) => format!("{} d {} h", hours / 24, hours % 24),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, 0, _) => format!("{hours} h"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// Writes a duration in one unit, truncated: `45 s`, `14 min`, `3 h`, `12 d`.
pub fn rough(duration: SignedDuration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_leave_out_what_is_zero() {
        let text = |seconds| duration(SignedDuration::from_secs(seconds));
        assert_eq!(text(0), "0 s");
        assert_eq!(text(15), "15 s");
        assert_eq!(text(300), "5 min");
        assert_eq!(text(3690), "1 h 1 min 30 s");
        assert_eq!(duration(SignedDuration::from_millis(300)), "300 ms");
    }

    #[test]
    fn an_age_is_the_difference_of_the_times_as_they_are_written() {
        let now: Timestamp = "2026-11-21T08:29:28.6Z".parse().unwrap();
        let at: Timestamp = "2026-11-21T08:28:07.9Z".parse().unwrap();
        let clock = Clock::new(TimeZone::UTC, now);
        assert_eq!(clock.time(now), "08:29:29");
        assert_eq!(clock.time(at), "08:28:08");
        assert_eq!(clock.ago(at), "81 s");
        assert_eq!(
            clock.age(now + SignedDuration::from_secs(5)),
            SignedDuration::ZERO
        );
    }

    #[test]
    fn another_day_is_named() {
        let now: Timestamp = "2026-11-21T00:01:00Z".parse().unwrap();
        let clock = Clock::new(TimeZone::UTC, now);
        assert_eq!(clock.time(now), "00:01:00");
        assert_eq!(
            clock.time(now - SignedDuration::from_secs(90)),
            "2026-11-20 23:59:30"
        );
        assert_eq!(clock.full(now), "2026-11-21 00:01:00 UTC");
        assert_eq!(clock.ago(now - SignedDuration::from_secs(840)), "14 min");
    }

    #[test]
    fn simulated_times_count_from_the_start() {
        let start: Timestamp = "2026-11-21T00:01:00Z".parse().unwrap();
        let at = |seconds| start + SignedDuration::from_secs(seconds);
        let clock = Clock::since(start, at(350));
        assert_eq!(clock.time(at(75)), "1:15");
        assert_eq!(clock.time(at(7380)), "2:03:00");
        assert_eq!(clock.time(at(-120)), "2:00 before the start");
        assert_eq!(clock.full(at(350)), "5:50 after the start");
        assert_eq!(clock.ahead(at(380)), "at 6:20 (in 30 s)");
        let just_after = at(350) + SignedDuration::from_nanos(1);
        assert_eq!(clock.ahead(just_after), "at the next sync");
    }
}
