//! Writes recordings: whole or not at all, with a name that is there only once the file is whole.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};
use serde::Serialize;
use tempfile::{NamedTempFile, TempPath};

use super::{input::STDIN_OR_STDOUT, visible};

/// A recording that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// Writes a recording line by line.
///
/// Lines go to a hidden file with mode 0600 beside the wanted one, each flushed as soon as it is written.
/// [`finish`](Self::finish) gives it its name; a writer that is dropped before that leaves nothing. If the process is
/// killed, the hidden file (`.NAME.….partial`) stays behind and can be read up to its last whole line.
///
/// What is no file, such as a FIFO or a device, is written as it is and keeps its name; so is what the process has open
/// already, such as `/dev/fd/3`. No other link is followed.
pub struct Writer {
    path: PathBuf,
    encoder: Encoder,
    /// None: what is written is there already.
    hidden: Option<TempPath>,
}

/// By the ending of the file's name.
enum Encoder {
    Gzip(GzEncoder<BufWriter<Sink>>),
    Plain(BufWriter<Sink>),
    Zstd(zstd::Encoder<'static, BufWriter<Sink>>),
}

enum Sink {
    File(File),
    Stdout(io::Stdout),
}

impl Writer {
    /// Begins a recording: gzip or zstd if the name ends in `.gz` or `.zst`; `-` is standard output, plain.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let create = || {
            let (sink, hidden) = if is_stdout(path) {
                (Sink::Stdout(io::stdout()), None)
            } else if is_written_in_place(path) {
                (Sink::File(in_place(path)?), None)
            } else {
                let (file, hidden) = hidden_file(path)?.into_parts();
                (Sink::File(file), Some(hidden))
            };
            Ok(Self {
                path: path.to_owned(),
                encoder: Encoder::new(path, BufWriter::new(sink))?,
                hidden,
            })
        };
        create().map_err(|source| WriteError {
            path: path.to_owned(),
            source,
        })
    }

    /// Writes one line and flushes it. `snapshot` is a [`Snapshot`](super::Snapshot), or an object with its fields.
    pub fn write(&mut self, snapshot: &impl Serialize) -> Result<(), WriteError> {
        let output = self.encoder.as_write();
        let result = visible::write_json(&mut *output, snapshot)
            .map_err(io::Error::from)
            .and_then(|()| output.write_all(b"\n"))
            .and_then(|()| output.flush());
        result.map_err(|source| self.error(source))
    }

    /// Ends the recording and gives the file its name, in place of a file that had it before.
    pub fn finish(self) -> Result<(), WriteError> {
        let Self {
            path,
            encoder,
            hidden,
        } = self;
        let finish = || {
            let buffer = match encoder {
                Encoder::Gzip(encoder) => encoder.finish()?,
                Encoder::Plain(buffer) => buffer,
                Encoder::Zstd(encoder) => encoder.finish()?,
            };
            let sink = buffer
                .into_inner()
                .map_err(io::IntoInnerError::into_error)?;
            if let (Sink::File(file), Some(hidden)) = (&sink, hidden) {
                file.sync_all()?;
                hidden.persist(&path).map_err(|error| error.error)?;
            }
            Ok(())
        };
        finish().map_err(|source| WriteError {
            path: path.clone(),
            source,
        })
    }

    fn error(&self, source: io::Error) -> WriteError {
        WriteError {
            path: self.path.clone(),
            source,
        }
    }
}

/// Whether this names standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == STDIN_OR_STDOUT || STDOUT_OF_UNIX.iter().any(|name| path == Path::new(name))
}

/// Whether there is something that a rename would replace by a file. The system's names of what is open are links and
/// lead to it; any other link may be somebody else's, and is not followed.
fn is_written_in_place(path: &Path) -> bool {
    let is_open = path == Path::new("/dev/stderr")
        || OPEN
            .iter()
            .any(|folder| path.parent() == Some(Path::new(folder)));
    is_open || fs::symlink_metadata(path).is_ok_and(|about| !about.is_file() && !about.is_symlink())
}

/// Opens what is there. What another program has written to it stays.
fn in_place(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // Linux refuses to open a FIFO of somebody else in a folder for everybody if it could have been created instead.
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// In the same folder, because a rename does not cross file systems.
fn hidden_file(path: &Path) -> io::Result<NamedTempFile> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::IsADirectory, "this names no file"))?;
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".partial")
        .tempfile_in(folder)
}

impl Encoder {
    fn new(path: &Path, sink: BufWriter<Sink>) -> io::Result<Self> {
        Ok(match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Self::Gzip(GzEncoder::new(sink, Compression::default())),
            Some("zst") => Self::Zstd(zstd::Encoder::new(sink, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            _ => Self::Plain(sink),
        })
    }

    fn as_write(&mut self) -> &mut dyn Write {
        match self {
            Self::Gzip(encoder) => encoder,
            Self::Plain(buffer) => buffer,
            Self::Zstd(encoder) => encoder,
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

/// Other names of standard output.
const STDOUT_OF_UNIX: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Folders with a name for each file that the process has open.
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
