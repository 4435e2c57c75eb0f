//! Values of specs as JSON: comparing them, identifying list entries, printing them.

use hpa_engine::model::Quantity;
use serde_json::{Map, Value};

/// What identifies an entry, without its numbers: type, name, container, described object.
pub fn subject(entry: &Value) -> Value {
    let Some(fields) = entry.as_object() else {
        return entry.clone();
    };
    let without_target = |value: &Value| {
        let mut value = value.clone();
        if let Some(fields) = value.as_object_mut() {
            fields.remove("target");
        }
        value
    };
    fields
        .iter()
        .filter(|(name, value)| *name == "type" || value.is_object())
        .map(|(name, value)| (name.clone(), without_target(value)))
        .collect::<Map<_, _>>()
        .into()
}

/// Whether both are equal; quantities by value.
pub fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    if one == other {
        return true;
    }
    let quantity = |value: Option<&Value>| Quantity::parse(value?.as_str()?).ok();
    matches!((quantity(one), quantity(other)), (Some(one), Some(other)) if one == other)
}

/// A value in one line: `{type: Resource, resource: {name: cpu}}`. A policy is shorter: `Pods 4 / 15 s`.
pub fn display(value: &Value) -> String {
    if let (Value::String(kind), Value::Number(number), Value::Number(seconds)) =
        (&value["type"], &value["value"], &value["periodSeconds"])
    {
        return format!("{kind} {number} / {seconds} s");
    }
    match value {
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(display).collect();
            format!("[{}]", entries.join(", "))
        }
        Value::Object(fields) => {
            // The type first, as people write it.
            let (first, rest): (Vec<_>, Vec<_>) =
                fields.iter().partition(|(name, _)| *name == "type");
            let fields: Vec<String> = first
                .into_iter()
                .chain(rest)
                .map(|(name, value)| format!("{name}: {}", display(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
