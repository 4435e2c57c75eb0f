//! Converts the input of a tool to the arguments of its command, which clap validates with the command's own messages.

use std::iter;

use anyhow::{anyhow, bail};
use clap::{Args, Command};
use hpa_words::sanitize::{is_unsafe, one_line};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{portion::Portion, reach::MANIFESTS};

/// Parses the input of a tool. A text has one line and no hidden characters, because errors quote it; manifests may have
/// several.
pub(super) fn parse<T: DeserializeOwned>(input: Map<String, Value>) -> anyhow::Result<T> {
    let wrong = input
        .iter()
        .find(|(name, value)| *name != MANIFESTS && has_unsafe_text(value));
    if let Some((name, _)) = wrong {
        let name = one_line(name);
        bail!("{name} has a line break or a hidden character: write it on one line without them");
    }
    serde_json::from_value(Value::Object(input)).map_err(|error| {
        // It names fields as the agent wrote them.
        anyhow!("invalid input: {}", one_line(&error.to_string()))
    })
}

fn has_unsafe_text(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(is_unsafe),
        Value::Array(values) => values.iter().any(has_unsafe_text),
        _ => false,
    }
}

/// The flags `--NAME=VALUE` of an input.
#[derive(Default)]
pub(super) struct Flags(Vec<String>);

impl Flags {
    /// Adds a flag for each value.
    pub(super) fn add<'a>(
        mut self,
        name: &str,
        values: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        let values = values.into_iter().filter(|value| !value.is_empty());
        self.0
            .extend(values.map(|value| format!("--{name}={value}")));
        self
    }

    /// The arguments of a command with these flags. A value is joined to its flag by an equals sign, so none can be a flag.
    pub(super) fn arguments<T: Args>(self) -> anyhow::Result<T> {
        let words = iter::once("kubectl-hpa".to_owned()).chain(self.0);
        let matches = T::augment_args(Command::new("kubectl-hpa")).try_get_matches_from(words);
        matches
            .and_then(|matches| T::from_arg_matches(&matches))
            .map_err(|error| {
                // Without the usage, which describes the command line.
                let text = error.render().to_string();
                let message = text.split("\n\n").next().unwrap_or_default();
                anyhow!("{}", message.trim_start_matches("error: ").trim_end())
            })
    }
}

/// The JSON schema of an input with that of its portion, without parts that only matter in Rust.
pub(super) fn schema<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = alone::<T>();
    let Value::Object(portion) = alone::<Portion>()["properties"].take() else {
        return schema;
    };
    let properties = schema
        .entry("properties")
        .or_insert_with(|| Map::new().into());
    if let Some(properties) = properties.as_object_mut() {
        properties.extend(portion);
    }
    schema
}

/// The same, without what every tool takes.
fn alone<T: JsonSchema>() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    schema.remove("title");
    schema.remove("description");
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        let Some(property) = property.as_object_mut() else {
            continue;
        };
        // An optional property need not be null.
        property.remove("default");
        property.remove("format");
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|one| one != "null");
            if let [only] = &types[..] {
                let only = only.clone();
                property.insert("type".to_owned(), only);
            }
        }
    }
    schema
}
