//! Durations in Go's spelling: `1m0s`, `14.98s`.

use jiff::SignedDuration;

/// The magnitude of the lowest Go duration, in nanoseconds.
const LIMIT: u64 = 1 << 63;

/// A text that is not a Go duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid duration {0:?}: use a number with a unit, such as 300ms, 15s or 1h30m")]
pub struct ParseDurationError(pub String);

/// Parses durations such as `1h2m3.5s`. Upstream: `time.ParseDuration`.
///
/// Units are `ns`, `us` (also `µs`), `ms`, `s`, `m`, `h`; only `0` needs none. Fails if the value does not fit an int64
/// of nanoseconds.
pub fn parse(text: &str) -> Result<SignedDuration, ParseDurationError> {
    nanoseconds(text)
        .map(SignedDuration::from_nanos)
        .ok_or_else(|| ParseDurationError(text.to_owned()))
}

/// Prints as Go does: `1m0s`, `1.5s`, `300ms`, `0s`. Upstream: `time.Duration.String`.
pub fn to_string(duration: SignedDuration) -> String {
    let nanoseconds = duration.as_nanos();
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let magnitude = nanoseconds.unsigned_abs();
    match magnitude {
        0 => "0s".to_owned(),
        1..1_000 => format!("{sign}{magnitude}ns"),
        1_000..1_000_000 => format!("{sign}{}µs", decimal(magnitude, 3)),
        1_000_000..1_000_000_000 => format!("{sign}{}ms", decimal(magnitude, 6)),
        _ => {
            let minutes = magnitude / 60_000_000_000;
            let seconds = decimal(magnitude % 60_000_000_000, 9);
            match (minutes / 60, minutes % 60) {
                (0, 0) => format!("{sign}{seconds}s"),
                (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
                (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
            }
        }
    }
}

fn nanoseconds(text: &str) -> Option<i64> {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (integer, after) = split_digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), split_digits);
        if integer.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after
            .find(|character: char| character == '.' || character.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        rest = after;
        let unit = unit_nanoseconds(unit)?;
        let whole = if integer.is_empty() {
            0
        } else {
            integer.parse::<u64>().ok()?.checked_mul(unit)?
        };
        total = total
            .checked_add(whole)?
            .checked_add(fraction_nanoseconds(fraction, unit))?;
        if LIMIT < total {
            return None;
        }
    }
    if text.starts_with('-') {
        0_i64.checked_sub_unsigned(total)
    } else {
        total.try_into().ok()
    }
}

/// The fraction of a unit, truncated. Uses floating point, as upstream does.
fn fraction_nanoseconds(digits: &str, unit: u64) -> u64 {
    let mut fraction: u64 = 0;
    let mut scale = 1.0;
    for digit in digits.bytes() {
        // More digits than int64 holds are dropped.
        if i64::MAX.unsigned_abs() / 10 < fraction {
            break;
        }
        let longer = fraction * 10 + u64::from(digit - b'0');
        if LIMIT < longer {
            break;
        }
        fraction = longer;
        scale *= 10.0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "as upstream; the result is below the unit"
    )]
    let nanoseconds = (fraction as f64 * (unit as f64 / scale)) as u64;
    nanoseconds
}

fn unit_nanoseconds(unit: &str) -> Option<u64> {
    match unit {
        "ns" => Some(1),
        // U+00B5, the micro sign, and U+03BC, the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => Some(1_000),
        "ms" => Some(1_000_000),
        "s" => Some(1_000_000_000),
        "m" => Some(60_000_000_000),
        "h" => Some(3_600_000_000_000),
        _ => None,
    }
}

/// `magnitude` / 10^`digits`, without trailing zeros in the fraction.
fn decimal(magnitude: u128, digits: u32) -> String {
    let unit = 10_u128.pow(digits);
    let (whole, fraction) = (magnitude / unit, magnitude % unit);
    if fraction == 0 {
        return whole.to_string();
    }
    let fraction = format!("{fraction:0width$}", width = digits as usize);
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn printing_and_parsing_keeps_the_duration(nanoseconds in any::<i64>(), digits in 0..18_u32) {
            for nanoseconds in [nanoseconds, nanoseconds / 10_i64.pow(digits)] {
                let duration = SignedDuration::from_nanos(nanoseconds);
                prop_assert_eq!(parse(&to_string(duration)), Ok(duration));
            }
        }

        #[test]
        fn any_text_is_a_duration_or_an_error(
            text in prop_oneof![any::<String>(), "[-+]?([0-9]{0,20}(\\.[0-9]{0,30})?([num\u{b5}]?s|m|h)){1,3}"],
        ) {
            if let Ok(duration) = parse(&text) {
                prop_assert_eq!(parse(&to_string(duration)), Ok(duration));
            }
        }
    }

    #[test]
    fn durations_are_read_and_printed_as_go_does() {
        for (text, nanoseconds, printed) in [
            ("0", 0, "0s"),
            ("-0", 0, "0s"),
            ("1ns", 1, "1ns"),
            ("1.5us", 1_500, "1.5µs"),
            ("1.5µs", 1_500, "1.5µs"),
            ("1.5μs", 1_500, "1.5µs"),
            ("+300ms", 300_000_000, "300ms"),
            ("14.98s", 14_980_000_000, "14.98s"),
            ("60s", 60_000_000_000, "1m0s"),
            (".5h", 1_800_000_000_000, "30m0s"),
            ("1.h", 3_600_000_000_000, "1h0m0s"),
            ("1s1h", 3_601_000_000_000, "1h0m1s"),
            ("-1h2m3.5s", -3_723_500_000_000, "-1h2m3.5s"),
            ("0.3333333333333333333h", 1_200_000_000_000, "20m0s"),
            (
                "-9223372036854775808ns",
                i64::MIN,
                "-2562047h47m16.854775808s",
            ),
        ] {
            let duration = SignedDuration::from_nanos(nanoseconds);
            assert_eq!(parse(text), Ok(duration), "{text}");
            assert_eq!(to_string(duration), printed);
        }
    }

    #[test]
    fn what_go_refuses_is_an_error() {
        for text in [
            "",
            "-",
            "3",
            "s",
            ".s",
            "1d",
            "1 s",
            "1s ",
            "--1s",
            "1.2.3s",
            "1e3s",
            "9223372036854775808ns",
            "2562048h",
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("invalid duration {text:?}")));
        }
    }
}
