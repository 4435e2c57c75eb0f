//! Converts to and from JSON values.

use serde_json::{Map, Value as Json};

use super::{Entry, Number, Span, YamlNode, YamlValue};

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
