//! Points in time as users type them.

use std::str::FromStr;

use jiff::{Timestamp, civil::Time};

/// A point in time as users type it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// `now`.
    Now,
    /// A point in time with its zone, RFC 3339.
    At(Timestamp),
    /// A time of day in the local time zone.
    TimeOfDay(Time),
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "now" {
            return Ok(Self::Now);
        }
        if let Ok(at) = text.parse() {
            return Ok(Self::At(at));
        }
        text.parse().map(Self::TimeOfDay).map_err(|_| {
            "wanted: now, a time of day such as 10:42:15, or 2026-11-21T10:42:15Z".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_in_three_forms() {
        assert_eq!("now".parse(), Ok(Moment::Now));
        assert_eq!(
            "10:42:15".parse(),
            Ok(Moment::TimeOfDay(Time::constant(10, 42, 15, 0)))
        );
        assert!(matches!("2026-11-21T10:42:15Z".parse(), Ok(Moment::At(_))));
        assert!("yesterday".parse::<Moment>().is_err());
    }
}
