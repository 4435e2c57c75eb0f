//! Text to objects: YAML as kubectl reads it, or JSON; several documents, and lists within them.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor},
};
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

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

/// How many objects of each kind there are.
#[derive(Default)]
pub(super) struct Kinds(BTreeMap<String, usize>);

/// A document, or an item of a list. It has no fields if it is no mapping.
#[derive(Default)]
struct Document {
    /// All fields but `items` of a list.
    fields: Map<String, Value>,
    /// Those as compact JSON: a tree of each takes ten times as much memory.
    items: Option<Vec<Box<RawValue>>>,
}

/// Hands over the objects of a file in their order; lists are taken apart. Only one object at a time is in memory.
///
/// The error is the first one of the text; if that has none, the first one of `take`.
pub(super) fn for_each(
    text: &[u8],
    file: &str,
    mut take: impl FnMut(Object) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut number = 0;
    let mut take = |document: Document| {
        number += 1;
        let place = Place {
            file: file.to_owned(),
            document: number,
            ..Place::default()
        };
        unpack(document, place, ("", ""), &mut take)
    };
    if is_json(text, file)? {
        let documents = serde_json::Deserializer::from_slice(text).into_iter();
        for document in documents.map_while(Result::ok) {
            take(document)?;
        }
        return Ok(());
    }
    yaml(text, file, take)
}

/// Reads one value in JSON or YAML, such as a number, a text or a list. The error says what the parser says.
pub fn parse_value(text: &str) -> Result<Value, String> {
    let mut values = Vec::new();
    let keep = |value: Value| {
        values.push(value);
        Ok(())
    };
    yaml(text.as_bytes(), "", keep)
        .map_err(|error| error.to_string().trim_start_matches([',', ' ']).to_owned())?;
    match (values.pop(), values.is_empty()) {
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

/// Whether text is JSON throughout: one object after another.
fn is_json(text: &[u8], file: &str) -> Result<bool, Error> {
    if !text.trim_ascii_start().starts_with(b"{") {
        return Ok(false);
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
    let mut documents = serde_json::Deserializer::from_slice(text).into_iter::<Document>();
    Ok(documents.all(|document| document.is_ok()))
}

/// Reads YAML with the rules that kubectl has: YAML 1.1 octal numbers, merge keys, the last of equal keys.
fn yaml<T: DeserializeOwned>(
    mut text: &[u8],
    file: &str,
    mut take: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
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
    let mut refused = Ok(());
    let documents = serde_saphyr::read_with_options::<_, T>(&mut text, options);
    for (index, document) in documents.enumerate() {
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
                    document: index + 1,
                    problem: shortened(problem),
                },
            }
        })?;
        // A file that is no YAML at all may begin as if it were some.
        if refused.is_ok() {
            refused = take(document);
        }
    }
    refused
}

/// The parser says the position in its own words after the message.
fn without_position(problem: &str) -> String {
    let end = problem.find(" at line ").unwrap_or(problem.len());
    shortened(problem[..end].to_owned())
}

/// Hands over the object, or what is in it if it is a list. Items of a typed list may leave out what the list implies.
fn unpack(
    document: Document,
    mut place: Place,
    implied: (&str, &str),
    take: &mut impl FnMut(Object) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = |field: &str| document.fields.get(field).and_then(Value::as_str);
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
        && let Some(items) = document.items
    {
        let implied = if item_kind.is_empty() {
            ("", "")
        } else {
            (api_version.as_str(), item_kind)
        };
        for (index, item) in items.into_iter().enumerate() {
            let separator = if place.item.is_empty() { "" } else { "." };
            let place = Place {
                item: format!("{}{separator}items[{index}]", place.item),
                ..place.clone()
            };
            let item = serde_json::from_str(item.get()).map_err(|error| Error::Field {
                place: Box::new(place.clone()),
                field: InvalidField::here(error),
            })?;
            unpack(item, place, implied, take)?;
        }
        return Ok(());
    }
    let mut object = Object {
        place: Place::default(),
        api_version,
        kind,
        value: Value::Object(document.fields),
    };
    place.object = match object.name() {
        "" => object.kind.clone(),
        name => format!("{} {}/{name}", object.kind, object.namespace()),
    };
    object.place = place;
    take(object)
}

impl Kinds {
    /// Counts an object.
    pub(super) fn count(&mut self, object: &Object) {
        *self.0.entry(object.kind.clone()).or_default() += 1;
    }

    /// The error that no HPA is among them.
    pub(super) fn no_hpa(self, file: &str) -> Error {
        Error::NoHpa {
            file: file.to_owned(),
            kinds: self.0.into_iter().collect(),
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads a document, and the value of its field `items` as if it were one.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Document;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let mut document = Document::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == "items" {
                document.items = map.next_value::<Document>()?.items;
            } else {
                document.fields.insert(key, map.next_value()?);
            }
        }
        Ok(document)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Document, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element::<Value>()? {
            items.push(to_raw_value(&item).map_err(A::Error::custom)?);
        }
        Ok(Document {
            items: Some(items),
            ..Document::default()
        })
    }

    fn visit_unit<E>(self) -> Result<Document, E> {
        Ok(Document::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Document, E> {
        Ok(Document::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Document, E> {
        Ok(Document::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Document, E> {
        Ok(Document::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Document, E> {
        Ok(Document::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Document, E> {
        Ok(Document::default())
    }
}

/// Most text that is read at once.
const MOST_BYTES: usize = 1 << 30;
