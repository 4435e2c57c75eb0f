//! Prints matches as text, as Go does: maps and lists as JSON, everything else plain.

use std::ops::Range;

use serde_json::{Number, Value};

use super::evaluate::{MatchedItem, sorted};

/// Printing stops after this many bytes: ranges within ranges can print a document millions of times.
pub(super) const MOST_OUTPUT: usize = 256 << 20;

/// Prints the matches of one node, separated by spaces.
pub(super) fn print(found: &[MatchedItem<'_>], out: &mut String) {
    for (index, item) in found.iter().enumerate() {
        if MOST_OUTPUT < out.len() {
            return;
        }
        if 0 < index {
            out.push(' ');
        }
        match item.as_deref() {
            None => out.push_str("<no value>"),
            Some(Value::Null) => out.push_str("null"),
            Some(Value::Bool(value)) => out.push_str(if *value { "true" } else { "false" }),
            Some(Value::Number(number)) => out.push_str(&go_number(number)),
            Some(Value::String(text)) => out.push_str(text),
            Some(value) => json(value, None, out),
        }
    }
}

/// Prints the matches of one node as a JSON list over several lines.
pub(super) fn print_as_json(found: &[MatchedItem<'_>], out: &mut String) {
    if found.is_empty() {
        out.push_str("[]\n");
        return;
    }
    out.push('[');
    for (index, item) in found.iter().enumerate() {
        if MOST_OUTPUT < out.len() {
            return;
        }
        separate(index, Some(0), out);
        json(item.as_deref().unwrap_or(&Value::Null), Some(1), out);
    }
    new_line(Some(0), out);
    out.push_str("]\n");
}

/// JSON as Go prints it: fields by name, whole floats without a fraction, markup escaped.
fn json(value: &Value, indent: Option<usize>, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&json_number(number)),
        Value::String(text) => json_text(text, out),
        Value::Array(values) if values.is_empty() => out.push_str("[]"),
        Value::Array(values) => {
            out.push('[');
            for (index, value) in values.iter().enumerate() {
                separate(index, indent, out);
                json(value, indent.map(|indent| indent + 1), out);
            }
            new_line(indent, out);
            out.push(']');
        }
        Value::Object(fields) if fields.is_empty() => out.push_str("{}"),
        Value::Object(fields) => {
            out.push('{');
            for (index, (name, value)) in sorted(fields).enumerate() {
                separate(index, indent, out);
                json_text(name, out);
                out.push_str(if indent.is_some() { ": " } else { ":" });
                json(value, indent.map(|indent| indent + 1), out);
            }
            new_line(indent, out);
            out.push('}');
        }
    }
}

fn separate(index: usize, indent: Option<usize>, out: &mut String) {
    if 0 < index {
        out.push(',');
    }
    new_line(indent.map(|indent| indent + 1), out);
}

fn new_line(indent: Option<usize>, out: &mut String) {
    if let Some(indent) = indent {
        out.push('\n');
        out.push_str(&"    ".repeat(indent));
    }
}

fn json_text(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

fn json_number(number: &Number) -> String {
    match number.as_i64() {
        Some(integer) => integer.to_string(),
        None => float(number, -6..21, 1),
    }
}

/// A number as Go's `%v` prints it.
fn go_number(number: &Number) -> String {
    match number.as_i64() {
        Some(integer) => integer.to_string(),
        None => float(number, -4..6, 2),
    }
}

/// The shortest digits. With an exponent of at least `digits` digits if the power of ten is not in `plain`.
fn float(number: &Number, plain: Range<i32>, digits: usize) -> String {
    let value = number.as_f64().unwrap_or(f64::NAN);
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value == 0.0 || plain.contains(&exponent) {
        return value.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:0digits$}", exponent.unsigned_abs())
}

/// A value as Go's `%v` prints it: `map[a:1 b:[2 3]]`.
pub(super) fn go_value(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(" ");
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => go_number(number),
        Value::String(text) => text.clone(),
        Value::Array(values) => format!("[{}]", joined(values.iter().map(go_value).collect())),
        Value::Object(fields) => {
            let parts = sorted(fields).map(|(name, value)| format!("{name}:{}", go_value(value)));
            format!("map[{}]", joined(parts.collect()))
        }
    }
}
