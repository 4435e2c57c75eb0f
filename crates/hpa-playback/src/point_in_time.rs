//! Points in time as users type them.

use std::{
    fmt::{Display, Formatter, Result as FormatResult},
    iter,
    str::FromStr,
};

use jiff::{
    Timestamp,
    civil::{Date, DateTime, Time},
    tz::{AmbiguousOffset, TimeZone},
};

/// A point in time as users type it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointInTime {
    /// `now`.
    Now,
    /// A point in time with its zone, RFC 3339.
    At(Timestamp),
    /// Date and time of day in the local time zone.
    Local(DateTime),
    /// A time of day in the local time zone.
    TimeOfDay(Time),
}

impl FromStr for PointInTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "now" {
            return Ok(Self::Now);
        }
        if let Ok(at) = text.parse() {
            return Ok(Self::At(at));
        }
        // A date alone is not a point in time, and an input with a date is never just a time of day.
        let expected = "use now, a time of day such as 10:42:15, or 2026-11-21T10:42:15Z";
        if text.parse::<Date>().is_ok() {
            return match text.parse() {
                Ok(local) if text.contains(':') => Ok(Self::Local(local)),
                _ => Err(expected.to_owned()),
            };
        }
        text.parse()
            .map(Self::TimeOfDay)
            .map_err(|_| expected.to_owned())
    }
}

impl PointInTime {
    /// The last such time before `before`, which `now` is itself. An error: no clock of the time zone shows it, or they
    /// show it twice.
    pub fn before(self, before: Timestamp, zone: &TimeZone) -> Result<Timestamp, String> {
        match self {
            Self::Now => Ok(before),
            Self::At(at) => Ok(at),
            Self::Local(local) => match shown(local, zone)[..] {
                [at] => Ok(at),
                [first, second] => Err(format!(
                    "\"{local}\" comes twice in this time zone: use {first} or {second}"
                )),
                _ => Err(format!(
                    "\"{local}\" does not exist in this time zone: its clocks skip it. Use another time"
                )),
            },
            Self::TimeOfDay(time) => last(time, before, zone)
                .ok_or_else(|| "that time of day did not come in the last days".to_owned()),
        }
    }
}

/// As users type it.
impl Display for PointInTime {
    fn fmt(&self, f: &mut Formatter<'_>) -> FormatResult {
        match self {
            Self::Now => f.write_str("now"),
            Self::At(at) => at.fmt(f),
            Self::Local(local) => local.fmt(f),
            Self::TimeOfDay(time) => time.fmt(f),
        }
    }
}

/// The last time before `before` at which a clock showed this.
fn last(time: Time, before: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let today = before.to_zoned(zone.clone()).date();
    // Today it may still come, and yesterday's clocks may have skipped it.
    let days = iter::successors(Some(today), |day| day.yesterday().ok()).take(3);
    let mut times = days.flat_map(|day| shown(day.to_datetime(time), zone).into_iter().rev());
    times.find(|at| *at <= before)
}

/// When clocks show this: not at all if they are set forward over it, twice if they are set back over it.
fn shown(local: DateTime, zone: &TimeZone) -> Vec<Timestamp> {
    let found = zone.to_ambiguous_timestamp(local);
    if matches!(found.offset(), AmbiguousOffset::Gap { .. }) {
        return Vec::new();
    }
    let both = [found.earlier(), found.later()];
    let mut times: Vec<Timestamp> = both.into_iter().flatten().collect();
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_four_forms() {
        assert_eq!("now".parse(), Ok(PointInTime::Now));
        let time = Time::constant(10, 42, 15, 0);
        assert_eq!("10:42:15".parse(), Ok(PointInTime::TimeOfDay(time)));
        let local = DateTime::constant(2026, 11, 21, 10, 42, 0, 0);
        for text in ["2026-11-21 10:42", "2026-11-21T10:42:00"] {
            assert_eq!(text.parse(), Ok(PointInTime::Local(local)), "{text}");
        }
        assert!(matches!(
            "2026-11-21T10:42:15Z".parse(),
            Ok(PointInTime::At(_))
        ));
        for text in [
            "now",
            "10:42:15",
            "2026-11-21T10:42:00",
            "2026-11-21T10:42:15Z",
        ] {
            let read = text.parse::<PointInTime>();
            assert_eq!(read.map(|one| one.to_string()), Ok(text.to_owned()));
        }
        for text in ["yesterday", "2026-11-21", "2026-11-21 noon", ""] {
            assert!(text.parse::<PointInTime>().is_err(), "{text}");
        }
    }
}
