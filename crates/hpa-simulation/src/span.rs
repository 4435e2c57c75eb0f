//! Durations as people write them.

use hpa_engine::model::go_duration;

/// Milliseconds, as a duration or since the start of a simulation.
pub type Millis = i64;

/// A text that is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid time {0:?}: use a number with a unit, such as 90s, 5m or 1h30m, or 1:30 for 1 min 30 s"
)]
pub struct ParseSpanError(pub String);

/// Parses `90s`, `5m`, `1h30m`, `2d`, `1:15` (minutes and seconds), `1:02:03`, or a plain number of seconds. Never
/// negative.
pub fn parse_span(text: &str) -> Result<Millis, ParseSpanError> {
    let fail = || ParseSpanError(text.to_owned());
    let text = text.trim();
    if text.contains(':') {
        let mut total: Millis = 0;
        for (index, part) in text.split(':').enumerate() {
            let is_short = index == 0 || part.len() == 2;
            let number: Millis = part.parse().map_err(|_| fail())?;
            if !is_short || number < 0 || (0 < index && 59 < number) || 2 < index {
                return Err(fail());
            }
            total = total
                .checked_mul(60)
                .and_then(|total| total.checked_add(number))
                .ok_or_else(fail)?;
        }
        return total.checked_mul(1000).ok_or_else(fail);
    }
    if let Ok(seconds) = text.parse::<f64>() {
        return in_range(seconds * 1000.0).ok_or_else(fail);
    }
    if let Some(days) = text.strip_suffix('d')
        && let Ok(days) = days.parse::<f64>()
    {
        return in_range(days * 86_400_000.0).ok_or_else(fail);
    }
    let duration = go_duration::parse(text).map_err(|_| fail())?;
    in_range(duration.as_secs_f64() * 1000.0).ok_or_else(fail)
}

fn in_range(millis: f64) -> Option<Millis> {
    (0.0..=1e15)
        .contains(&millis)
        .then_some(millis.round() as Millis)
}

#[cfg(test)]
mod tests {
    use super::parse_span;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, millis) in [
            ("90s", 90_000),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("2d", 172_800_000),
            ("1:15", 75_000),
            ("1:02:03", 3_723_000),
            ("45", 45_000),
            ("0", 0),
            ("250ms", 250),
        ] {
            assert_eq!(parse_span(text), Ok(millis), "{text}");
        }
        for text in [
            "",
            "-5s",
            "1:5",
            "1:75",
            "5 minutes",
            "1:2:3:4",
            "NaN",
            "inf",
            "-1",
        ] {
            assert!(parse_span(text).is_err(), "{text}");
        }
    }
}
