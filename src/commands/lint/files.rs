//! Files and directories of manifests.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use crate::lint::Input;

/// Reads files, and the YAML and JSON files of directories, in the order of their names.
pub(super) fn read(
    paths: &[PathBuf],
    is_recursive: bool,
    is_linted: bool,
    input: &mut Input,
) -> anyhow::Result<()> {
    for path in paths {
        if path.as_os_str() == "-" {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .context("<stdin>")?;
            input.add_text("<stdin>", &text, is_linted);
        } else if path.is_dir() {
            directory(path, is_recursive, is_linted, input)?;
        } else {
            file(path, is_linted, input)?;
        }
    }
    Ok(())
}

fn directory(
    path: &Path,
    is_recursive: bool,
    is_linted: bool,
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
                directory(&path, is_recursive, is_linted, input)?;
            }
        } else if path
            .extension()
            .is_some_and(|extension| ["yaml", "yml", "json"].iter().any(|one| extension == *one))
        {
            file(&path, is_linted, input)?;
        }
    }
    Ok(())
}

fn file(path: &Path, is_linted: bool, input: &mut Input) -> anyhow::Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    input.add_text(&path.display().to_string(), &text, is_linted);
    Ok(())
}
