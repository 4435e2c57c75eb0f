//! File names in the wrong place: as names of HPAs, or as the output of what reads them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::bail;
use hpa_words::{program::typed, sanitize::file_name, shell_path};

use crate::linting::recordings::is_recording;

/// Rejects names that are those of a manifest, a recording or a folder here: the user probably forgot `-f`. Without
/// `has_f` this command has none, and the error names one that reads it.
pub(super) fn refuse(names: &[String], has_f: bool) -> anyhow::Result<()> {
    const ENDS: [&str; 6] = [".gz", ".json", ".jsonl", ".yaml", ".yml", ".zst"];
    let is_selected = |name: &&String| {
        let path = Path::new(name);
        name.ends_with('/') && path.is_dir()
            || ENDS.iter().any(|end| name.ends_with(end)) && path.is_file()
    };
    let Some(name) = names.iter().find(is_selected) else {
        return Ok(());
    };
    let kind = if name.ends_with('/') {
        "directory"
    } else {
        "file"
    };
    let word = shell_path(name);
    let instead = match has_f {
        true => format!("-f {name}"),
        false if is_recording(Path::new(name)) => format!("`{} {word}`", typed("replay")),
        false => format!("`{} {word}`", typed("explain -f")),
    };
    bail!("{name} is a {kind}, not an HPA name: use {instead}")
}

/// Fails if a file to write, the value of `flag`, is one of the files that are read: it would be lost.
pub(super) fn ensure_not_read<'a>(
    flag: &str,
    output: &Path,
    read: impl IntoIterator<Item = &'a PathBuf>,
) -> anyhow::Result<()> {
    // A terminal may be both.
    if !fs::symlink_metadata(output).is_ok_and(|about| about.is_file() || about.is_symlink()) {
        return Ok(());
    }
    let written = place(output);
    let is_written = |path: &Path| {
        place(path) == written || dunce::canonicalize(path).is_ok_and(|real| real == written)
    };
    let mut read = read.into_iter();
    match read.find(|path| is_written(path)) {
        Some(path) => bail!(
            "{flag} would overwrite {}, which is read: name another file",
            file_name(path)
        ),
        None => Ok(()),
    }
}

/// The real path of a file that is written and may not exist yet. A link is replaced, so it is not followed.
pub(super) fn place(path: &Path) -> PathBuf {
    if !path.is_symlink()
        && let Ok(real) = dunce::canonicalize(path)
    {
        return real;
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (dunce::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
