//! Applies one assignment to a spec.

use hpa_objects::manifest::known_fields::{PlaceKind, SchemaPlace};
use serde_json::Value;

use super::{
    Assignment, ChangeError, Operation,
    path::PathStep,
    value::{empty, known, read},
};

/// Applies an assignment to `spec`.
pub(super) fn apply(assignment: &Assignment, spec: &mut Value) -> Result<(), ChangeError> {
    let mut cursor = Cursor {
        value: spec,
        place: SchemaPlace::spec(),
        path: "spec".to_owned(),
        may_grow: matches!(assignment.operation, Operation::Set(_)),
    };
    let (last, steps) = assignment
        .path
        .steps
        .split_last()
        .expect("a path has a step");
    for step in steps {
        cursor = cursor.enter(step)?;
    }
    match &assignment.operation {
        Operation::Remove => cursor.remove(last),
        Operation::Set(text) => {
            let target = cursor.enter(last)?;
            *target.value = read(text, target.place, &target.path)?;
            Ok(())
        }
    }
}

/// A position in the spec.
struct Cursor<'a> {
    value: &'a mut Value,
    place: SchemaPlace,
    path: String,
    /// Whether missing parents are created.
    may_grow: bool,
}

impl Cursor<'_> {
    fn enter(self, step: &PathStep) -> Result<Self, ChangeError> {
        let place = self.place_of(step)?;
        let path = format!("{}{step}", self.path);
        let value = match step {
            PathStep::Field(name) => {
                let fields = self.value.as_object_mut();
                let fields = fields.ok_or_else(|| not_set(&self.path))?;
                if self.may_grow {
                    let value = fields.entry(name).or_insert(Value::Null);
                    if value.is_null() {
                        *value = empty(place);
                    }
                    value
                } else {
                    fields.get_mut(name).ok_or_else(|| not_set(&path))?
                }
            }
            PathStep::Index(_) | PathStep::Matching(..) => {
                let may_grow = self.may_grow;
                let index = self.index(step, may_grow)?;
                let entries = self.value.as_array_mut();
                let entries = entries.expect("the index is one of a list");
                if index == entries.len() {
                    entries.push(empty(place));
                }
                &mut entries[index]
            }
        };
        Ok(Self {
            value,
            place,
            path,
            may_grow: self.may_grow,
        })
    }

    fn remove(self, step: &PathStep) -> Result<(), ChangeError> {
        self.place_of(step)?;
        let path = format!("{}{step}", self.path);
        match step {
            PathStep::Field(name) => {
                let removed = self.value.as_object_mut().and_then(|it| it.remove(name));
                removed.map(drop).ok_or_else(|| not_set(&path))
            }
            PathStep::Index(_) | PathStep::Matching(..) => {
                let index = self.index(step, false)?;
                let entries = self.value.as_array_mut();
                entries.expect("the index is one of a list").remove(index);
                Ok(())
            }
        }
    }

    /// The schema of a step.
    fn place_of(&self, step: &PathStep) -> Result<SchemaPlace, ChangeError> {
        let is_list = self.place.kind() == PlaceKind::List;
        match step {
            PathStep::Field(name) if self.place.kind() == PlaceKind::Object => {
                known(self.place, self.value, name, &self.path)
            }
            // A map of strings.
            PathStep::Field(_) if self.place.kind() == PlaceKind::Map => Ok(SchemaPlace::text()),
            PathStep::Index(_) | PathStep::Matching(..) if is_list => {
                Ok(self.place.items().unwrap_or_else(SchemaPlace::text))
            }
            _ => Err(ChangeError::NoEntry {
                path: format!("{}{step}", self.path),
                problem: format!("{} is {}", self.path, self.place.kind().expected()),
            }),
        }
    }

    /// The index of a step. The index after the last entry creates a new one.
    fn index(&self, step: &PathStep, may_grow: bool) -> Result<usize, ChangeError> {
        let entries = self.value.as_array().map(Vec::as_slice).unwrap_or_default();
        let fail = |problem: String| {
            Err(ChangeError::NoEntry {
                path: format!("{}{step}", self.path),
                problem,
            })
        };
        match step {
            PathStep::Index(index) => {
                let most = entries.len() + usize::from(may_grow);
                if *index < most {
                    Ok(*index)
                } else {
                    fail(match entries.len().checked_sub(1) {
                        Some(last) => format!("the last index of {} is {last}", self.path),
                        None => format!("{} is empty", self.path),
                    })
                }
            }
            PathStep::Matching(key, value) => {
                let mut found = entries
                    .iter()
                    .enumerate()
                    .filter(|(_, entry)| has(entry, key, value))
                    .map(|(index, _)| index);
                match (found.next(), found.next()) {
                    (Some(index), None) => Ok(index),
                    (Some(_), Some(_)) => {
                        fail("several entries match: use an index such as [0]".to_owned())
                    }
                    (None, _) => {
                        let known: Vec<String> = entries
                            .iter()
                            .filter_map(|entry| text_of(entry, key))
                            .collect();
                        fail(format!(
                            "no entry matches. Values of {key}: {}",
                            known.join(", ")
                        ))
                    }
                }
            }
            PathStep::Field(_) => fail("a field is not an entry of a list".to_owned()),
        }
    }
}

/// Whether a field of the entry, of its source or of its source's metric has that value.
fn has(entry: &Value, key: &str, value: &str) -> bool {
    text_of(entry, key).is_some_and(|text| text == value)
}

/// The field of an entry; for a metric also that of its source, which has the name.
fn text_of(entry: &Value, key: &str) -> Option<String> {
    let text = |value: &Value| match value.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let mut sources = entry
        .as_object()
        .into_iter()
        .flatten()
        .map(|(_, value)| value);
    text(entry)
        .or_else(|| sources.find_map(|source| text(source).or_else(|| text(source.get("metric")?))))
}

fn not_set(path: &str) -> ChangeError {
    ChangeError::NotSet {
        path: path.to_owned(),
    }
}
