//! Writes recordings: whole or not at all, with a name that is there only once the file is whole.

use std::{
    ffi::OsString,
    fs::File,
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
pub struct Writer {
    path: PathBuf,
    encoder: Encoder,
    /// None: standard output.
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
            let (sink, hidden) = if path.as_os_str() == STDIN_OR_STDOUT {
                (Sink::Stdout(io::stdout()), None)
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
