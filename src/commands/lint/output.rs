//! Writes findings in the requested format.

use std::{io, path::Path};

use anyhow::Context as _;
use hpa_lint::{Baseline, Report};
use hpa_objects::{
    output_file::{FileAccess, write_file},
    recording::visible,
};
use hpa_render::lint::{self, LintView};
use hpa_words::sanitize::{file_name, without_brackets, without_commands};

use crate::cli::LintFormat;

/// Writes a file with the output of `write`, completely or not at all. An existing file keeps its permissions.
pub(super) fn to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    write_file(path, FileAccess::Kept, write)
        .with_context(|| format!("cannot write {}", file_name(path)))
}

/// Writes all findings of the report to a file. Returns a message about it.
pub(super) fn write_baseline(path: &Path, report: &Report) -> anyhow::Result<String> {
    let baseline = Baseline::of(report);
    let text = baseline.to_text();
    to_file(path, |file| file.write_all(text.as_bytes()))?;
    Ok(format!(
        "{} findings are accepted in {}",
        baseline.len(),
        file_name(path)
    ))
}

/// Writes the findings; `for_workflow`: to the log of a CI job.
pub(super) fn write(
    format: LintFormat,
    view: &LintView<'_>,
    for_workflow: bool,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut write = |text: String| {
        let text = if for_workflow {
            in_workflow(format, text)
        } else {
            text
        };
        out.write_all(text.as_bytes())
    };
    match format {
        LintFormat::Text => lint::text(view, &mut write),
        LintFormat::Concise => lint::concise(view).try_for_each(|line| write(line + "\n")),
        LintFormat::Json => Ok(visible::write_json_pretty(out, &lint::json(view))?),
        LintFormat::Sarif => Ok(visible::write_json_pretty(out, &lint::sarif(view))?),
        LintFormat::Gitlab => Ok(visible::write_json_pretty(out, &lint::gitlab(view))?),
        LintFormat::Github => lint::github(view).try_for_each(write),
        LintFormat::Junit => lint::junit(view, &mut write),
        LintFormat::Checkstyle => lint::checkstyle(view, &mut write),
    }
}

/// The findings without anything that a GitHub or Azure runner would interpret as a command, except our own
/// annotations. Their meaning for programs does not change.
fn in_workflow(format: LintFormat, text: String) -> String {
    match format {
        LintFormat::Text | LintFormat::Concise => without_commands(&text).into_owned(),
        LintFormat::Junit | LintFormat::Checkstyle => text
            .replace("##[", "##&#91;")
            .replace("##vso[", "##vso&#91;"),
        LintFormat::Github => without_brackets(text),
        LintFormat::Json | LintFormat::Sarif | LintFormat::Gitlab => text,
    }
}
