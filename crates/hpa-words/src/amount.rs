//! Formats amounts, ratios and counts, always in the unit of the target.

use hpa_engine::trace::{Milli, Percent};

/// What a metric counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricUnit {
    /// Bytes, written in binary units: `512 MiB`.
    Bytes,
    /// Processor time, written as `kubectl top` does: `540m`.
    Cores,
    /// Anything else, written as a decimal number: `28.5`.
    Plain,
}

impl MetricUnit {
    /// The unit of a resource such as `cpu`.
    pub fn of_resource(resource: &str) -> Self {
        match resource {
            "cpu" => Self::Cores,
            "memory" | "ephemeral-storage" => Self::Bytes,
            hugepages if hugepages.starts_with("hugepages-") => Self::Bytes,
            _ => Self::Plain,
        }
    }

    /// Writes an amount.
    pub fn amount(self, Milli(milli): Milli) -> String {
        match self {
            Self::Bytes => bytes(milli, 1),
            Self::Cores => format!("{milli}m"),
            Self::Plain => decimal(milli),
        }
    }

    /// Writes an amount next to `target`, rounded in the given direction if it has more digits than are shown.
    pub fn rounded_amount(self, amount: Milli, target: Milli, rounding: Rounding) -> String {
        if self != Self::Bytes {
            return self.amount(amount);
        }
        let digits = (1..=3)
            .find(|digits| rounded_bytes(amount.0, *digits, rounding) != bytes(target.0, *digits));
        rounded_bytes(amount.0, digits.unwrap_or(3), rounding)
    }

    /// Writes two amounts with as many digits as it takes to tell them apart.
    pub fn amounts(self, left: Milli, right: Milli) -> (String, String) {
        if self != Self::Bytes || left == right {
            return (self.amount(left), self.amount(right));
        }
        let at = |digits| (bytes(left.0, digits), bytes(right.0, digits));
        (1..=3)
            .map(at)
            .find(|(left, right)| left != right)
            .unwrap_or_else(|| at(3))
    }
}

/// The direction in which an amount is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the next smaller one that can be shown.
    Down,
    /// To the next larger one that can be shown.
    Up,
}

/// Writes a percentage.
pub fn percent(Percent(percent): Percent) -> String {
    format!("{percent}%")
}

/// Writes a float fraction as percent: `0.1` is `10%`.
pub fn fraction_as_percent(fraction: f64) -> String {
    format!("{}%", trimmed(fraction * 100.0, 2))
}

/// Writes a ratio with two decimals, or with as many as show on which side of `bounds` it lies.
pub fn ratio(ratio: f64, bounds: &[f64]) -> String {
    if !ratio.is_finite() {
        return if ratio.is_nan() { "0 / 0" } else { "∞" }.to_owned();
    }
    let shows_side = |digits: usize| {
        let displayed = round(ratio, digits);
        bounds
            .iter()
            .all(|bound| displayed.partial_cmp(&round(*bound, digits)) == ratio.partial_cmp(bound))
    };
    let digits = (2..=6).find(|digits| shows_side(*digits)).unwrap_or(2);
    format!("{ratio:.digits$}")
}

/// Writes a product that is rounded up to `result`: `11.3 → 12`, or `12` if nothing was rounded.
pub fn rounded_up(product: f64, result: i32) -> String {
    match before_rounding(product, result) {
        Some(product) => format!("{product} → {result}"),
        None => result.to_string(),
    }
}

/// A product that is rounded up to `result`, with enough digits to show it: `11.3`. `None` if nothing was rounded.
pub fn before_rounding(product: f64, result: i32) -> Option<String> {
    let target = f64::from(result);
    if !product.is_finite() || 1.0 <= (product.ceil() - target).abs() {
        return Some(ratio(product, &[]));
    }
    if (product - target).abs() < 1e-9 {
        return None;
    }
    let displayed = (1..=6).find(|digits| {
        let displayed = round(product, *digits);
        displayed.ceil() <= target && target < displayed + 1.0 && displayed < target
    });
    Some(displayed.map_or_else(
        || format!("just above {}", result.saturating_sub(1)),
        |digits| format!("{:.digits$}", round(product, digits)),
    ))
}

/// Names of objects as `namespace/name`; those in `namespace` without it.
pub fn names_within<'a>(names: &'a [String], namespace: &str) -> impl Iterator<Item = &'a str> {
    let without = move |name: &'a String| {
        let rest = name.strip_prefix(namespace)?;
        rest.strip_prefix('/')
    };
    let short = move |name: &'a String| without(name).unwrap_or(name);
    names.iter().map(short)
}

/// A resource name inside a sentence: `CPU` for `cpu`; other names are unchanged.
pub fn resource_in_prose(resource: &str) -> &str {
    if resource == "cpu" { "CPU" } else { resource }
}

/// Capitalizes a fragment to start a sentence.
pub fn upper_first(fragment: &str) -> String {
    let mut letters = fragment.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `1 replica`, `4 replicas`.
pub fn replicas(number: i32) -> String {
    let noun = if number == 1 { "replica" } else { "replicas" };
    format!("{number} {noun}")
}

/// Writes a number with at most `digits` decimals and no zeros at the end.
pub fn trimmed(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// At most three significant digits, without trailing zeros.
pub fn number(value: f64) -> String {
    let digits = match value.abs() {
        magnitude if magnitude >= 100.0 => 0,
        magnitude if magnitude >= 10.0 => 1,
        _ => 2,
    };
    trimmed(value, digits)
}

/// Writes `1 pod`, `2 pods`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Writes up to `displayed` names and counts the rest: `a, b and 3 more`.
pub fn names<S: AsRef<str>>(names: &[S], displayed: usize) -> String {
    names_of(names.iter(), names.len(), displayed)
}

/// The same of names that are not collected: there are `number`.
pub fn names_of<S: AsRef<str>>(
    names: impl Iterator<Item = S>,
    number: usize,
    displayed: usize,
) -> String {
    let rest = number.saturating_sub(displayed);
    // One more name is no longer than "1 more".
    let displayed = if rest <= 1 { number } else { displayed };
    let names = names.take(displayed);
    let mut parts: Vec<String> = names.map(|name| name.as_ref().to_owned()).collect();
    if displayed < number {
        parts.push(format!("{} more", number - displayed));
    }
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

fn bytes(milli: i64, digits: usize) -> String {
    let unit = binary_unit(milli);
    if unit == 0 {
        // Thousandths of a byte are most likely a mistake, which a rounded number would hide.
        return format!("{} {}", decimal(milli), UNITS[0]);
    }
    let number = (0..unit).fold(as_f64_from_i64(milli) / 1000.0, |number, _| number / 1024.0);
    format!("{} {}", trimmed(number, digits), UNITS[unit])
}

fn rounded_bytes(milli: i64, digits: usize, rounding: Rounding) -> String {
    let unit = binary_unit(milli);
    let digits = if unit == 0 { 3 } else { digits.min(3) };
    let scale = [1, 10, 100, 1000][digits];
    let of_unit = (0..unit).fold(1000_i128, |amount, _| amount * 1024);
    let number = i128::from(milli) * scale;
    let up = i128::from(rounding == Rounding::Up && number.rem_euclid(of_unit) != 0);
    let thousandths = (number.div_euclid(of_unit) + up) * (1000 / scale);
    let text = decimal(i64::try_from(thousandths).unwrap_or(milli));
    format!("{text} {}", UNITS[unit])
}

/// The largest binary unit that fits at least once into the amount.
fn binary_unit(milli: i64) -> usize {
    let mut number = as_f64_from_i64(milli) / 1000.0;
    let mut unit = 0;
    while 1024.0 <= number.abs() && unit + 1 < UNITS.len() {
        number /= 1024.0;
        unit += 1;
    }
    unit
}

const UNITS: [&str; 6] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];

fn decimal(milli: i64) -> String {
    let sign = if milli < 0 { "-" } else { "" };
    let magnitude = milli.unsigned_abs();
    let (whole, thousandths) = (magnitude / 1000, magnitude % 1000);
    if thousandths == 0 {
        return format!("{sign}{whole}");
    }
    let fraction = format!("{thousandths:03}");
    format!("{sign}{whole}.{}", fraction.trim_end_matches('0'))
}

fn round(number: f64, digits: usize) -> f64 {
    // As people round: a half goes up, and 7.85 is a half although its nearest float is a little less.
    let scale = 10_f64.powi(i32::try_from(digits).unwrap_or_default());
    let scaled = (number * scale).round() / scale;
    if scaled.is_finite() { scaled } else { number }
}

#[expect(clippy::cast_precision_loss, reason = "for display only")]
fn as_f64_from_i64(number: i64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_in_the_users_unit() {
        assert_eq!(MetricUnit::Cores.amount(Milli(2575)), "2575m");
        assert_eq!(MetricUnit::Bytes.amount(Milli(52_428_800_000)), "50 MiB");
        assert_eq!(
            MetricUnit::Bytes.amount(Milli(1_288_490_188_800)),
            "1.2 GiB"
        );
        assert_eq!(MetricUnit::Bytes.amount(Milli(512_000)), "512 bytes");
        assert_eq!(MetricUnit::Bytes.amount(Milli(325)), "0.325 bytes");
        assert_eq!(MetricUnit::Plain.amount(Milli(28_500)), "28.5");
        assert_eq!(MetricUnit::Plain.amount(Milli(-5)), "-0.005");
    }

    #[test]
    fn compared_amounts_can_be_distinguished() {
        let mib = |mib: i64| Milli(mib * 1_048_576_000);
        let (left, right) = MetricUnit::Bytes.amounts(mib(1229), mib(1230));
        assert_ne!(left, right);
        assert_eq!(left, "1.2 GiB");
    }

    #[test]
    fn ratio_shows_on_which_side_of_the_tolerance_it_lies() {
        assert_eq!(ratio(85.0 / 60.0, &[0.9, 1.1]), "1.42");
        assert_eq!(ratio(1.1004, &[0.9, 1.1]), "1.1004");
        assert_eq!(ratio(1.1, &[0.9, 1.1]), "1.10");
        assert_eq!(ratio(f64::INFINITY, &[1.1]), "∞");
    }

    #[test]
    fn rounding_up_is_shown_where_it_happens() {
        assert_eq!(rounded_up(85.0 / 60.0 * 8.0, 12), "11.3 → 12");
        assert_eq!(rounded_up(4.0, 4), "4");
        assert_eq!(rounded_up(11.98, 12), "11.98 → 12");
        assert_eq!(
            rounded_up(110.000_000_000_000_01, 111),
            "just above 110 → 111"
        );
        assert_eq!(rounded_up(f64::INFINITY, i32::MIN), "∞ → -2147483648");
    }

    #[test]
    fn names_beyond_the_limit_are_counted() {
        let all = ["a", "b", "c", "d", "e"];
        assert_eq!(names(&all[..1], 3), "a");
        assert_eq!(names(&all[..2], 3), "a and b");
        assert_eq!(names(&all[..4], 3), "a, b, c and d");
        assert_eq!(names(&all, 3), "a, b, c and 2 more");
    }
}
