//! Files that are written whole or not at all.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use anyhow::Context as _;

use crate::render::sanitize::file_name;

/// Writes a file under a hidden name beside it and renames it. A file that is there keeps its permissions; a link
/// stays a link. What is no file, such as `/dev/stderr`, is written to as it is.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    try_write(path, text).with_context(|| format!("cannot write {}", file_name(path)))
}

fn try_write(path: &Path, text: &str) -> io::Result<()> {
    let known = fs::metadata(path).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return fs::write(path, text);
    }
    let target = match &known {
        Some(_) => dunce::canonicalize(path)?,
        None => path.to_owned(),
    };
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".kubectl-hpa.").suffix(".partial");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}
