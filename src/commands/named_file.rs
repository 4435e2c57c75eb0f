//! File names in the wrong place: as names of HPAs, or as the output of what reads them.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::render::sanitize::file_name;

/// Rejects names that are those of a manifest, a recording or a folder here: the user probably forgot `-f`.
pub(super) fn refuse(names: &[String]) -> anyhow::Result<()> {
    const ENDS: [&str; 6] = [".gz", ".json", ".jsonl", ".yaml", ".yml", ".zst"];
    let is_selected = |name: &&String| {
        let path = Path::new(name);
        name.ends_with('/') && path.is_dir()
            || ENDS.iter().any(|end| name.ends_with(end)) && path.is_file()
    };
    match names.iter().find(is_selected) {
        Some(name) if name.ends_with('/') => {
            bail!("{name} is a directory, not an HPA name: use -f {name}")
        }
        Some(name) => bail!("{name} is a file, not an HPA name: use -f {name}"),
        None => Ok(()),
    }
}

/// Fails if a file to write, the value of `flag`, is one of the files that are read: it would be lost.
pub(super) fn ensure_not_read<'a>(
    flag: &str,
    output: &Path,
    read: impl IntoIterator<Item = &'a PathBuf>,
) -> anyhow::Result<()> {
    let real = |path: &Path| dunce::canonicalize(path).ok().filter(|path| path.is_file());
    let Some(written) = real(output) else {
        return Ok(());
    };
    let mut read = read.into_iter();
    match read.find(|path| real(path).as_ref() == Some(&written)) {
        Some(path) => bail!(
            "{flag} would overwrite {}, which is read: name another file",
            file_name(path)
        ),
        None => Ok(()),
    }
}
