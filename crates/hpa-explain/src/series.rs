//! The series of an External metric in words.

use hpa_engine::model::ExternalMetricValue;
use hpa_words::amount::trimmed;

/// What series add up to, as the metrics API returns them: `-1`, `9P`.
pub(super) fn total_of(series: &[ExternalMetricValue]) -> String {
    if let [only] = series {
        return value(only);
    }
    let total = series.iter().map(|one| one.value.approximate_f64()).sum();
    decimal(total)
}

/// The value of one series: as a decimal number, or as the API has it where that would be long.
pub(super) fn value(series: &ExternalMetricValue) -> String {
    let number = series.value.approximate_f64();
    if LONG <= number.abs() {
        return series.value.to_string();
    }
    decimal(number)
}

fn decimal(number: f64) -> String {
    let text = trimmed(number, 6);
    if text == "-0" { "0".to_owned() } else { text }
}

/// From here on a number is easier to read with a suffix.
const LONG: f64 = 1e9;
