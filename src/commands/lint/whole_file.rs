//! Writes files completely or not at all.

use std::{
    fs,
    io::{self, BufWriter, Write as _},
    path::Path,
};

use anyhow::Context as _;
use tempfile::NamedTempFile;

use crate::{recording::folder_of, render::sanitize::file_name};

/// Writes a file under a hidden name next to it and renames it. An existing file keeps its permissions; a link stays a
/// link. Something that is not a regular file, such as `/dev/stderr`, is written to directly.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    write_with(path, |file| file.write_all(text.as_bytes()))
}

/// Writes a file with the output of `write`.
pub(super) fn write_with(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    try_write(path, write).with_context(|| format!("cannot write {}", file_name(path)))
}

fn try_write(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    let known = fs::metadata(path).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        let mut file = BufWriter::new(fs::File::create(path)?);
        write(&mut file)?;
        return file.flush();
    }
    let target = match &known {
        Some(_) => dunce::canonicalize(path)?,
        None => path.to_owned(),
    };
    let mut file = BufWriter::new(partial(folder_of(&target)?, known.as_ref())?);
    write(&mut file)?;
    let file = file.into_inner()?;
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// An empty file under a hidden name, readable only by those who may read the file it will replace.
fn partial(folder: &Path, known: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".kubectl-hpa.").suffix(".partial");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = known.map_or(0o666, |known| known.permissions().mode() & 0o777);
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = known;
    builder.tempfile_in(folder)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_is_not_renamed_yet_is_no_more_open_than_what_it_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.yaml");
        fs::write(&path, "a: 1\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let known = fs::metadata(&path).unwrap();
        let partial = partial(folder.path(), Some(&known)).unwrap();
        let mode = partial.as_file().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
