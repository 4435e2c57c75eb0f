//! The fields that the spec of an HPA can have, and what each holds.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::recording::wire::HpaSpec;

/// What the schema says about one place of a spec.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    schema: &'static Value,
}

/// What a place holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A whole number.
    Integer,
    /// A list.
    List,
    /// Texts by name.
    Map,
    /// Fields.
    Object,
    /// A quantity.
    Quantity,
    /// A text.
    Text,
}

impl Kind {
    /// What it is called in an error.
    pub(crate) fn wanted(self) -> &'static str {
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

impl Place {
    /// The spec as a whole.
    pub(crate) fn spec() -> Self {
        Self { schema: root() }.resolved()
    }

    /// A text, as a map has them.
    pub(crate) fn text() -> Self {
        static TEXT: OnceLock<Value> = OnceLock::new();
        let schema = TEXT.get_or_init(|| json!({"type": "string"}));
        Self { schema }
    }

    /// What it holds.
    pub(crate) fn kind(self) -> Kind {
        if self.fields().is_some() {
            return Kind::Object;
        }
        let types = &self.schema["type"];
        let is = |name: &str| match types {
            Value::Array(types) => types.iter().any(|one| one == name),
            one => one == name,
        };
        match () {
            () if is("array") => Kind::List,
            () if is("object") => Kind::Map,
            () if is("integer") => Kind::Integer,
            () if is("number") => Kind::Quantity,
            () => Kind::Text,
        }
    }

    /// The field called `name`.
    pub(crate) fn field(self, name: &str) -> Option<Self> {
        let schema = self.fields()?.get(name)?;
        Some(Self { schema }.resolved())
    }

    /// The names of its fields.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        let fields = self.fields().into_iter().flatten();
        fields.map(|(name, _)| name.as_str())
    }

    /// The fields that Go's types always have, absent ones with their zero value.
    pub(crate) fn required(self) -> impl Iterator<Item = &'static str> {
        let names = self.schema["required"].as_array();
        names.into_iter().flatten().filter_map(Value::as_str)
    }

    /// An entry of the list.
    pub(crate) fn items(self) -> Option<Self> {
        let schema = self.schema.get("items")?;
        Some(Self { schema }.resolved())
    }

    fn fields(self) -> Option<&'static Map<String, Value>> {
        self.schema.get("properties")?.as_object()
    }

    /// Follows a reference, and leaves out that it may be null.
    fn resolved(self) -> Self {
        let schema = self.schema;
        if let Some(alternatives) = schema.get("anyOf").and_then(Value::as_array) {
            let is_null = |one: &&Value| one["type"] == "null";
            let real = alternatives.iter().find(|one| !is_null(one));
            return real.map_or(self, |schema| Self { schema }.resolved());
        }
        let reference = schema.get("$ref").and_then(Value::as_str);
        let pointer = reference.and_then(|reference| reference.strip_prefix('#'));
        match pointer.and_then(|pointer| root().pointer(pointer)) {
            Some(schema) => Self { schema }.resolved(),
            None => self,
        }
    }
}

/// Paths of all fields called `name`, below `spec`.
pub(crate) fn paths_of(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    search(Place::spec(), "spec", name, &mut found);
    found
}

fn search(place: Place, path: &str, name: &str, found: &mut Vec<String>) {
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

/// Leaves out nulls, and gives absent fields that Go's types always have their zero value: the API server never sees
/// that they were absent.
pub(crate) fn complete(value: &mut Value, place: Place) {
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

/// What Go has in a field of this kind that nobody wrote.
pub(crate) fn zero_value(kind: Kind) -> Value {
    match kind {
        Kind::Integer => 0.into(),
        Kind::List => Value::Array(Vec::new()),
        Kind::Map | Kind::Object => Value::Object(Map::new()),
        Kind::Quantity | Kind::Text => Value::String(String::new()),
    }
}

/// The schema that recordings have of a spec: the types that are decoded are those that can be set.
fn root() -> &'static Value {
    static ROOT: OnceLock<Value> = OnceLock::new();
    ROOT.get_or_init(|| schemars::schema_for!(HpaSpec).to_value())
}
