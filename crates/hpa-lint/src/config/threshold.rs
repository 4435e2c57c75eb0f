//! Parses values of thresholds.

use hpa_engine::model::{Quantity, go_duration};
use jiff::SignedDuration;

use crate::ThresholdUnit;

/// Parses a threshold. A bare number has the default unit; a string can contain a unit.
pub(super) fn parse(text: &str, unit: ThresholdUnit) -> Result<f64, String> {
    let text = text.trim();
    let value = match unit {
        ThresholdUnit::Count => number(text),
        ThresholdUnit::Ratio => match text.strip_suffix('%') {
            Some(percent) => number(percent.trim_end()).map(|percent| percent / 100.0),
            None => number(text),
        },
        ThresholdUnit::Percent => number(text.strip_suffix('%').map_or(text, str::trim_end)),
        ThresholdUnit::Seconds => number(text).or_else(|| duration(text)),
        ThresholdUnit::Milli => number(text).or_else(|| {
            let quantity = Quantity::parse(text).ok()?;
            Some(quantity.approximate_f64() * 1000.0)
        }),
    };
    value
        .filter(|value| value.is_finite() && 0.0 <= *value)
        .ok_or_else(|| format!("invalid value {text:?}: use {}", expected(unit)))
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// A duration in Go's spelling, plus days: `7d`, `1d12h`.
fn duration(text: &str) -> Option<f64> {
    let (days, rest) = match text.split_once('d') {
        Some((days, rest)) => (days.parse::<u32>().ok()?, rest),
        None => (0, text),
    };
    let rest = if rest.is_empty() {
        SignedDuration::ZERO
    } else {
        go_duration::parse(rest).ok()?
    };
    Some(f64::from(days) * 86_400.0 + rest.as_secs_f64())
}

fn expected(unit: ThresholdUnit) -> &'static str {
    match unit {
        ThresholdUnit::Count => "a number of 0 or more",
        ThresholdUnit::Ratio => "a number of 0 or more, or a percentage such as 50%",
        ThresholdUnit::Percent => "a percentage such as 80 or 80%",
        ThresholdUnit::Seconds => "a duration such as 10m, 1h30m or 7d; a bare number is seconds",
        ThresholdUnit::Milli => "a quantity such as 200m or 1Gi; a bare number is milli-units",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_may_be_written_or_left_out() {
        for (text, unit, value) in [
            ("2", ThresholdUnit::Count, 2.0),
            ("1.5", ThresholdUnit::Ratio, 1.5),
            ("50%", ThresholdUnit::Ratio, 0.5),
            ("80%", ThresholdUnit::Percent, 80.0),
            ("80", ThresholdUnit::Percent, 80.0),
            ("600", ThresholdUnit::Seconds, 600.0),
            ("10m", ThresholdUnit::Seconds, 600.0),
            ("7d", ThresholdUnit::Seconds, 604_800.0),
            ("1d1h", ThresholdUnit::Seconds, 90_000.0),
            ("200m", ThresholdUnit::Milli, 200.0),
            ("1Ki", ThresholdUnit::Milli, 1_024_000.0),
        ] {
            let parsed = parse(text, unit).unwrap();
            assert!((parsed - value).abs() < 1e-9, "{text}: {parsed}");
        }
    }

    #[test]
    fn a_wrong_value_is_reported_with_what_to_use() {
        for (text, unit) in [
            ("-1", ThresholdUnit::Count),
            ("many", ThresholdUnit::Count),
            ("NaN", ThresholdUnit::Ratio),
            ("10 minutes", ThresholdUnit::Seconds),
            ("-5m", ThresholdUnit::Seconds),
            ("1Xi", ThresholdUnit::Milli),
        ] {
            let error = parse(text, unit).unwrap_err();
            assert!(error.contains(": use "), "{text}: {error}");
        }
    }
}
