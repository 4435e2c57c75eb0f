//! Findings in the format that is asked for.

use crate::{
    cli::LintFormat,
    render::lint::{self, View},
};

/// Writes the findings.
pub(super) fn write(format: LintFormat, view: &View<'_>) -> anyhow::Result<String> {
    Ok(match format {
        LintFormat::Text => lint::text(view),
        LintFormat::Concise => lint::concise(view),
        LintFormat::Json => serde_json::to_string_pretty(&lint::json(view))? + "\n",
        LintFormat::Sarif => serde_json::to_string_pretty(&lint::sarif(view))? + "\n",
        LintFormat::Github => lint::github(view),
        LintFormat::Gitlab => serde_json::to_string_pretty(&lint::gitlab(view))? + "\n",
        LintFormat::Junit => lint::junit(view),
        LintFormat::Checkstyle => lint::checkstyle(view),
    })
}
