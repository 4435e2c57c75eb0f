//! From the input of a tool to the arguments of its command, which clap checks with the command's own messages.

use anyhow::{Context as _, anyhow};
use clap::Parser as _;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::cli::{Cli, Command};

/// Reads the input of a tool.
pub(super) fn parse<T: DeserializeOwned>(input: Map<String, Value>) -> anyhow::Result<T> {
    serde_json::from_value(Value::Object(input)).context("invalid input")
}

/// The command that these words are. A value is joined to its flag by an equals sign, so none can be a flag.
pub(super) fn command(name: &str, flags: &[String]) -> anyhow::Result<Command> {
    let words = ["kubectl-hpa", name];
    let words = words.into_iter().chain(flags.iter().map(String::as_str));
    let cli = Cli::try_parse_from(words).map_err(|error| {
        // Without the usage, which is about the command line.
        let text = error.render().to_string();
        let message = text.split("\n\n").next().unwrap_or_default();
        anyhow!("{}", message.trim_start_matches("error: ").trim_end())
    })?;
    Ok(cli.command)
}

/// The flags `--NAME=VALUE` of an input.
#[derive(Default)]
pub(super) struct Flags(Vec<String>);

impl Flags {
    /// Adds one for each value.
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

    /// The command with these flags.
    pub(super) fn of(self, command_name: &str) -> anyhow::Result<Command> {
        command(command_name, &self.0)
    }
}

/// The JSON schema of an input, without what only a reader of Rust needs.
pub(super) fn schema<T: JsonSchema>() -> Map<String, Value> {
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
        // What may be left out need not be null.
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
