//! The suffixes of quantities. Upstream: `suffixer`.

use super::Format;

/// Decimal suffixes and their powers of ten.
const DECIMAL: [(&str, i32); 10] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];

/// Binary suffixes and their powers of two.
const BINARY: [(&str, i32); 6] = [
    ("Ki", 10),
    ("Mi", 20),
    ("Gi", 30),
    ("Ti", 40),
    ("Pi", 50),
    ("Ei", 60),
];

/// Format and exponent (of two for `BinarySI`, otherwise of ten) for a suffix, or what is wrong with it.
pub(super) fn interpret(suffix: &str) -> Result<(Format, i32), &'static str> {
    let known = match suffix.len() {
        0 => Some((Format::DecimalSI, 0)),
        1 => exponent_of(&DECIMAL, suffix).map(|exponent| (Format::DecimalSI, exponent)),
        2 => exponent_of(&BINARY, suffix).map(|exponent| (Format::BinarySI, exponent)),
        _ => None,
    };
    if let Some(known) = known {
        return Ok(known);
    }
    match suffix.strip_prefix(['e', 'E']).map(str::parse::<i64>) {
        // Upstream also keeps only the low 32 bits of the exponent.
        #[expect(clippy::cast_possible_truncation, reason = "as upstream")]
        Some(Ok(exponent)) => Ok((Format::DecimalExponent, exponent as i32)),
        _ => Err(advice(suffix)),
    }
}

/// The suffix for a power of ten; empty if it has none.
pub(super) fn decimal_suffix(exponent: i32) -> &'static str {
    suffix_of(&DECIMAL, exponent)
}

/// The suffix for a power of two; empty if it has none.
pub(super) fn binary_suffix(exponent: i32) -> &'static str {
    suffix_of(&BINARY, exponent)
}

fn exponent_of(table: &[(&str, i32)], suffix: &str) -> Option<i32> {
    let entry = table.iter().find(|(name, _)| *name == suffix)?;
    Some(entry.1)
}

fn suffix_of(table: &[(&'static str, i32)], exponent: i32) -> &'static str {
    let entry = table.iter().find(|(_, power)| *power == exponent);
    entry.map_or("", |(name, _)| *name)
}

fn advice(suffix: &str) -> &'static str {
    match suffix {
        "K" | "KB" | "kB" | "kb" => "for thousands write k, for 1024 write Ki",
        "ki" => "the suffix for 1024 is Ki",
        "KiB" | "MiB" | "GiB" | "TiB" | "MB" | "GB" | "TB" | "b" | "B" => {
            "leave out the B: 64Mi, 2G"
        }
        "g" | "t" | "p" | "gi" | "mi" | "ti" | "pi" => {
            "suffixes are case-sensitive: k M G T P E, or Ki Mi Gi Ti Pi Ei"
        }
        "µ" | "μ" => "the suffix for millionths is u",
        _ if suffix.starts_with(['e', 'E']) => "after e comes a whole number, as in 12e6",
        _ if suffix.contains(char::is_whitespace) => "remove the spaces, as in 64Mi",
        _ if suffix.starts_with(',') => "the decimal separator is a point, as in 1.5",
        _ => {
            "wanted: a number and one of the suffixes n u m k M G T P E Ki Mi Gi Ti Pi Ei, as in 250m, 1.5 or 64Mi"
        }
    }
}
