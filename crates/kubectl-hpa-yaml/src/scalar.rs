//! Parses scalars as kubectl does: YAML 1.1 in the dialect of `go.yaml.in/yaml/v2`, then JSON as in `sigs.k8s.io/yaml`.

use base64::{
    Engine as _,
    alphabet::STANDARD,
    engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig},
};
use granit_parser::{ScalarStyle, Tag};

use super::{Number, YamlText, YamlValue};

/// The value that kubectl reads from a scalar. Fails with the reason if kubectl rejects it.
pub(super) fn scalar(
    text: &str,
    style: ScalarStyle,
    tag: Option<&Tag>,
) -> Result<YamlValue, String> {
    let tag = tag.map(|tag| tag.suffix_in_namespace("tag:yaml.org,2002:"));
    let value = match tag {
        None if style == ScalarStyle::Plain => resolve(text),
        None | Some(None) => YamlValue::Text(text.into()),
        Some(Some(tag)) => tagged(text, &tag)?,
    };
    match value {
        YamlValue::Number(Number::Float(number)) if !number.is_finite() => {
            Err(format!("{text} cannot be sent: JSON has no such number"))
        }
        value => Ok(value),
    }
}

/// The key that kubectl reads from a scalar; JSON keys are strings. Fails with the reason if it cannot be a key.
pub(super) fn key(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<YamlText, String> {
    let text_of = |number: f64| match number {
        f64::INFINITY => ".inf".to_owned(),
        f64::NEG_INFINITY => "-.inf".to_owned(),
        number if number.is_nan() => ".nan".to_owned(),
        number => shortest(number),
    };
    let value = if tag.is_none() && style == ScalarStyle::Plain {
        // Unlike a value, a key may be infinite.
        resolve(text)
    } else {
        scalar(text, style, tag)?
    };
    Ok(match value {
        YamlValue::Bool(value) => value.to_string().into(),
        YamlValue::Number(Number::Integer(number)) if is_float(text) => {
            // Digits beyond the precision of a 32-bit float are lost.
            #[expect(clippy::cast_precision_loss, reason = "kubectl also loses them")]
            text_of(number as f64).into()
        }
        YamlValue::Number(Number::Integer(number)) => number.to_string().into(),
        YamlValue::Number(Number::Float(number)) if is_float(text) || !number.is_finite() => {
            text_of(number).into()
        }
        YamlValue::Text(text) => text,
        _ => {
            return Err(format!(
                "kubectl rejects the key {text:?}: keys must be strings"
            ));
        }
    })
}

/// The type that a tag requests.
fn tagged(text: &str, tag: &str) -> Result<YamlValue, String> {
    let value = match tag {
        "bool" | "float" | "int" | "null" | "timestamp" => resolve(text),
        "binary" => return binary(text).map(|text| YamlValue::Text(text.into())),
        _ => return Ok(YamlValue::Text(text.into())),
    };
    let is_right = match &value {
        YamlValue::Bool(_) => tag == "bool",
        YamlValue::Null => tag == "null",
        YamlValue::Number(Number::Integer(_)) => matches!(tag, "float" | "int"),
        YamlValue::Number(Number::Float(_)) => tag == "float",
        _ => tag == "timestamp",
    };
    if is_right {
        Ok(value)
    } else {
        Err(format!("{text:?} is not a !!{tag}"))
    }
}

/// The text from its base64 form. As in Go, line breaks and the last bits are ignored, and invalid UTF-8 becomes
/// U+FFFD.
fn binary(text: &str) -> Result<Box<str>, String> {
    let digits = text.replace(['\r', '\n'], "");
    let config = GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    match GeneralPurpose::new(&STANDARD, config).decode(digits) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into()),
        Err(_) => Err(format!("{text:?} is not base64, as !!binary must be")),
    }
}

/// The value that kubectl reads from a plain (unquoted) scalar.
pub(super) fn resolve(text: &str) -> YamlValue {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return YamlValue::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "y" | "Y" => {
            return YamlValue::Bool(true);
        }
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "n" | "N" => {
            return YamlValue::Bool(false);
        }
        _ => {}
    }
    let number = match text.as_bytes().first() {
        Some(b'+' | b'-' | b'0'..=b'9') => number(&text.replace('_', "")).or_else(|| special(text)),
        Some(b'.') => special(text).or_else(|| float(&text.replace('_', ""))),
        _ => None,
    };
    number.map_or_else(|| YamlValue::Text(text.into()), YamlValue::Number)
}

fn number(digits: &str) -> Option<Number> {
    if let Some(integer) = integer(digits) {
        return i64::try_from(integer)
            .ok()
            .map(Number::Integer)
            .or_else(|| {
                // Up to 64 bits unsigned: an integer that does not fit our type.
                #[expect(clippy::cast_precision_loss, reason = "no field takes such a number")]
                u64::try_from(integer)
                    .ok()
                    .map(|number| Number::Float(number as f64))
            });
    }
    float(digits)
}

/// An integer with an optional base prefix in Go's spelling; a leading 0 alone means octal. None beyond 64 bits.
fn integer(text: &str) -> Option<i128> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let number = i128::from_str_radix(digits, radix).ok()?;
    let number = if is_negative { -number } else { number };
    let has_sign = text.starts_with(['+', '-']);
    let bounds = if has_sign {
        i128::from(i64::MIN)..=i128::from(i64::MAX)
    } else {
        0..=i128::from(u64::MAX)
    };
    bounds.contains(&number).then_some(number)
}

/// A float. JSON prints floats without a fraction as integers, so readers see an integer.
fn float(text: &str) -> Option<Number> {
    let is_decimal = text
        .bytes()
        .all(|one| one.is_ascii_digit() || b".eE+-".contains(&one));
    let number: f64 = text.parse().ok().filter(|_| is_decimal)?;
    if number.is_infinite() {
        return None;
    }
    let largest = 2f64.powi(63);
    Some(if number.fract() == 0.0 && number.abs() < largest {
        #[expect(clippy::cast_possible_truncation, reason = "checked just above")]
        Number::Integer(number as i64)
    } else {
        Number::Float(number)
    })
}

fn special(text: &str) -> Option<Number> {
    Some(Number::Float(match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => f64::INFINITY,
        "-.inf" | "-.Inf" | "-.INF" => f64::NEG_INFINITY,
        ".nan" | ".NaN" | ".NAN" => f64::NAN,
        _ => return None,
    }))
}

/// Whether a number is written as a float.
fn is_float(text: &str) -> bool {
    integer(&text.replace('_', "")).is_none()
}

/// Go's shortest form of a 32-bit float, with an exponent below -4 and from 6 on.
#[expect(clippy::cast_possible_truncation, reason = "kubectl does the same")]
fn shortest(number: f64) -> String {
    let number = number as f32;
    let text = format!("{number:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..6).contains(&exponent) {
        return number.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}
