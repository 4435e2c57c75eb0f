//! The output format, checked before anything is read.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use hpa_objects::recording::read_at_most;
use kubectl_jsonpath::{CustomColumns, CustomColumnsError, Template, TemplateOptions};

use crate::cli::{ExplainFormat, TemplateArgs};

/// The output format, ready for use.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::commands) enum OutputFormat {
    /// A table with columns of the JSON.
    Columns(CustomColumns),
    /// An HTML page.
    Html,
    /// JSON.
    Json,
    /// A page in Markdown.
    Markdown,
    /// Names alone.
    Name,
    /// The result of a template over the JSON.
    Template(Template, TemplateOptions),
    /// Text for a terminal.
    Text,
    /// YAML.
    Yaml,
}

impl OutputFormat {
    /// The format that the arguments request. Reads and parses its template.
    pub(in crate::commands) fn of(
        output: &ExplainFormat,
        args: &TemplateArgs,
    ) -> anyhow::Result<Self> {
        let argument = args.template.as_deref();
        let options = TemplateOptions {
            is_missing_allowed: args.allow_missing_template_keys,
            is_json: matches!(output, ExplainFormat::JsonpathAsJson(_)),
        };
        let text = match output {
            ExplainFormat::Jsonpath(own) | ExplainFormat::JsonpathAsJson(own) => {
                one_of(own.as_deref(), argument)?.to_owned()
            }
            ExplainFormat::JsonpathFile(own) => {
                let own = own.as_deref().map(|path| path.to_string_lossy());
                template_of(&PathBuf::from(one_of(own.as_deref(), argument)?))?
            }
            _ if argument.is_some() => bail!(
                "--template needs -o jsonpath, jsonpath-as-json or jsonpath-file: Go templates are not supported"
            ),
            ExplainFormat::CustomColumns(columns) => {
                let columns = CustomColumns::parse(columns.as_deref().unwrap_or_default())?;
                return Ok(Self::Columns(columns));
            }
            ExplainFormat::CustomColumnsFile(path) => {
                let path = path.as_deref().ok_or(CustomColumnsError::None)?;
                return Ok(Self::Columns(CustomColumns::parse_file(&template_of(
                    path,
                )?)?));
            }
            ExplainFormat::Html => return Ok(Self::Html),
            ExplainFormat::Json => return Ok(Self::Json),
            ExplainFormat::Markdown => return Ok(Self::Markdown),
            ExplainFormat::Name => return Ok(Self::Name),
            ExplainFormat::Text | ExplainFormat::Wide => return Ok(Self::Text),
            ExplainFormat::Yaml => return Ok(Self::Yaml),
        };
        Ok(Self::Template(Template::parse(&text)?, options))
    }
}

/// The text of a file with a template.
fn template_of(path: &Path) -> anyhow::Result<String> {
    let bytes = File::open(path).and_then(|file| read_at_most(file, 1));
    bytes
        .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
        .with_context(|| format!("cannot read the template {}", path.display()))
}

/// The template, given after `-o jsonpath=` or in `--template`.
fn one_of<'a>(own: Option<&'a str>, argument: Option<&'a str>) -> anyhow::Result<&'a str> {
    match (own, argument) {
        (Some(_), Some(_)) => {
            bail!("the template is given twice: use only one of -o and --template")
        }
        (Some(template), None) | (None, Some(template)) => Ok(template),
        (None, None) => bail!(
            "template format specified but no template given, such as -o jsonpath='{{..name}}'"
        ),
    }
}
