//! Validates JSON with a schema. It knows the keywords that this project's schemas use; any other fails the test, so
//! that none is ignored.

use jiff::Timestamp;
use regex::Regex;
use serde_json::{Map, Value};

/// A schema with its definitions.
pub(crate) struct Schema(Value);

impl Schema {
    /// The schema of the file.
    pub(crate) fn parse(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap())
    }

    /// The errors of a document; none if it is valid.
    pub(crate) fn errors(&self, document: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.check(&self.0, document, "", &mut errors);
        errors
    }

    /// The part of the schema with this name.
    pub(crate) fn definition(&self, name: &str) -> &Value {
        let found = ["$defs", "definitions"]
            .iter()
            .find_map(|place| self.0.get(place)?.get(name));
        found.unwrap_or_else(|| panic!("there is no definition of {name}"))
    }

    fn check(&self, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
        let Value::Object(keywords) = schema else {
            if schema == &Value::Bool(false) {
                errors.push(format!("{path} is not known"));
            }
            return;
        };
        for (keyword, expected) in keywords {
            let is_valid = match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "definitions" | "title" | "description"
                | "default" => true,
                "$ref" => {
                    let name = expected.as_str().unwrap().rsplit('/').next().unwrap();
                    self.check(self.definition(name), value, path, errors);
                    true
                }
                "anyOf" => self.matching(expected, value) > 0,
                "oneOf" => self.matching(expected, value) == 1,
                "allOf" => self.matching(expected, value) == expected.as_array().unwrap().len(),
                "const" => value == expected,
                "enum" => expected.as_array().unwrap().contains(value),
                "type" => match expected {
                    Value::Array(types) => types.iter().any(|one| is_of_type(value, one)),
                    one => is_of_type(value, one),
                },
                "minimum" => value
                    .as_f64()
                    .is_none_or(|value| expected.as_f64().unwrap() <= value),
                "maximum" => value
                    .as_f64()
                    .is_none_or(|value| value <= expected.as_f64().unwrap()),
                "minItems" => value
                    .as_array()
                    .is_none_or(|items| expected.as_u64().unwrap() <= items.len() as u64),
                "uniqueItems" => {
                    let items = value.as_array().map_or(&[][..], Vec::as_slice);
                    let is_twice = |(at, item)| items[..at].contains(item);
                    expected == &Value::Bool(false) || !items.iter().enumerate().any(is_twice)
                }
                "pattern" => {
                    let pattern = Regex::new(expected.as_str().unwrap()).unwrap();
                    value.as_str().is_none_or(|text| pattern.is_match(text))
                }
                "format" => has_format(value, expected.as_str().unwrap()),
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(expected, item, &format!("{path}/{index}"), errors);
                    }
                    true
                }
                "properties" => {
                    for (name, schema) in expected.as_object().unwrap() {
                        if let Some(field) = value.get(name) {
                            self.check(schema, field, &format!("{path}/{name}"), errors);
                        }
                    }
                    true
                }
                "additionalProperties" => {
                    let known = keywords.get("properties").and_then(Value::as_object);
                    for (name, field) in more_than(value, known) {
                        self.check(expected, field, &format!("{path}/{name}"), errors);
                    }
                    true
                }
                "required" => {
                    let names = expected.as_array().unwrap().iter();
                    let mut missing = names.filter(|name| {
                        value.is_object() && value.get(name.as_str().unwrap()).is_none()
                    });
                    missing.next().is_none()
                }
                other => panic!("keyword {other} is not known here"),
            };
            if !is_valid {
                errors.push(format!("{path}: {keyword} {expected}"));
            }
        }
    }

    fn matching(&self, schemas: &Value, value: &Value) -> usize {
        let is_valid = |schema: &&Value| {
            let mut errors = Vec::new();
            self.check(schema, value, "", &mut errors);
            errors.is_empty()
        };
        schemas.as_array().unwrap().iter().filter(is_valid).count()
    }
}

fn more_than<'v>(
    value: &'v Value,
    known: Option<&Map<String, Value>>,
) -> impl Iterator<Item = (&'v String, &'v Value)> {
    let fields = value.as_object().into_iter().flatten();
    fields.filter(move |(name, _)| known.is_none_or(|known| !known.contains_key(*name)))
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "object" => value.is_object(),
        "string" => value.is_string(),
        other => panic!("type {other} is not known here"),
    }
}

fn has_format(value: &Value, format: &str) -> bool {
    let integer = value.as_i64();
    match format {
        "date-time" => value
            .as_str()
            .is_none_or(|text| text.parse::<Timestamp>().is_ok()),
        "int32" => integer.is_none_or(|integer| i32::try_from(integer).is_ok()),
        "uint32" => integer.is_none_or(|integer| u32::try_from(integer).is_ok()),
        "uint" => integer.is_none_or(|integer| usize::try_from(integer).is_ok()),
        "uri" => value
            .as_str()
            .is_none_or(|text| text.contains("://") && is_uri(text)),
        "uri-reference" => value.as_str().is_none_or(is_uri),
        "double" | "int64" | "uint64" => true,
        other => panic!("format {other} is not known here"),
    }
}

/// Whether a text has only characters that a URI may have.
fn is_uri(text: &str) -> bool {
    let pattern = Regex::new(r"^([A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$").unwrap();
    pattern.is_match(text)
}
