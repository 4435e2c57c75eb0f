//! Files and directories of manifests.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use jiff::Timestamp;

use crate::{cli::LintArgs, lint::Input};

/// What files are read for.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// To be linted.
    Linted,
    /// As what a cluster answered, by this moment if they don't say when.
    Observed(Timestamp),
    /// Because others refer to them.
    Related,
}

impl Use {
    /// What the files that are given with -f are for.
    pub(super) fn of(args: &LintArgs) -> Self {
        if args.files.observed {
            Self::Observed(Timestamp::now())
        } else {
            Self::Linted
        }
    }

    fn take(self, name: &str, text: &str, input: &mut Input) -> anyhow::Result<()> {
        match self {
            Self::Linted => input.add_text(name, text, true),
            Self::Observed(now) => input.add_observed(name, text, now)?,
            Self::Related => input.add_text(name, text, false),
        }
        Ok(())
    }
}

/// Reads files, and the YAML and JSON files of directories, in the order of their names.
pub(super) fn read(
    paths: &[PathBuf],
    is_recursive: bool,
    what_for: Use,
    input: &mut Input,
) -> anyhow::Result<()> {
    for path in paths {
        if path.as_os_str() == "-" {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .context("<stdin>")?;
            what_for.take("<stdin>", &text, input)?;
        } else if path.is_dir() {
            directory(path, is_recursive, what_for, input)?;
        } else {
            file(path, what_for, input)?;
        }
    }
    Ok(())
}

fn directory(
    path: &Path,
    is_recursive: bool,
    what_for: Use,
    input: &mut Input,
) -> anyhow::Result<()> {
    let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .with_context(|| path.display().to_string())?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if is_recursive {
                directory(&path, is_recursive, what_for, input)?;
            }
        } else if path
            .extension()
            .is_some_and(|extension| ["yaml", "yml", "json"].iter().any(|one| extension == *one))
        {
            file(&path, what_for, input)?;
        }
    }
    Ok(())
}

fn file(path: &Path, what_for: Use, input: &mut Input) -> anyhow::Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    what_for.take(&path.display().to_string(), &text, input)
}
