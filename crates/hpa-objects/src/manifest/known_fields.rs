//! The fields that the spec of an HPA can have, and their types.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::recording::wire::HpaSpec;

/// The schema of one place in a spec.
#[derive(Clone, Copy, Debug)]
pub struct SchemaPlace {
    shape: &'static FieldShape,
}

/// The type of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A whole number.
    Integer,
    /// A list.
    List,
    /// Strings by name.
    Map,
    /// An object with fields.
    Object,
    /// A quantity.
    Quantity,
    /// A string.
    Text,
}

impl PlaceKind {
    /// Its name in error messages.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Integer => "a whole number",
            Self::List => "a list",
            Self::Map => "a map of texts",
            Self::Object => "an object",
            Self::Quantity => "a quantity such as 500m or 10",
            Self::Text => "a text",
        }
    }
}

impl SchemaPlace {
    /// The whole spec.
    pub fn spec() -> Self {
        // The schema of a spec in recordings: the decoded types are exactly what can be set.
        static SPEC: OnceLock<FieldShape> = OnceLock::new();
        let shape = SPEC.get_or_init(|| {
            let root = schemars::schema_for!(HpaSpec).to_value();
            FieldShape::of(&root, &root)
        });
        Self { shape }
    }

    /// A string, as in a map.
    pub fn text() -> Self {
        static TEXT: FieldShape = FieldShape {
            kind: PlaceKind::Text,
            fields: Vec::new(),
            required: Vec::new(),
            items: None,
        };
        Self { shape: &TEXT }
    }

    /// Its type.
    pub fn kind(self) -> PlaceKind {
        self.shape.kind
    }

    /// The field named `name`.
    pub fn field(self, name: &str) -> Option<Self> {
        let shape = self.shape.field(name)?;
        Some(Self { shape })
    }

    /// The names of its fields.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.shape.fields.iter().map(|(name, _)| name.as_str())
    }

    /// The fields that Go's types always have; absent ones get their zero value.
    pub fn required(self) -> impl Iterator<Item = &'static str> {
        self.shape.required.iter().map(String::as_str)
    }

    /// An entry of the list.
    pub fn items(self) -> Option<Self> {
        let shape = self.shape.items.as_deref()?;
        Some(Self { shape })
    }
}

/// The schema of one place, looked up once.
#[derive(Debug)]
struct FieldShape {
    kind: PlaceKind,
    fields: Vec<(String, FieldShape)>,
    required: Vec<String>,
    items: Option<Box<FieldShape>>,
}

impl FieldShape {
    fn of(schema: &Value, root: &Value) -> Self {
        let schema = resolved(schema, root);
        let fields = schema.get("properties").and_then(Value::as_object);
        let required = schema["required"].as_array().into_iter().flatten();
        Self {
            kind: kind(schema),
            fields: fields
                .into_iter()
                .flatten()
                .map(|(name, schema)| (name.clone(), Self::of(schema, root)))
                .collect(),
            required: required
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            items: schema
                .get("items")
                .map(|schema| Box::new(Self::of(schema, root))),
        }
    }

    fn field(&self, name: &str) -> Option<&Self> {
        let mut fields = self.fields.iter();
        fields.find(|(one, _)| one == name).map(|(_, shape)| shape)
    }
}

fn kind(schema: &Value) -> PlaceKind {
    if schema.get("properties").is_some() {
        return PlaceKind::Object;
    }
    let types = &schema["type"];
    let is = |name: &str| match types {
        Value::Array(types) => types.iter().any(|one| one == name),
        one => one == name,
    };
    match () {
        () if is("array") => PlaceKind::List,
        () if is("object") => PlaceKind::Map,
        () if is("integer") => PlaceKind::Integer,
        () if is("number") => PlaceKind::Quantity,
        () => PlaceKind::Text,
    }
}

/// Follows a reference and ignores that the value may be null.
fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    if let Some(alternatives) = schema.get("anyOf").and_then(Value::as_array) {
        let mut alternatives = alternatives.iter();
        let real = alternatives.find(|one| one["type"] != "null");
        return real.map_or(schema, |schema| resolved(schema, root));
    }
    let reference = schema.get("$ref").and_then(Value::as_str);
    let pointer = reference.and_then(|reference| reference.strip_prefix('#'));
    match pointer.and_then(|pointer| root.pointer(pointer)) {
        Some(schema) => resolved(schema, root),
        None => schema,
    }
}

/// The paths of all fields named `name` below `spec`.
pub fn paths_of(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    search(SchemaPlace::spec(), "spec", name, &mut found);
    found
}

fn search(place: SchemaPlace, path: &str, name: &str, found: &mut Vec<String>) {
    if let Some(items) = place.items() {
        search(items, &format!("{path}[…]"), name, found);
    }
    for field in place.names() {
        let path = format!("{path}.{field}");
        if field.eq_ignore_ascii_case(name) {
            found.push(path.clone());
        }
        if let Some(place) = place.field(field) {
            search(place, &path, name, found);
        }
    }
}

/// Removes nulls, and sets absent fields that Go's types always have to their zero value. The API server cannot see
/// that they were absent.
pub fn complete(value: &mut Value, place: SchemaPlace) {
    match value {
        Value::Array(entries) => {
            if let Some(items) = place.items() {
                for entry in entries {
                    complete(entry, items);
                }
            }
        }
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            for name in place.required() {
                if let Some(place) = place.field(name) {
                    fields
                        .entry(name)
                        .or_insert_with(|| zero_value(place.kind()));
                }
            }
            for (name, value) in fields {
                if let Some(place) = place.field(name) {
                    complete(value, place);
                }
            }
        }
        _ => {}
    }
}

/// Go's zero value for a field of this type.
pub fn zero_value(kind: PlaceKind) -> Value {
    match kind {
        PlaceKind::Integer => 0.into(),
        PlaceKind::List => Value::Array(Vec::new()),
        PlaceKind::Map | PlaceKind::Object => Value::Object(Map::new()),
        PlaceKind::Quantity | PlaceKind::Text => Value::String(String::new()),
    }
}
