//! The load over time.

use hpa_engine::model::Quantity;

use crate::{Millis, ParseSpanError, parse_span};

/// A load over time, in the unit of its metric: cores, bytes, or plain numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// Constant.
    Constant(Amount),
    /// From one amount to another over a time, then constant.
    Ramp {
        /// At the start.
        from: Amount,
        /// After `over`.
        to: Amount,
        /// How long it takes.
        over: Millis,
    },
    /// A base with one peak.
    Spike {
        /// Before and after the peak.
        base: Amount,
        /// The peak.
        peak: Amount,
        /// When it starts.
        at: Millis,
        /// How long it lasts.
        hold: Millis,
    },
    /// A sine wave, starting at its low point.
    Sine {
        /// The low point.
        low: Amount,
        /// The high point.
        high: Amount,
        /// From low point to low point.
        period: Millis,
    },
    /// Values at times, with linear interpolation. The first and the last value also hold before and after.
    Points(Vec<LoadPoint>),
}

/// A load at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadPoint {
    /// When.
    pub at: Millis,
    /// How much.
    pub value: f64,
}

/// An absolute amount, or a multiple of the load before the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// In the unit of the metric.
    Absolute(f64),
    /// A multiple of the load before the start.
    Times(f64),
}

/// How an amount is read: [`Amount::parse`], [`Amount::parse_cores`] for CPU, or [`Amount::parse_bytes`] for memory.
pub type ParseAmount = fn(&str) -> Result<Amount, ParseLoadError>;

/// A text that is not a load.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseLoadError {
    /// An amount that is not a number.
    #[error(
        "invalid amount {0:?}: use a quantity such as 2cores, 500m, 4Gi or 200, or a multiple of the load now such as x4"
    )]
    Amount(String),
    /// A negative amount.
    #[error("invalid amount {0:?}: a load cannot be negative")]
    Negative(String),
    /// An amount that no cluster has, with which sums would not be finite.
    #[error("invalid amount {0:?}: it is too large: use at most 1E (10^18), or x1000000")]
    Large(String),
    /// An amount of bytes where cores are needed.
    #[error("invalid amount {0:?}: CPU is in cores, not in bytes: use 2cores or 500m")]
    Bytes(String),
    /// An amount of cores where bytes are needed.
    #[error("invalid amount {0:?}: memory is in bytes, not in cores: use 200Mi or 2Gi")]
    Cores(String),
    /// An invalid time.
    #[error("{0}")]
    Span(#[from] ParseSpanError),
    /// An unknown form.
    #[error("invalid load {0:?}: {1}")]
    Form(String, &'static str),
    /// A line of a CSV file.
    #[error("line {line}: {why}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong, and what is valid.
        why: String,
    },
}

/// The largest multiple of the load now.
const MOST_TIMES: f64 = 1e6;

/// The largest amount.
const MOST: f64 = 1e18;

impl Amount {
    /// Parses `2cores`, `500m`, `4Gi`, `200` or `x4`.
    pub fn parse(text: &str) -> Result<Self, ParseLoadError> {
        let text = text.trim();
        let fail = || ParseLoadError::Amount(text.to_owned());
        if let Some(times) = text.strip_prefix(['x', '×']) {
            let times: f64 = times.parse().map_err(|_| fail())?;
            return match times {
                times if !times.is_finite() => Err(fail()),
                times if times < 0.0 => Err(ParseLoadError::Negative(text.to_owned())),
                times if MOST_TIMES < times => Err(ParseLoadError::Large(text.to_owned())),
                times => Ok(Self::Times(times)),
            };
        }
        let number = text
            .strip_suffix("cores")
            .or_else(|| text.strip_suffix("core"))
            .unwrap_or(text)
            .trim();
        let value = Quantity::parse(number)
            .map_err(|_| fail())?
            .approximate_f64();
        match value {
            value if !value.is_finite() => Err(fail()),
            value if value < 0.0 => Err(ParseLoadError::Negative(text.to_owned())),
            value if MOST < value => Err(ParseLoadError::Large(text.to_owned())),
            value => Ok(Self::Absolute(value)),
        }
    }

    /// Parses an amount of CPU: as [`Self::parse`], but not with a unit of bytes. `4Gi` would be four billion cores.
    pub fn parse_cores(text: &str) -> Result<Self, ParseLoadError> {
        let amount = Self::parse(text)?;
        // 2k cores are a large cluster, 1M cores are none.
        if text.trim().ends_with(['i', 'M', 'G', 'T', 'P', 'E']) {
            return Err(ParseLoadError::Bytes(text.trim().to_owned()));
        }
        Ok(amount)
    }

    /// Parses an amount of memory: as [`Self::parse`], but not with a unit of cores. `500m` would be half a byte.
    pub fn parse_bytes(text: &str) -> Result<Self, ParseLoadError> {
        let amount = Self::parse(text)?;
        let text = text.trim();
        if ["core", "cores", "m"]
            .iter()
            .any(|unit| text.ends_with(unit))
        {
            return Err(ParseLoadError::Cores(text.to_owned()));
        }
        Ok(amount)
    }

    fn of(self, before: f64) -> f64 {
        match self {
            Self::Absolute(value) => value,
            Self::Times(times) => times * before,
        }
    }
}

impl Load {
    /// Parses a load without a file: `2cores`, `x4`, `2cores..6cores/5m`, `spike:1..4/2m@1m`, `sine:1..4/1h`.
    pub fn parse(text: &str, amount: ParseAmount) -> Result<Self, ParseLoadError> {
        let form = |why| ParseLoadError::Form(text.to_owned(), why);
        if let Some(rest) = text.strip_prefix("spike:") {
            const FORM: &str = "use spike:BASE..PEAK/LENGTH, such as spike:1..4/2m, or spike:1..4/2m@5m to begin after 5 min";
            let (amounts, times) = rest.rsplit_once('/').ok_or_else(|| form(FORM))?;
            let (base, peak) = amounts.split_once("..").ok_or_else(|| form(FORM))?;
            let (hold, at) = times.split_once('@').unwrap_or((times, "1m"));
            return Ok(Self::Spike {
                base: amount(base)?,
                peak: amount(peak)?,
                at: parse_span(at)?,
                hold: parse_span(hold)?,
            });
        }
        if let Some(rest) = text.strip_prefix("sine:") {
            const FORM: &str = "use sine:LOW..HIGH/PERIOD, such as sine:1..4/1h";
            let (amounts, period) = rest.rsplit_once('/').ok_or_else(|| form(FORM))?;
            let (low, high) = amounts.split_once("..").ok_or_else(|| form(FORM))?;
            let period = parse_span(period)?;
            if period == 0 {
                return Err(form("the period must be longer than 0"));
            }
            return Ok(Self::Sine {
                low: amount(low)?,
                high: amount(high)?,
                period,
            });
        }
        if let Some((amounts, over)) = text.rsplit_once('/') {
            let (from, to) = amounts
                .split_once("..")
                .ok_or_else(|| form("use FROM..TO/TIME for a ramp, such as 2cores..6cores/5m"))?;
            return Ok(Self::Ramp {
                from: amount(from)?,
                to: amount(to)?,
                over: parse_span(over)?,
            });
        }
        if text.contains("..") {
            return Err(form("a ramp needs a time, such as 2cores..6cores/5m"));
        }
        Ok(Self::Constant(amount(text)?))
    }

    /// The load at a time. `before` is the load before the start.
    pub fn at(&self, time: Millis, before: f64) -> f64 {
        match self {
            Self::Constant(amount) => amount.of(before),
            Self::Ramp { from, to, over } => {
                let (from, to) = (from.of(before), to.of(before));
                if *over <= time {
                    to
                } else {
                    from + (to - from) * (time.max(0) as f64 / *over as f64)
                }
            }
            Self::Spike {
                base,
                peak,
                at,
                hold,
            } => {
                let is_peak = *at <= time && time < at.saturating_add(*hold);
                if is_peak { *peak } else { *base }.of(before)
            }
            Self::Sine { low, high, period } => {
                let (low, high) = (low.of(before), high.of(before));
                let turn = time.max(0) as f64 / *period as f64;
                let wave = libm::cos(2.0 * std::f64::consts::PI * turn);
                low + (high - low) * (1.0 - wave) / 2.0
            }
            Self::Points(points) => between_points(points, time),
        }
    }

    /// How long it changes; from then on it repeats or stays.
    pub fn length(&self) -> Millis {
        match self {
            Self::Constant(_) => 0,
            Self::Ramp { over, .. } => *over,
            Self::Spike { at, hold, .. } => at.saturating_add(*hold),
            Self::Sine { period, .. } => *period,
            Self::Points(points) => points.last().map_or(0, |last| last.at),
        }
    }

    /// The load before the start, if the load itself defines it.
    pub fn before(&self) -> Option<f64> {
        let first = match self {
            Self::Constant(_) => return None,
            Self::Ramp { from, .. } => *from,
            Self::Spike { base, .. } => *base,
            Self::Sine { low, .. } => *low,
            Self::Points(points) => Amount::Absolute(points.first()?.value),
        };
        match first {
            Amount::Absolute(value) => Some(value),
            Amount::Times(_) => None,
        }
    }

    /// Whether it is a multiple of the load before the start.
    pub fn is_relative(&self) -> bool {
        let is_times = |amount: &Amount| matches!(amount, Amount::Times(_));
        match self {
            Self::Constant(amount) => is_times(amount),
            Self::Ramp { from, to, .. } => is_times(from) || is_times(to),
            Self::Spike { base, peak, .. } => is_times(base) || is_times(peak),
            Self::Sine { low, high, .. } => is_times(low) || is_times(high),
            Self::Points(_) => false,
        }
    }
}

fn between_points(points: &[LoadPoint], time: Millis) -> f64 {
    let next = points.partition_point(|point| point.at <= time);
    match (
        next.checked_sub(1).and_then(|index| points.get(index)),
        points.get(next),
    ) {
        (Some(a), Some(b)) => {
            let share = (time - a.at) as f64 / (b.at - a.at) as f64;
            a.value + (b.value - a.value) * share
        }
        (Some(only), None) | (None, Some(only)) => only.value,
        (None, None) => 0.0,
    }
}

/// Parses a CSV file with the load of a metric in two columns. They are time and value, or as the header says. Times are
/// seconds or spans (`5m`, `1:30`) since the start, in rising order. Fails with the line number on a header that names
/// other columns, a missing value or a gap (more than 20 times the usual step).
pub fn parse_csv(text: &str, metric: &str, amount: ParseAmount) -> Result<Load, ParseLoadError> {
    let mut columns = None;
    let mut points: Vec<(usize, LoadPoint)> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, row) in (1..).zip(text.lines()) {
        let fail = |why: String| ParseLoadError::Line { line, why };
        let row = row.trim();
        if row.is_empty() || row.starts_with('#') {
            continue;
        }
        let mut cells = row
            .split([',', ';', '\t'])
            .map(|cell| cell.trim().trim_matches('"'));
        let (Some(first), Some(second), None) = (cells.next(), cells.next(), cells.next()) else {
            return Err(fail(format!(
                "{row:?} does not have two columns: write time,value"
            )));
        };
        if columns.is_none() && is_header(first, second) {
            columns = Some(ColumnOrder::of(first, second, metric).map_err(fail)?);
            continue;
        }
        let order = *columns.get_or_insert(ColumnOrder::TimeFirst);
        let (time, value) = match order {
            ColumnOrder::TimeFirst => (first, second),
            ColumnOrder::ValueFirst => (second, first),
        };
        let at = parse_span(time).map_err(|error| fail(error.to_string()))?;
        if value.is_empty() {
            return Err(fail(format!(
                "no value at {time}: write one, or leave the line out"
            )));
        }
        let value = match amount(value) {
            Ok(Amount::Absolute(value)) => value,
            Ok(Amount::Times(_)) => {
                return Err(fail(format!(
                    "{value:?} is a multiple: write the amount itself"
                )));
            }
            Err(error) => return Err(fail(error.to_string())),
        };
        if let Some((before, last)) = points.last()
            && at <= last.at
        {
            return Err(fail(format!(
                "{time} is not after the time of line {before}: times must rise"
            )));
        }
        points.push((line, LoadPoint { at, value }));
    }
    if points.is_empty() {
        return Err(ParseLoadError::Line {
            line: 1,
            why: "no values: write lines of time,value, such as 0,2 and 60,4".to_owned(),
        });
    }
    let mut steps: Vec<Millis> = points
        .windows(2)
        .map(|pair| pair[1].1.at - pair[0].1.at)
        .collect();
    steps.sort_unstable();
    let usual = steps.get(steps.len() / 2).copied().unwrap_or_default();
    if let Some(pair) = points
        .windows(2)
        .find(|pair| 8 <= points.len() && usual.saturating_mul(20) < pair[1].1.at - pair[0].1.at)
    {
        let ((before, a), (line, b)) = (pair[0], pair[1]);
        return Err(ParseLoadError::Line {
            line,
            why: format!(
                "no values for {} s since line {before}, where the usual step is {} s: fill the gap",
                (b.at - a.at) / 1000,
                usual / 1000
            ),
        });
    }
    Ok(Load::Points(
        points.into_iter().map(|(_, point)| point).collect(),
    ))
}

/// The columns of a CSV file.
#[derive(Clone, Copy)]
enum ColumnOrder {
    TimeFirst,
    ValueFirst,
}

impl ColumnOrder {
    /// Reads the header. A column of another metric, or of times of another kind, would be believed.
    fn of(first: &str, second: &str, metric: &str) -> Result<Self, String> {
        let is_time = |name: &str| is_one_of(name, &["time", "t", "seconds", "s"]);
        let is_value = |name: &str| is_one_of(name, &["value", "load", metric]);
        if is_time(first) && is_value(second) {
            return Ok(Self::TimeFirst);
        }
        if is_value(first) && is_time(second) {
            return Ok(Self::ValueFirst);
        }
        Err(format!(
            "unknown columns {first:?} and {second:?}: name them time (since the start) and value, load or {metric}"
        ))
    }
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether the first line has the names of columns. `0,many` is a wrong amount, and `now,2` a wrong time.
fn is_header(first: &str, second: &str) -> bool {
    let is_word = |cell: &str| cell.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_data =
        |cell: &str| cell.is_empty() || parse_span(cell).is_ok() || Amount::parse(cell).is_ok();
    !is_data(first) && !is_data(second) && (is_word(first) || is_word(second))
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these values are exact")]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_load_is_read() {
        let at = |text: &str, time| Load::parse(text, Amount::parse).unwrap().at(time, 2.0);
        assert_eq!(at("1500m", 0), 1.5);
        assert_eq!(at("x4", 0), 8.0);
        assert_eq!(at("2cores..6cores/5m", 150_000), 4.0);
        assert_eq!(at("2cores..6cores/5m", 900_000), 6.0);
        assert_eq!(at("x1..x4/2m", 120_000), 8.0);
        assert_eq!(at("spike:1..4/2m@5m", 299_999), 1.0);
        assert_eq!(at("spike:1..4/2m@5m", 300_000), 4.0);
        assert_eq!(at("spike:1..4/2m@5m", 420_000), 1.0);
        assert_eq!(at("sine:1..4/1h", 0), 1.0);
        assert_eq!(at("sine:1..4/1h", 1_800_000), 4.0);
        assert_eq!(at("4Gi", 0), 4_294_967_296.0);
        for text in [
            "",
            "two",
            "-1",
            "x-1",
            "1..2",
            "1/5m",
            "spike:1",
            "sine:1..2/0s",
            "1..2/5x",
            "NaN",
            "x1e308",
            "x1..x2000000/1m",
            "1..2E/1m",
            "1e300",
        ] {
            assert!(Load::parse(text, Amount::parse).is_err(), "{text}");
        }
    }

    #[test]
    fn units_of_the_other_resource_are_refused() {
        for text in ["2cores", "1 core", "500m"] {
            let refused = Err(ParseLoadError::Cores(text.to_owned()));
            assert_eq!(Amount::parse_bytes(text), refused);
        }
        for text in ["2Gi", "4M"] {
            let refused = Err(ParseLoadError::Bytes(text.to_owned()));
            assert_eq!(Amount::parse_cores(text), refused);
        }
        for text in ["2Gi", "4M", "1e9", "200", "x4"] {
            assert_eq!(Amount::parse_bytes(text), Amount::parse(text));
        }
    }

    #[test]
    fn a_csv_that_cannot_be_read_names_its_line() {
        let load = parse_csv("time,value\n0,2\n60,4\n1:30,4\n", "cpu", Amount::parse).unwrap();
        assert_eq!(load.at(30_000, 0.0), 3.0);
        for header in ["Time,Load", "t,cpu", "\"seconds\";\"value\""] {
            let text = format!("{header}\n0,2\n60,4\n1:30,4\n");
            assert_eq!(parse_csv(&text, "cpu", Amount::parse).as_ref(), Ok(&load));
        }
        let swapped = "cpu,time\n2,0\n4,60\n4,1:30\n";
        assert_eq!(parse_csv(swapped, "cpu", Amount::parse), Ok(load));
        for (text, line) in [
            ("0,2\n60,\n", 2),
            ("0,2\n60,4\n30,5\n", 3),
            ("0,2\n60,-4\n", 2),
            ("0,2\n60\n", 2),
            ("time,value\n", 1),
            ("# of the shop\ntime,memory\n0,2\n", 2),
            ("minutes,value\n0,2\n", 1),
            ("time,value\ntime,value\n0,2\n", 2),
            ("0,many\n", 1),
            ("0,1\n10,1\n20,1\n30,1\n40,1\n50,1\n60,1\n900,1\n", 8),
        ] {
            match parse_csv(text, "cpu", Amount::parse) {
                Err(ParseLoadError::Line { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
