//! Output formats of `kubectl hpa explain`.

use std::{ffi::OsStr, path::PathBuf};

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, TypedValueParser},
    error::{ContextKind, ContextValue, ErrorKind},
};

/// Output formats of `kubectl hpa explain`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainFormat {
    /// One self-contained file for a browser.
    Html,
    /// For programs; the schema is docs/schema/explain.json.
    Json,
    /// What a template in kubectl's dialect makes of the JSON; none: it is given by `--template`.
    Jsonpath(Option<String>),
    /// The same, as lists of JSON.
    JsonpathAsJson(Option<String>),
    /// The same with the template in a file; none: it is given by `--template`.
    JsonpathFile(Option<PathBuf>),
    /// For an issue or a post-mortem.
    Markdown,
    /// `horizontalpodautoscaler.autoscaling/NAME`.
    Name,
    /// For people.
    Text,
    /// For people, with every step and its formula.
    Wide,
    /// For programs.
    Yaml,
}

/// The formats that are only a name, in the order in which they are listed, with their help.
const NAMED: [(&str, &str, ExplainFormat); 7] = [
    ("text", "For people", ExplainFormat::Text),
    (
        "wide",
        "For people, with every step and its formula",
        ExplainFormat::Wide,
    ),
    (
        "markdown",
        "For an issue or a post-mortem",
        ExplainFormat::Markdown,
    ),
    (
        "html",
        "One self-contained file for a browser, with pictures",
        ExplainFormat::Html,
    ),
    (
        "json",
        "For programs; the schema is docs/schema/explain.json",
        ExplainFormat::Json,
    ),
    ("yaml", "For programs", ExplainFormat::Yaml),
    ("name", "The names alone", ExplainFormat::Name),
];

/// Reads the value of `--output`.
#[derive(Clone, Debug)]
pub(super) struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = ExplainFormat;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<ExplainFormat, Error> {
        let text = value.to_string_lossy();
        let (name, template) = match text.split_once('=') {
            Some((name, template)) => (name, Some(template.to_owned())),
            None => (text.as_ref(), None),
        };
        let template = template.filter(|template| !template.is_empty());
        let named = NAMED.into_iter().find(|(named, ..)| *named == text);
        if let Some((_, _, format)) = named {
            return Ok(format);
        }
        match name {
            "jsonpath" => Ok(ExplainFormat::Jsonpath(template)),
            "jsonpath-as-json" => Ok(ExplainFormat::JsonpathAsJson(template)),
            "jsonpath-file" => Ok(ExplainFormat::JsonpathFile(template.map(PathBuf::from))),
            "go-template" | "go-template-file" | "template" | "templatefile" => {
                Err(command.clone().error(
                    ErrorKind::InvalidValue,
                    format!(
                        "-o {name}: Go templates are not supported; -o jsonpath='{{.verdict.headline}}' does that \
                         job. Formats: {}",
                        all().join(", ")
                    ),
                ))
            }
            _ => Err(unknown(command, arg, &text)),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = NAMED.map(|(name, help, _)| PossibleValue::new(name).help(help));
        Some(Box::new(values.into_iter()))
    }
}

/// All forms, for messages.
fn all() -> Vec<String> {
    let templates = [
        "jsonpath=TEMPLATE",
        "jsonpath-as-json=TEMPLATE",
        "jsonpath-file=FILE",
    ];
    let names = NAMED.iter().map(|(name, ..)| *name);
    names.chain(templates).map(str::to_owned).collect()
}

fn unknown(command: &Command, arg: Option<&Arg>, value: &str) -> Error {
    let mut error = Error::new(ErrorKind::InvalidValue).with_cmd(command);
    let arg = arg.map_or_else(|| "--output".to_owned(), ToString::to_string);
    error.insert(ContextKind::InvalidArg, ContextValue::String(arg));
    error.insert(
        ContextKind::InvalidValue,
        ContextValue::String(value.to_owned()),
    );
    error.insert(ContextKind::ValidValue, ContextValue::Strings(all()));
    error
}
