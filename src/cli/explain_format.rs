//! Output formats of `kubectl hpa explain` and `kubectl hpa list`.

use std::{ffi::OsStr, path::PathBuf};

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, TypedValueParser},
    error::{ContextKind, ContextValue, ErrorKind},
};

/// Output formats of `kubectl hpa explain`; `kubectl hpa list` has some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainFormat {
    /// A table with these columns.
    CustomColumns(Option<String>),
    /// The same with the columns in a file.
    CustomColumnsFile(Option<PathBuf>),
    /// One self-contained file for a browser.
    Html,
    /// For programs; the schema is docs/schema/explain.json.
    Json,
    /// The result of a template in kubectl's dialect; none: it is given by `--template`.
    Jsonpath(Option<String>),
    /// The same, as JSON lists.
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

/// A format given by its name alone, with its help.
type NamedFormat = (&'static str, &'static str, ExplainFormat);

/// The formats of `explain`, in display order.
const EXPLAIN: [NamedFormat; 7] = [
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

/// The formats of `list`.
const LIST: [NamedFormat; 5] = [
    (
        "text",
        "For people: a line for each HPA",
        ExplainFormat::Text,
    ),
    (
        "wide",
        "The same with target, rule, pods, selector, findings and the reason",
        ExplainFormat::Wide,
    ),
    (
        "json",
        "For programs; the schema is docs/schema/list.json",
        ExplainFormat::Json,
    ),
    ("yaml", "For programs", ExplainFormat::Yaml),
    ("name", "The names alone", ExplainFormat::Name),
];

/// Parses the value of `--output`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormatParser {
    named: &'static [NamedFormat],
    /// An example of a template, for messages.
    example: &'static str,
}

impl FormatParser {
    /// The parser for `explain`.
    pub(super) const EXPLAIN: Self = Self {
        named: &EXPLAIN,
        example: "{.verdict.headline}",
    };

    /// The parser for `list`.
    pub(super) const LIST: Self = Self {
        named: &LIST,
        example: "{.items[*].name}",
    };

    /// All forms, for messages.
    fn all(self) -> Vec<String> {
        let templates = [
            "custom-columns=HEADER:PATH,…",
            "custom-columns-file=FILE",
            "jsonpath=TEMPLATE",
            "jsonpath-as-json=TEMPLATE",
            "jsonpath-file=FILE",
        ];
        let names = self.named.iter().map(|(name, ..)| *name);
        names.chain(templates).map(str::to_owned).collect()
    }

    fn unknown(self, command: &Command, arg: Option<&Arg>, value: &str) -> Error {
        let mut error = Error::new(ErrorKind::InvalidValue).with_cmd(command);
        let arg = arg.map_or_else(|| "--output".to_owned(), ToString::to_string);
        error.insert(ContextKind::InvalidArg, ContextValue::String(arg));
        error.insert(
            ContextKind::InvalidValue,
            ContextValue::String(value.to_owned()),
        );
        error.insert(ContextKind::ValidValue, ContextValue::Strings(self.all()));
        error
    }
}

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
        let named = self.named.iter().find(|(named, ..)| *named == text);
        if let Some((_, _, format)) = named {
            return Ok(format.clone());
        }
        match name {
            "custom-columns" => Ok(ExplainFormat::CustomColumns(template)),
            "custom-columns-file" => Ok(ExplainFormat::CustomColumnsFile(
                template.map(PathBuf::from),
            )),
            "jsonpath" => Ok(ExplainFormat::Jsonpath(template)),
            "jsonpath-as-json" => Ok(ExplainFormat::JsonpathAsJson(template)),
            "jsonpath-file" => Ok(ExplainFormat::JsonpathFile(template.map(PathBuf::from))),
            "go-template" | "go-template-file" | "template" | "templatefile" => {
                Err(command.clone().error(
                    ErrorKind::InvalidValue,
                    format!(
                        "-o {name}: Go templates are not supported; -o jsonpath='{}' does that job. \
                         Formats: {}",
                        self.example,
                        self.all().join(", ")
                    ),
                ))
            }
            _ => Err(self.unknown(command, arg, &text)),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = self.named.iter();
        Some(Box::new(values.map(|(name, help, _)| {
            PossibleValue::new(*name).help(*help)
        })))
    }
}
