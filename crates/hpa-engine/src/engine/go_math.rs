//! Integer and float arithmetic exactly as Go does it. The engine converts numbers between types only here.

use jiff::{SignedDuration, Timestamp};

use crate::model::{Architecture, ControllerConfig};

/// How this controller converts a float that does not fit an integer. Go leaves this to the processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloatConversion {
    saturates: bool,
    ceilings_saturate: bool,
}

impl FloatConversion {
    /// amd64 returns the smallest integer for any value out of range, arm64 saturates. From 1.38 on, the controller itself
    /// saturates what it rounds up.
    pub(crate) fn of(controller: &ControllerConfig, ceilings_saturate: bool) -> Self {
        Self {
            saturates: controller.architecture.value == Architecture::Arm64,
            ceilings_saturate,
        }
    }

    /// `int32(math.Ceil(value))`. Upstream from 1.38 on: `ceilToInt32`, which leaves only NaN to the processor.
    pub(crate) fn ceil_to_i32(self, value: f64) -> i32 {
        let ceiling = value.ceil();
        if self.ceilings_saturate && !ceiling.is_nan() {
            nearest_i32(ceiling)
        } else {
            self.to_i32(ceiling)
        }
    }

    /// `int32(value)`. Truncates toward zero. Out of range: `i32::MIN`, or the nearest bound when saturating. NaN:
    /// `i32::MIN`, or 0 when saturating.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "range is checked"
    )]
    pub(crate) fn to_i32(self, value: f64) -> i32 {
        if self.saturates || (value > -2_147_483_649.0 && value < 2_147_483_648.0) {
            value as i32
        } else {
            i32::MIN
        }
    }

    /// `int64(value)`, with the same rules.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "range is checked"
    )]
    pub(crate) fn to_i64(self, value: f64) -> i64 {
        if self.saturates
            || (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value)
        {
            value as i64
        } else {
            i64::MIN
        }
    }
}

/// The nearest int32 of a float; 0 of NaN.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "saturates, which is what is wanted"
)]
fn nearest_i32(value: f64) -> i32 {
    value as i32
}

/// `float64(value)`: rounds to the nearest even.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "rounds as Go does"
)]
pub(crate) fn f64_of(value: i64) -> f64 {
    value as f64
}

/// `int32(value)`: keeps the low 32 bits.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "wraps as Go does"
)]
pub(crate) fn low_i32(value: i64) -> i32 {
    value as i32
}

/// The low 64 bits of an exact sum: what is left of it in int64.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "wraps as Go does"
)]
pub(crate) fn low_i64(value: i128) -> i64 {
    value as i64
}

/// The nearest int64.
pub(crate) fn nearest_i64_of(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}

/// The nearest int32.
pub(crate) fn nearest_i32_of(value: i128) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

/// `dividend / divisor`. Truncates toward zero; the smallest number divided by −1 is itself. Go panics on a division by
/// zero; callers exclude it, and here the result is 0.
pub(crate) fn quotient(dividend: i64, divisor: i64) -> i64 {
    match dividend.checked_div(divisor) {
        Some(quotient) => quotient,
        None if divisor == 0 => 0,
        None => dividend,
    }
}

/// A length as Go's `int`.
pub(crate) fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// `now.Add(-window)`, clamped to the range of [`Timestamp`].
pub fn before(now: Timestamp, window: SignedDuration) -> Timestamp {
    now.checked_sub(window).unwrap_or(if window.is_negative() {
        Timestamp::MAX
    } else {
        Timestamp::MIN
    })
}

/// `at.Add(delay)`, clamped to the range of [`Timestamp`].
pub fn after(at: Timestamp, delay: SignedDuration) -> Timestamp {
    at.checked_add(delay).unwrap_or(if delay.is_negative() {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    })
}

/// An absent time becomes Go's zero time, the first second of the year 1.
pub(crate) fn or_zero_time(at: Option<Timestamp>) -> Timestamp {
    at.unwrap_or(ZERO_TIME)
}

/// The time without its fraction of a second, as the API stores it.
pub(crate) fn whole_seconds(at: Timestamp) -> Timestamp {
    // Truncation toward the past; a time within the range stays within it.
    let seconds = at.as_nanosecond().div_euclid(1_000_000_000);
    i64::try_from(seconds)
        .ok()
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .unwrap_or(at)
}

/// Go's zero time, 0001-01-01T00:00:00Z.
const ZERO_TIME: Timestamp = Timestamp::constant(-62_135_596_800, 0);

#[cfg(test)]
mod tests {
    use super::*;

    const AMD64: FloatConversion = FloatConversion {
        saturates: false,
        ceilings_saturate: false,
    };
    const ARM64: FloatConversion = FloatConversion {
        saturates: true,
        ceilings_saturate: false,
    };

    #[test]
    fn float_outside_int32_is_the_smallest_on_amd64_and_the_nearest_on_arm64() {
        for (value, amd64, arm64) in [
            (2_147_483_647.0, i32::MAX, i32::MAX),
            (2_147_483_647.9, i32::MAX, i32::MAX),
            (2_147_483_648.0, i32::MIN, i32::MAX),
            (-2_147_483_648.9, i32::MIN, i32::MIN),
            (f64::INFINITY, i32::MIN, i32::MAX),
            (f64::NEG_INFINITY, i32::MIN, i32::MIN),
            (f64::NAN, i32::MIN, 0),
            (-1.5, -1, -1),
        ] {
            assert_eq!(
                (AMD64.to_i32(value), ARM64.to_i32(value)),
                (amd64, arm64),
                "{value}"
            );
        }
    }

    #[test]
    fn float_outside_int64_is_the_smallest_on_amd64_and_the_nearest_on_arm64() {
        for (value, amd64, arm64) in [
            (9_223_372_036_854_775_808.0, i64::MIN, i64::MAX),
            (-9_223_372_036_854_775_808.0, i64::MIN, i64::MIN),
            (f64::NAN, i64::MIN, 0),
            (1e3, 1000, 1000),
        ] {
            assert_eq!(
                (AMD64.to_i64(value), ARM64.to_i64(value)),
                (amd64, arm64),
                "{value}"
            );
        }
    }

    #[test]
    fn whole_seconds_cut_toward_the_past() {
        let at: Timestamp = "2026-03-01T10:00:00.999999999Z".parse().expect("a time");
        assert_eq!(whole_seconds(at).to_string(), "2026-03-01T10:00:00Z");
        let early: Timestamp = "1969-12-31T23:59:59.5Z".parse().expect("a time");
        assert_eq!(whole_seconds(early).to_string(), "1969-12-31T23:59:59Z");
    }
}
