//! Text to objects: YAML as kubectl reads it, or JSON; several documents, and lists within them.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Error, Place};
use crate::recording::{Budget, InvalidField, decode, shortened};

/// One object of a file.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Where it stands.
    pub(super) place: Place,
    /// `apiVersion`.
    pub(super) api_version: String,
    /// `kind`.
    pub(super) kind: String,
    /// All of it.
    pub(super) value: Value,
}

/// Reads all objects of a file; lists are taken apart.
pub(super) fn parse(text: &[u8], file: &str) -> Result<Vec<Object>, Error> {
    let documents = match json(text, file)? {
        Some(documents) => documents,
        None => yaml(text, file)?,
    };
    let mut objects = Vec::new();
    for (index, value) in documents.into_iter().enumerate() {
        let place = Place {
            file: file.to_owned(),
            document: index + 1,
            ..Place::default()
        };
        unpack(value, place, ("", ""), &mut objects)?;
    }
    Ok(objects)
}

/// Reads one value in JSON or YAML, such as a number, a text or a list. The error says what the parser says.
pub fn parse_value(text: &str) -> Result<Value, String> {
    let mut documents = yaml(text.as_bytes(), "")
        .map_err(|error| error.to_string().trim_start_matches([',', ' ']).to_owned())?;
    match (documents.pop(), documents.is_empty()) {
        (Some(value), true) => Ok(value),
        (None, _) => Err("there is no value".to_owned()),
        (Some(_), false) => Err("there are several values".to_owned()),
    }
}

impl Object {
    /// API group.
    pub(super) fn group(&self) -> &str {
        self.api_version
            .rsplit_once('/')
            .map_or("", |(group, _)| group)
    }

    /// `metadata.namespace`, or the one that kubectl takes.
    pub(super) fn namespace(&self) -> &str {
        self.text("/metadata/namespace").unwrap_or("default")
    }

    /// `metadata.name`.
    pub(super) fn name(&self) -> &str {
        self.text("/metadata/name").unwrap_or_default()
    }

    /// The text at a JSON pointer.
    pub(super) fn text(&self, pointer: &str) -> Option<&str> {
        self.value.pointer(pointer)?.as_str()
    }

    /// Decodes the object.
    pub(super) fn decode<T: DeserializeOwned>(&self) -> Result<T, Error> {
        decode(&self.value).map_err(|field| self.error(field))
    }

    /// An error in a field of this object.
    pub(super) fn error(&self, field: InvalidField) -> Error {
        Error::Field {
            place: Box::new(self.place.clone()),
            field,
        }
    }
}

/// Reads text that is JSON throughout: one object after another.
fn json(text: &[u8], file: &str) -> Result<Option<Vec<Value>>, Error> {
    if !text.trim_ascii_start().starts_with(b"{") {
        return Ok(None);
    }
    if let Err((offset, excess)) = Budget::FILE.check(text) {
        let before = &text[..offset];
        let line_start = before.iter().rposition(|byte| *byte == b'\n');
        return Err(Error::Syntax {
            file: file.to_owned(),
            line: before.split(|byte| *byte == b'\n').count() as u64,
            column: (offset - line_start.map_or(0, |at| at + 1) + 1) as u64,
            problem: format!("{excess}, which is too much to read"),
        });
    }
    let documents = serde_json::Deserializer::from_slice(text)
        .into_iter()
        .collect::<Result<_, _>>();
    Ok(documents.ok())
}

/// Reads YAML with the rules that kubectl has: YAML 1.1 octal numbers, merge keys, the last of equal keys.
fn yaml(mut text: &[u8], file: &str) -> Result<Vec<Value>, Error> {
    let options = serde_saphyr::options! {
        legacy_octal_numbers: true,
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_reader_input_bytes: Some(MOST_BYTES),
            max_events: 100_000_000,
            max_documents: 1_000_000,
            // Each may take 250 bytes; all objects of some twenty thousand pods have so many.
            max_nodes: 10_000_000,
            max_total_scalar_bytes: MOST_BYTES,
        },
    };
    let mut documents = Vec::new();
    for document in serde_saphyr::read_with_options::<_, Value>(&mut text, options) {
        let document = document.map_err(|error| {
            let problem = error.to_string();
            match error.location() {
                Some(location) if location.line() > 0 => Error::Syntax {
                    file: file.to_owned(),
                    line: location.line(),
                    column: location.column(),
                    problem: without_position(&problem),
                },
                _ => Error::Document {
                    file: file.to_owned(),
                    document: documents.len() + 1,
                    problem: shortened(problem),
                },
            }
        })?;
        documents.push(document);
    }
    Ok(documents)
}

/// The parser says the position in its own words after the message.
fn without_position(problem: &str) -> String {
    let end = problem.find(" at line ").unwrap_or(problem.len());
    shortened(problem[..end].to_owned())
}

/// Adds the object, or what is in it if it is a list. Items of a typed list may leave out what the list implies.
fn unpack(
    value: Value,
    mut place: Place,
    implied: (&str, &str),
    objects: &mut Vec<Object>,
) -> Result<(), Error> {
    let text = |field: &str| value.get(field).and_then(Value::as_str);
    let api_version = text("apiVersion").unwrap_or(implied.0).to_owned();
    let kind = text("kind").unwrap_or(implied.1).to_owned();
    for (field, found) in [("apiVersion", &api_version), ("kind", &kind)] {
        if found.is_empty() {
            let problem = "missing field `".to_owned() + field + "`";
            return Err(Error::Field {
                place: Box::new(place),
                field: InvalidField::decoding(String::new(), problem),
            });
        }
    }
    if let Some(item_kind) = kind.strip_suffix("List")
        && let Some(items) = value.get("items").and_then(Value::as_array)
    {
        let implied = if item_kind.is_empty() {
            ("", "")
        } else {
            (api_version.as_str(), item_kind)
        };
        for (index, item) in items.iter().enumerate() {
            let separator = if place.item.is_empty() { "" } else { "." };
            let place = Place {
                item: format!("{}{separator}items[{index}]", place.item),
                ..place.clone()
            };
            unpack(item.clone(), place, implied, objects)?;
        }
        return Ok(());
    }
    let mut object = Object {
        place: Place::default(),
        api_version,
        kind,
        value,
    };
    place.object = match object.name() {
        "" => object.kind.clone(),
        name => format!("{} {}/{name}", object.kind, object.namespace()),
    };
    object.place = place;
    objects.push(object);
    Ok(())
}

/// Most text that is read at once.
const MOST_BYTES: usize = 1 << 30;
