//! Writes recordings under a hidden name until they are complete or writing fails.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use serde::Serialize;
use tempfile::{NamedTempFile, TempPath};

use super::{
    input::STDIN_OR_STDOUT,
    lines::{LineWriter, Sink},
};

/// A recording that could not be written completely.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.what())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Where the snapshots are that could be written, and their number. None: they are in the requested place, or there
    /// are none.
    pub kept: Option<(PathBuf, usize)>,
    /// The cause.
    pub source: io::Error,
}

impl WriteError {
    pub(super) fn new(path: &Path, source: io::Error) -> Self {
        Self {
            path: path.to_owned(),
            kept: None,
            source,
        }
    }

    fn what(&self) -> String {
        let path = self.path.display();
        match &self.kept {
            None => format!("cannot write {path}"),
            Some((kept, count)) => {
                let kept = kept.display();
                format!("cannot finish {path} (snapshots kept in {kept}: {count})")
            }
        }
    }
}

/// Writes a recording line by line.
///
/// Lines go to a hidden file with mode 0600 next to the requested one; each is flushed immediately.
/// [`finish`](Self::finish) renames it. A writer that is dropped before that leaves nothing. If the process is killed,
/// the hidden file (`.NAME.….partial`) stays and can be read up to its last complete line. If a line cannot be written,
/// the lines before it are kept under the requested name, or in the hidden file if the requested one exists already.
///
/// Paths that are not regular files, such as a FIFO or a device, are written in place. So are files that the process
/// has open already, such as `/dev/fd/3`. No other link is followed.
pub struct RecordingWriter {
    path: PathBuf,
    lines: LineWriter,
    /// None: written in place.
    hidden: Option<TempPath>,
}

impl RecordingWriter {
    /// Starts a recording: gzip or zstd if the name ends in `.gz` or `.zst`; `-` is standard output, plain.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let create = || {
            let (sink, hidden) = if is_stdout(path) {
                (Sink::Stream(Box::new(io::stdout())), None)
            } else if is_written_in_place(path) {
                (Sink::Stream(Box::new(in_place(path)?)), None)
            } else {
                let (file, hidden) = hidden_file(path)?.into_parts();
                (Sink::File(file), Some(hidden))
            };
            Ok(Self {
                path: path.to_owned(),
                lines: LineWriter::begin(path, sink)?,
                hidden,
            })
        };
        create().map_err(|source| WriteError::new(path, source))
    }

    /// Writes one line and flushes it. `snapshot` is a [`Snapshot`](super::Snapshot), or an object with its fields.
    pub fn write(&mut self, snapshot: &impl Serialize) -> Result<(), WriteError> {
        let written = self.lines.write(snapshot);
        written.map_err(|source| self.keep(source))
    }

    /// Ends the recording and renames the file, replacing an existing one.
    pub fn finish(mut self) -> Result<(), WriteError> {
        let ended = self.lines.end().and_then(|()| self.lines.sync());
        ended.map_err(|source| self.keep(source))?;
        let Some(hidden) = self.hidden.take() else {
            return Ok(());
        };
        hidden.persist(&self.path).map_err(|error| {
            self.hidden = Some(error.path);
            self.keep(error.error)
        })
    }

    /// Keeps what was written, if anything.
    fn keep(&mut self, source: io::Error) -> WriteError {
        let hidden = self.hidden.take_if(|_| self.lines.count() > 0);
        let kept = hidden.and_then(|hidden| match hidden.persist_noclobber(&self.path) {
            Ok(()) => Some(self.path.clone()),
            Err(error) => error.path.keep().ok(),
        });
        WriteError {
            path: self.path.clone(),
            kept: kept.map(|kept| (kept, self.lines.count())),
            source,
        }
    }
}

/// Whether the path is standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == STDIN_OR_STDOUT || STDOUT_OF_UNIX.iter().any(|name| path == Path::new(name))
}

/// Whether the path is written in place: it names an open file of the process, or exists and is neither a regular file
/// nor a link. Any other link may belong to another user and is not followed.
fn is_written_in_place(path: &Path) -> bool {
    let is_open = path == Path::new("/dev/stderr")
        || OPEN
            .iter()
            .any(|folder| path.parent() == Some(Path::new(folder)));
    is_open || fs::symlink_metadata(path).is_ok_and(|about| !about.is_file() && !about.is_symlink())
}

/// Opens the existing file for appending.
fn in_place(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // With O_CREAT, Linux refuses to open another user's FIFO in a world-writable folder (`fs.protected_fifos`).
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// In the same folder, because a rename does not cross file systems.
fn hidden_file(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::IsADirectory, "the path is not a file name")
    })?;
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".partial")
        .tempfile_in(folder_of(path)?)
}

/// The folder of a file that is written under a hidden name first. If there is none, the error names the folder; that of
/// tempfile would name the hidden file.
pub fn folder_of(path: &Path) -> io::Result<&Path> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.exists() {
        let problem = format!("the folder {} does not exist", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, problem));
    }
    Ok(folder)
}

/// Other names of standard output.
const STDOUT_OF_UNIX: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Folders with a name for each open file of the process.
const OPEN: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_names_of_what_is_open_are_no_files_to_be_replaced() {
        for name in ["-", "/dev/stdout", "/dev//stdout", "/dev/fd/1"] {
            assert!(is_stdout(Path::new(name)), "{name}");
        }
        for name in ["/dev/stderr", "/dev/fd/63", "/proc/self/fd/3", "/dev/null"] {
            assert!(is_written_in_place(Path::new(name)), "{name}");
            assert!(!is_stdout(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn links_of_others_are_not_followed_wherever_they_lead() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        for target in ["/dev/null", "file", "nowhere"] {
            std::os::unix::fs::symlink(target, &link).unwrap();
            assert!(!is_written_in_place(&link), "{target}");
            fs::remove_file(&link).unwrap();
        }
    }
}
