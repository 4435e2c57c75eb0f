//! Findings in the format that is asked for.

use crate::{
    cli::LintFormat,
    recording::visible,
    render::{
        lint::{self, View},
        sanitize::{without_brackets, without_commands},
    },
};

/// Writes the findings.
pub(super) fn write(format: LintFormat, view: &View<'_>) -> anyhow::Result<String> {
    Ok(match format {
        LintFormat::Text => lint::text(view),
        LintFormat::Concise => lint::concise(view),
        LintFormat::Json => visible::json_pretty(&lint::json(view))?,
        LintFormat::Sarif => visible::json_pretty(&lint::sarif(view))?,
        LintFormat::Github => lint::github(view),
        LintFormat::Gitlab => visible::json_pretty(&lint::gitlab(view))?,
        LintFormat::Junit => lint::junit(view),
        LintFormat::Checkstyle => lint::checkstyle(view),
    })
}

/// The findings without anything that a runner of GitHub or Azure would take for a command, our own annotations aside.
/// What programs read means the same as before.
pub(super) fn in_workflow(format: LintFormat, text: String) -> String {
    match format {
        LintFormat::Text | LintFormat::Concise => without_commands(&text).into_owned(),
        LintFormat::Junit | LintFormat::Checkstyle => text
            .replace("##[", "##&#91;")
            .replace("##vso[", "##vso&#91;"),
        LintFormat::Github => without_brackets(text),
        LintFormat::Json | LintFormat::Sarif | LintFormat::Gitlab => text,
    }
}
