//! Values: parsed from text and checked against the known fields.

use hpa_objects::{
    manifest::{
        self,
        known_fields::{PlaceKind, SchemaPlace, paths_of, zero_value},
    },
    recording::InvalidField,
};
use serde_json::Value;

use super::ChangeError;

/// Parses the value of a `--set`.
pub(super) fn read(text: &str, place: SchemaPlace, path: &str) -> Result<Value, ChangeError> {
    let kind = place.kind();
    let is_quoted = text.starts_with(['"', '\'']);
    if matches!(kind, PlaceKind::Quantity | PlaceKind::Text) && !is_quoted {
        return Ok(Value::String(text.to_owned()));
    }
    let value = manifest::parse_value(text)
        .map_err(|problem| ChangeError::Value(InvalidField::at(path, problem)))?;
    check(&value, place, path)?;
    Ok(value)
}

/// Checks that a value has the right type and only known fields. Null counts as absent.
pub(super) fn check(value: &Value, place: SchemaPlace, path: &str) -> Result<(), ChangeError> {
    let kind = place.kind();
    match (kind, value) {
        (_, Value::Null)
        | (PlaceKind::Text, Value::String(_))
        | (PlaceKind::Quantity, Value::String(_) | Value::Number(_)) => Ok(()),
        (PlaceKind::Integer, Value::Number(number)) if is_int32(number.as_i64()) => Ok(()),
        (PlaceKind::List, Value::Array(entries)) => {
            let Some(items) = place.items() else {
                return Ok(());
            };
            let mut entries = entries.iter().enumerate();
            entries.try_for_each(|(index, entry)| check(entry, items, &format!("{path}[{index}]")))
        }
        (PlaceKind::Map, Value::Object(fields)) => {
            let wrong = fields.iter().find(|(_, value)| !value.is_string());
            wrong.map_or(Ok(()), |(key, value)| {
                Err(wrong_type(
                    &format!("{path}[{key:?}]"),
                    PlaceKind::Text,
                    value,
                ))
            })
        }
        (PlaceKind::Object, Value::Object(fields)) => {
            fields.iter().try_for_each(|(name, field)| {
                let place = known(place, value, name, path)?;
                check(field, place, &format!("{path}.{name}"))
            })
        }
        _ => Err(wrong_type(path, kind, value)),
    }
}

/// The field called `name` of an object, or an error that names the nearest one.
pub(super) fn known(
    place: SchemaPlace,
    object: &Value,
    name: &str,
    path: &str,
) -> Result<SchemaPlace, ChangeError> {
    place.field(name).ok_or_else(|| {
        let hint = match holder(place, object, name) {
            Some(holder) => format!("Did you mean {path}.{holder}.{name}?"),
            None => hint(place, name),
        };
        ChangeError::UnknownField {
            path: format!("{path}.{name}"),
            hint,
        }
    })
}

/// The field of the object that contains a field of this name.
fn holder<'a>(place: SchemaPlace, object: &'a Value, name: &str) -> Option<&'a str> {
    let mut fields = object.as_object().into_iter().flatten();
    let holder = fields.find(|(field, _)| {
        let place = place.field(field);
        place.is_some_and(|place| place.field(name).is_some())
    });
    holder.map(|(field, _)| field.as_str())
}

/// An empty value to insert fields or entries into.
pub(super) fn empty(place: SchemaPlace) -> Value {
    zero_value(place.kind())
}

/// The nearest known field, else the place of a field with that name, else all known fields.
fn hint(place: SchemaPlace, name: &str) -> String {
    let distance =
        |other: &str| strsim::damerau_levenshtein(&other.to_lowercase(), &name.to_lowercase());
    let nearest = place.names().min_by_key(|other| distance(other));
    if let Some(nearest) = nearest.filter(|nearest| distance(nearest) <= nearest.len() / 3) {
        return format!("Did you mean {nearest}?");
    }
    let elsewhere = paths_of(name);
    if !elsewhere.is_empty() {
        return format!("Did you mean {}?", elsewhere.join(" or "));
    }
    let names: Vec<&str> = place.names().collect();
    let nearest = nearest.map_or_else(String::new, |nearest| format!("Did you mean {nearest}? "));
    format!("{nearest}Fields: {}", names.join(", "))
}

fn is_int32(number: Option<i64>) -> bool {
    number.is_some_and(|number| i32::try_from(number).is_ok())
}

fn wrong_type(path: &str, kind: PlaceKind, value: &Value) -> ChangeError {
    let found = match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => other.to_string(),
    };
    let expected = match (kind, value) {
        (PlaceKind::Integer, Value::Number(number)) if !number.is_f64() => {
            "a whole number from -2147483648 to 2147483647"
        }
        _ => kind.expected(),
    };
    ChangeError::WrongType {
        path: path.to_owned(),
        expected,
        found,
    }
}
