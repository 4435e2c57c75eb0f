//! The destinations of the findings: `-o FORMAT`, `-o FORMAT=FILE` and `--output-file`.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::bail;
use hpa_words::sanitize::one_line;

use crate::{
    cli::{LintArgs, LintDestination, LintFormat},
    commands::named_file,
};

/// The destinations of the findings.
#[derive(Debug, Default)]
pub(super) struct Destinations {
    /// The format on standard output; none: it is empty.
    pub(super) stdout: Option<LintFormat>,
    /// Files, and their formats.
    pub(super) files: Vec<(PathBuf, LintFormat)>,
}

/// The destinations in the flags. Fails if two of them write to one place, or a named file would get nothing.
pub(super) fn of(args: &LintArgs) -> anyhow::Result<Destinations> {
    if let Some(path) = &args.changes.write_baseline {
        named_file::ensure_not_read("--write-baseline", path, &args.files.paths)?;
    }
    let given = whole(args)?;
    let mut destinations = Destinations::default();
    let mut to_stdout: Option<&LintDestination> = None;
    let mut to_files: BTreeMap<PathBuf, &LintDestination> = BTreeMap::new();
    for destination in &given {
        let Some(path) = &destination.file else {
            if let Some(first) = to_stdout.replace(destination) {
                bail!(
                    "{first} and {destination} both write to standard output: write one of them to a file, such as \
                     {destination}=FILE"
                );
            }
            destinations.stdout = Some(destination.format);
            continue;
        };
        if let Some(first) = to_files.insert(named_file::place(path), destination) {
            bail!(
                "{} and {} write to the same file: name another one",
                one_line(&first.to_string()),
                one_line(&destination.to_string())
            );
        }
        let flag = one_line(&destination.to_string()).into_owned();
        named_file::ensure_not_read(&flag, path, &args.files.paths)?;
        destinations.files.push((path.clone(), destination.format));
    }
    if let Some(destination) = given.iter().find(|one| one.file.is_some()) {
        let other = if args.changes.diff {
            "--diff prints what --fix would change"
        } else if args.changes.write_baseline.is_some() {
            "--write-baseline writes the findings to the baseline"
        } else {
            return Ok(destinations);
        };
        bail!(
            "{other}, and no report: leave out {}",
            one_line(&destination.to_string())
        );
    }
    Ok(destinations)
}

impl Destinations {
    /// Whether a format for people can show what could not be checked.
    pub(super) fn have_notes(&self) -> bool {
        match self.stdout {
            Some(format) => format.has_notes(),
            None => self.files.iter().any(|(_, format)| format.has_notes()),
        }
    }
}

/// The values of `--output`, with `--output-file` as the file of the only one.
fn whole(args: &LintArgs) -> anyhow::Result<Vec<LintDestination>> {
    let mut given = args.report.outputs.clone();
    if let Some(file) = &args.report.output_file {
        match &mut given[..] {
            [only] if only.file.is_none() => only.file = Some(file.clone()),
            _ => bail!(
                "--output-file is the file of one format: use -o FORMAT=FILE for each of several"
            ),
        }
    }
    Ok(given)
}
