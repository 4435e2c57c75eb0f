//! Converts to and from JSON values.

use serde_json::{Map, Value as Json};

use super::{Entry, Number, Span, YamlNode, YamlValue, room::of_text};

/// Bytes of a JSON value, apart from what is in it.
const JSON: usize = size_of::<Json>();

/// Entries in a node of the tree of an object.
const ENTRIES_OF_JSON: usize = 11;

/// Bytes of such a node, which may be nearly empty.
const JSON_NODE: usize = ENTRIES_OF_JSON * (size_of::<String>() + JSON) + 2 * size_of::<usize>();

impl YamlNode {
    /// The value as JSON, for decoders of typed objects. Of equal keys, the last wins.
    pub fn to_json(&self) -> Json {
        match &self.value {
            YamlValue::Bool(value) => Json::Bool(*value),
            YamlValue::Mapping(entries) => Json::Object(
                entries
                    .iter()
                    .map(|entry| (entry.key.to_string(), entry.node.to_json()))
                    .collect::<Map<_, _>>(),
            ),
            YamlValue::Null => Json::Null,
            YamlValue::Number(Number::Integer(number)) => Json::from(*number),
            YamlValue::Number(Number::Float(number)) => float(*number),
            YamlValue::Sequence(items) => Json::Array(items.iter().map(Self::to_json).collect()),
            YamlValue::Text(text) => Json::String(text.to_string()),
        }
    }

    /// Like [`to_json`](Self::to_json). Frees each part as soon as it is converted.
    pub fn into_json(self) -> Json {
        match self.value {
            YamlValue::Mapping(entries) => Json::Object(
                entries
                    .into_iter()
                    .map(|entry| (entry.key.into_string(), entry.node.into_json()))
                    .collect::<Map<_, _>>(),
            ),
            YamlValue::Sequence(items) => {
                Json::Array(items.into_iter().map(Self::into_json).collect())
            }
            YamlValue::Text(text) => Json::String(text.into_string()),
            YamlValue::Bool(_) | YamlValue::Null | YamlValue::Number(_) => self.to_json(),
        }
    }

    /// How many bytes the value takes as JSON, about.
    pub fn size_as_json(&self) -> usize {
        let inside: usize = match &self.value {
            YamlValue::Mapping(entries) => {
                let of_entry =
                    |entry: &Entry| of_text(&entry.key) + entry.node.size_as_json() - JSON;
                let of_nodes = entries.len().div_ceil(ENTRIES_OF_JSON) * JSON_NODE;
                of_nodes + entries.iter().map(of_entry).sum::<usize>()
            }
            YamlValue::Sequence(items) => items.iter().map(Self::size_as_json).sum(),
            YamlValue::Text(text) => of_text(text),
            YamlValue::Bool(_) | YamlValue::Null | YamlValue::Number(_) => 0,
        };
        JSON + inside
    }

    /// A tree without positions, from a cluster's answer.
    pub fn from_json(value: Json) -> Self {
        let value = match value {
            Json::Null => YamlValue::Null,
            Json::Bool(value) => YamlValue::Bool(value),
            Json::Number(number) => YamlValue::Number(match number.as_i64() {
                Some(number) => Number::Integer(number),
                None => Number::Float(number.as_f64().unwrap_or(f64::NAN)),
            }),
            Json::String(text) => YamlValue::Text(text.into()),
            Json::Array(items) => {
                YamlValue::Sequence(items.into_iter().map(Self::from_json).collect())
            }
            Json::Object(entries) => YamlValue::Mapping(
                entries
                    .into_iter()
                    .map(|(key, value)| Entry {
                        key: key.into(),
                        key_span: Span::default(),
                        node: Self::from_json(value),
                    })
                    .collect(),
            ),
        };
        Self {
            span: Span::default(),
            value,
        }
    }
}

/// A float as kubectl passes it on: Go prints a whole number without a fraction, so `3.0` arrives as an integer.
fn float(number: f64) -> Json {
    let whole = (number.fract() == 0.0).then(|| format!("{number:.0}").parse::<i64>());
    match whole {
        Some(Ok(integer)) => Json::from(integer),
        _ => Json::from(number),
    }
}
