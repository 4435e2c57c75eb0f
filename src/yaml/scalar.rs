//! Plain scalars as kubectl reads them: YAML 1.1.

use super::{Number, Value};

/// What a plain (unquoted) scalar means to kubectl.
pub(super) fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "y" | "Y" => {
            return Value::Bool(true);
        }
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "n" | "N" => {
            return Value::Bool(false);
        }
        _ => {}
    }
    if !text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
        return Value::Text(text.into());
    }
    number(text).map_or_else(|| Value::Text(text.into()), Value::Number)
}

fn number(text: &str) -> Option<Number> {
    let plain = text.replace('_', "");
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let radix = |prefix: &str, radix: u32| {
        let digits = digits.strip_prefix(prefix)?;
        i64::from_str_radix(&format!("{sign}{digits}"), radix).ok()
    };
    let integer = radix("0x", 16)
        .or_else(|| radix("0b", 2))
        .or_else(|| radix("0o", 8))
        .or_else(|| {
            (digits.len() > 1 && digits.starts_with('0'))
                .then(|| radix("0", 8))
                .flatten()
        })
        .or_else(|| format!("{sign}{digits}").parse().ok());
    if let Some(integer) = integer {
        return Some(Number::Integer(integer));
    }
    match digits {
        ".inf" | ".Inf" | ".INF" if sign.is_empty() => return Some(Number::Float(f64::INFINITY)),
        ".inf" | ".Inf" | ".INF" => return Some(Number::Float(f64::NEG_INFINITY)),
        ".nan" | ".NaN" | ".NAN" => return Some(Number::Float(f64::NAN)),
        _ => {}
    }
    let is_decimal = digits
        .chars()
        .all(|one| one.is_ascii_digit() || ".eE+-".contains(one))
        && digits.contains(|one: char| one.is_ascii_digit());
    if !is_decimal {
        return None;
    }
    plain.parse().ok().map(Number::Float)
}
