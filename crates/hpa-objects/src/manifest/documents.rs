//! Parses a text to objects: YAML as kubectl reads it, or JSON; several documents, and lists in them.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value, value::RawValue};

use super::{ManifestError, ObjectPlace};
use crate::recording::{
    InvalidField, SizeBudget, decode, decoded_size, group_of, most_of_object, shortened,
};
use kubectl_hpa_yaml::{self as yaml, Comments, YamlNode};

/// One object of a file.
#[derive(Clone, Debug)]
pub(super) struct FileObject {
    /// Where it is in the file.
    pub(super) place: ObjectPlace,
    /// `apiVersion`.
    pub(super) api_version: String,
    /// `kind`.
    pub(super) kind: String,
    /// The whole object.
    pub(super) value: Value,
}

/// The number of objects of each kind.
#[derive(Default)]
pub(super) struct Kinds(BTreeMap<String, usize>);

/// A document, or an item of a list. A document that is not a mapping has no fields.
#[derive(Default)]
struct ManifestDocument<'t> {
    /// All fields but `items` of a list.
    fields: Map<String, Value>,
    /// The items, as JSON: trees would take ten times as much memory.
    items: Option<Vec<Cow<'t, RawValue>>>,
}

/// Calls `take` with each object of a file, in order. Lists are split into their items. Only one object at a time is in
/// memory.
///
/// Fails with the first syntax error of the text, or else with the first error of `take`.
pub(super) fn for_each(
    text: &[u8],
    file: &str,
    mut take: impl FnMut(FileObject) -> Result<(), ManifestError>,
) -> Result<(), ManifestError> {
    let mut take = |number: usize, document: ManifestDocument<'_>| {
        let place = ObjectPlace {
            file: file.to_owned(),
            document: number,
            ..ObjectPlace::default()
        };
        unpack(document, place, ("", ""), &mut take)
    };
    if is_json(text, file)? {
        let documents = serde_json::Deserializer::from_slice(text).into_iter();
        for (index, document) in documents.map_while(Result::ok).enumerate() {
            take(index + 1, document)?;
        }
        return Ok(());
    }
    yaml(text, file, |number, node| {
        let document = ManifestDocument::of(node).map_err(|problem| ManifestError::Document {
            file: file.to_owned(),
            document: number,
            problem,
        })?;
        take(number, document)
    })
}

/// Parses one value in JSON or YAML, such as a number, a string or a list. Fails with the parser's message.
pub fn parse_value(text: &str) -> Result<Value, String> {
    let mut values = Vec::new();
    let keep = |_, node: YamlNode| {
        values.push(node.to_json());
        Ok(())
    };
    yaml(text.as_bytes(), "", keep).map_err(|error| match error {
        ManifestError::Syntax {
            line,
            column,
            problem,
            ..
        } => format!("line {line}, column {column}: {problem}"),
        error => error.to_string(),
    })?;
    match (values.pop(), values.is_empty()) {
        (Some(value), true) => Ok(value),
        (None, _) => Err("the value is missing".to_owned()),
        (Some(_), false) => Err("expected one value, found several".to_owned()),
    }
}

impl FileObject {
    /// API group.
    pub(super) fn group(&self) -> &str {
        group_of(&self.api_version)
    }

    /// `metadata.namespace`, or kubectl's default.
    pub(super) fn namespace(&self) -> &str {
        self.text("/metadata/namespace").unwrap_or("default")
    }

    /// `metadata.name`.
    pub(super) fn name(&self) -> &str {
        self.text("/metadata/name").unwrap_or_default()
    }

    /// The string at a JSON pointer.
    pub(super) fn text(&self, pointer: &str) -> Option<&str> {
        self.value.pointer(pointer)?.as_str()
    }

    /// Decodes the object.
    pub(super) fn decode<T: DeserializeOwned>(&self) -> Result<T, ManifestError> {
        decode(&self.value).map_err(|field| self.error(field))
    }

    /// An error in a field of this object.
    pub(super) fn error(&self, field: InvalidField) -> ManifestError {
        ManifestError::Field {
            place: Box::new(self.place.clone()),
            field,
        }
    }
}

/// Whether the whole text is JSON: one object after another.
fn is_json(text: &[u8], file: &str) -> Result<bool, ManifestError> {
    if !text.trim_ascii_start().starts_with(b"{") {
        return Ok(false);
    }
    if let Err((offset, excess)) = SizeBudget::FILE.check(text) {
        let before = String::from_utf8_lossy(&text[..offset]);
        let problem = format!("{excess}, which is too much to read");
        return Err(syntax(&before, file, &problem));
    }
    let mut documents =
        serde_json::Deserializer::from_slice(text).into_iter::<ManifestDocument<'_>>();
    Ok(documents.all(|document| document.is_ok()))
}

/// Parses YAML as kubectl does, one document after another. A syntax error takes precedence over errors of `take`.
fn yaml(
    text: &[u8],
    file: &str,
    mut take: impl FnMut(usize, YamlNode) -> Result<(), ManifestError>,
) -> Result<(), ManifestError> {
    let decoded;
    let text = if let Ok(text) = std::str::from_utf8(text) {
        text
    } else {
        decoded = kubectl_hpa_yaml::decode(text.to_vec());
        if let Some(first) = decoded.replaced.first() {
            let before = &decoded.text[..*first as usize];
            return Err(syntax(before, file, "this is not UTF-8 text"));
        }
        &*decoded.text
    };
    let before = |at: u32| &text[..text.floor_char_boundary(at as usize)];
    let (mut broken, mut refused) = (Ok(()), Ok(()));
    kubectl_hpa_yaml::for_each(text, Comments::Left, |document| match document {
        Ok(document) if broken.is_ok() && refused.is_ok() => {
            refused = take(document.number as usize, document.root);
        }
        Err(error) if broken.is_ok() => {
            broken = Err(syntax(before(error.span.start), file, &error.problem));
        }
        Ok(_) | Err(_) => {}
    });
    // A file that is not YAML at all may still start like YAML.
    broken.and(refused)
}

/// A syntax error right after the text `before`.
fn syntax(before: &str, file: &str, problem: &str) -> ManifestError {
    let (_, line) = before.rsplit_once('\n').unwrap_or(("", before));
    ManifestError::Syntax {
        file: file.to_owned(),
        line: before.split('\n').count() as u64,
        column: line.chars().count() as u64 + 1,
        problem: shortened(problem.to_owned()),
    }
}

impl ManifestDocument<'_> {
    /// Builds a document from a tree. Of equal keys the last wins.
    fn of(node: YamlNode) -> Result<Self, String> {
        let mut document = Self::default();
        let yaml::YamlValue::Mapping(entries) = node.value else {
            return Ok(document);
        };
        for entry in entries {
            if &*entry.key != "items" {
                let value = json_of(entry.node)?;
                document.fields.insert(entry.key.into_string(), value);
            } else if let yaml::YamlValue::Sequence(items) = entry.node.value {
                // Frees the tree of each item as soon as it is text.
                let items = items.into_iter().map(raw_item);
                document.items = Some(items.collect::<Result<_, _>>()?);
            } else {
                document.items = None;
            }
        }
        Ok(document)
    }
}

/// The value as JSON, unless it is larger than any object.
fn json_of(node: YamlNode) -> Result<Value, String> {
    let length = node.span.end.saturating_sub(node.span.start) as usize;
    if most_of_object(length) < node.size_as_json() {
        return Err(TOO_LARGE.to_owned());
    }
    Ok(node.into_json())
}

/// An item as JSON, in exactly as much memory as it has bytes.
fn raw_item(item: YamlNode) -> Result<Cow<'static, RawValue>, String> {
    let text = json_of(item)?.to_string();
    let raw = RawValue::from_string(text.as_str().to_owned());
    raw.map(Cow::Owned).map_err(|error| error.to_string())
}

/// Decodes a value, unless it is larger than any object.
fn decoded<E: serde::de::Error>(raw: &RawValue) -> Result<Value, E> {
    let text = raw.get();
    if most_of_object(text.len()) < decoded_size(text.as_bytes()) {
        return Err(E::custom(TOO_LARGE));
    }
    serde_json::from_str(text).map_err(E::custom)
}

const TOO_LARGE: &str =
    "an object has too many values to be read; write a snapshot as one line, as `jq -c .` does";

/// Calls `take` with the object, or with the items if it is a list. Items of a typed list may omit what the list
/// implies.
fn unpack(
    document: ManifestDocument<'_>,
    mut place: ObjectPlace,
    implied: (&str, &str),
    take: &mut impl FnMut(FileObject) -> Result<(), ManifestError>,
) -> Result<(), ManifestError> {
    let text = |field: &str| document.fields.get(field).and_then(Value::as_str);
    let api_version = text("apiVersion").unwrap_or(implied.0).to_owned();
    let kind = text("kind").unwrap_or(implied.1).to_owned();
    for (field, found) in [("apiVersion", &api_version), ("kind", &kind)] {
        if found.is_empty() {
            return Err(ManifestError::Field {
                place: Box::new(place),
                field: InvalidField::here("missing field").in_field(field),
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
            let place = ObjectPlace {
                item: format!("{}{separator}items[{index}]", place.item),
                ..place.clone()
            };
            let item = serde_json::from_str(item.get()).map_err(|error| ManifestError::Field {
                place: Box::new(place.clone()),
                field: InvalidField::here(error),
            })?;
            unpack(item, place, implied, take)?;
        }
        return Ok(());
    }
    let mut object = FileObject {
        place: ObjectPlace::default(),
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
    pub(super) fn count(&mut self, object: &FileObject) {
        *self.0.entry(object.kind.clone()).or_default() += 1;
    }

    /// The error that the file contains no HPA.
    pub(super) fn no_hpa(self, file: &str) -> ManifestError {
        ManifestError::NoHpa {
            file: file.to_owned(),
            kinds: self.0.into_iter().collect(),
        }
    }
}

impl<'de> Deserialize<'de> for ManifestDocument<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DocumentReader)
    }
}

/// Deserializes a document, and the value of its field `items` as if it were one.
struct DocumentReader;

impl<'de> Visitor<'de> for DocumentReader {
    type Value = ManifestDocument<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ManifestDocument<'de>, A::Error> {
        let mut document = ManifestDocument::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == "items" {
                document.items = map.next_value::<ManifestDocument<'de>>()?.items;
            } else {
                let value = decoded(map.next_value::<&RawValue>()?)?;
                document.fields.insert(key, value);
            }
        }
        Ok(document)
    }

    fn visit_seq<A: SeqAccess<'de>>(
        self,
        mut sequence: A,
    ) -> Result<ManifestDocument<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element::<&RawValue>()? {
            // Whatever it is, it can be read.
            decoded::<A::Error>(item)?;
            items.push(Cow::Borrowed(item));
        }
        Ok(ManifestDocument {
            items: Some(items),
            ..ManifestDocument::default()
        })
    }

    fn visit_unit<E>(self) -> Result<ManifestDocument<'de>, E> {
        Ok(ManifestDocument::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<ManifestDocument<'de>, E> {
        Ok(ManifestDocument::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<ManifestDocument<'de>, E> {
        Ok(ManifestDocument::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<ManifestDocument<'de>, E> {
        Ok(ManifestDocument::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<ManifestDocument<'de>, E> {
        Ok(ManifestDocument::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<ManifestDocument<'de>, E> {
        Ok(ManifestDocument::default())
    }
}
