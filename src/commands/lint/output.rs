//! Findings in the format that is asked for.

use crate::{
    cli::LintFormat,
    recording::visible,
    render::lint::{self, View},
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
