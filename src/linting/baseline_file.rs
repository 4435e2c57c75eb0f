//! `--baseline`.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use hpa_lint::{Baseline, LintInput, LintSettings, Report};
use hpa_words::sanitize::file_name;

use super::{config_file::ConfigFile, files};
use crate::cli::LintArgs;

/// At most this many findings that no longer occur are named.
const MOST_NAMED: usize = 5;

/// Reads the baseline named by flag or configuration.
pub(crate) fn read(
    args: &LintArgs,
    config: Option<&ConfigFile>,
) -> anyhow::Result<Option<(PathBuf, Baseline)>> {
    if args.changes.write_baseline.is_some() {
        return Ok(None);
    }
    let configured = config.and_then(|file| {
        let path = file.config.baseline.as_ref()?;
        Some(file.folder.join(path))
    });
    let Some(path) = args.changes.baseline.clone().or(configured) else {
        return Ok(None);
    };
    let name = file_name(&path);
    let text = files::text(&path, args.changes.baseline.is_some())
        .with_context(|| format!("cannot read the baseline {name}; --write-baseline writes one"))?;
    let baseline = Baseline::parse(&text).map_err(|problem| anyhow!("{name}: {problem}"))?;
    Ok(Some((path, baseline)))
}

/// Suppresses the findings in the baseline. Returns a message about entries that no longer occur.
pub(crate) fn apply(
    (path, baseline): &(PathBuf, Baseline),
    input: &LintInput,
    settings: &LintSettings,
    report: &mut Report,
) -> Option<String> {
    let resolved = baseline.apply(input, settings, report);
    if resolved.is_empty() {
        return None;
    }
    let mut named = resolved[..resolved.len().min(MOST_NAMED)].join(", ");
    if MOST_NAMED < resolved.len() {
        named.push_str(&format!(" and {} more", resolved.len() - MOST_NAMED));
    }
    Some(format!(
        "{}: {} no longer found: {named}; write it again with --write-baseline",
        path.display(),
        resolved.len()
    ))
}
