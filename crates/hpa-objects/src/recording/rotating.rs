//! Writes a recording that can be read while it grows, in files of limited size.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hpa_words::program::typed;
use serde::Serialize;

use super::{
    WriteError,
    input::STDIN_OR_STDOUT,
    lines::{LineWriter, Sink},
};
use crate::output_file::create_new;

/// A recording that cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The file exists already.
    #[error(
        "{} already exists: use another file name, or move the existing file",
        path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The path is standard output.
    #[error(
        "a recording over time needs a file; `{}` writes one to standard output",
        typed("capture --every 15s")
    )]
    Stdout,
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes a recording line by line, under its final name from the start.
///
/// Each line is compressed and passed to the operating system immediately, in one piece, so a killed process loses at
/// most the line that it is writing. [`sync`](Self::sync) also protects against a power failure. A file that reaches
/// its maximum size is ended and renamed as `logrotate` does it: `incident.jsonl.zst` becomes `incident.1.jsonl.zst`,
/// which becomes `incident.2.jsonl.zst`, and so on. The highest number is the oldest. Each file is a complete
/// recording.
///
/// If a line cannot be written, the file stays as it was before, and the next line follows in the same file.
pub struct RotatingWriter {
    path: PathBuf,
    /// Maximum size of a file in bytes. The line that exceeds it is the last one of the file.
    max_size: Option<u64>,
    /// None: the previous file is ended, and nothing has been written since.
    current: Option<LineWriter>,
}

impl RotatingWriter {
    /// Starts a recording at `path`, which must not exist: gzip or zstd if the name ends in `.gz` or `.zst`. `max_size`
    /// is in bytes.
    pub fn begin(path: &Path, max_size: Option<u64>) -> Result<Self, BeginError> {
        if path.as_os_str() == STDIN_OR_STDOUT {
            return Err(BeginError::Stdout);
        }
        let current = create(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => BeginError::Exists {
                path: path.to_owned(),
            },
            _ => BeginError::Write(WriteError::new(path, error)),
        })?;
        Ok(Self {
            path: path.to_owned(),
            max_size,
            current: Some(current),
        })
    }

    /// Checks that [`begin`](Self::begin) can start a recording at `path`, and leaves nothing behind.
    pub fn check(path: &Path) -> Result<(), BeginError> {
        drop(Self::begin(path, None)?);
        fs::remove_file(path).map_err(|error| BeginError::Write(WriteError::new(path, error)))
    }

    /// Writes one line. `snapshot` is a [`Snapshot`](super::Snapshot), or an object with its fields.
    pub fn write(&mut self, snapshot: &impl Serialize) -> Result<(), WriteError> {
        self.try_write(snapshot)
            .map_err(|source| WriteError::new(&self.path, source))
    }

    /// Makes all lines so far survive a power failure.
    pub fn sync(&mut self) -> Result<(), WriteError> {
        let synced = self.current.as_ref().map_or(Ok(()), LineWriter::sync);
        synced.map_err(|source| WriteError::new(&self.path, source))
    }

    /// Ends the recording.
    pub fn finish(mut self) -> Result<(), WriteError> {
        let ended = self.current.take().map_or(Ok(()), end);
        ended.map_err(|source| WriteError::new(&self.path, source))
    }

    fn try_write(&mut self, snapshot: &impl Serialize) -> io::Result<()> {
        let current = match &mut self.current {
            Some(current) => current,
            none => {
                make_room(&self.path, 0)?;
                none.insert(create(&self.path)?)
            }
        };
        current.write(snapshot)?;
        let is_full = self.max_size.is_some_and(|most| most <= current.length());
        match self.current.take_if(|_| is_full) {
            Some(current) => end(current),
            None => Ok(()),
        }
    }
}

/// Creates a file, which must not exist.
fn create(path: &Path) -> io::Result<LineWriter> {
    LineWriter::begin(path, Sink::File(create_new(path)?))
}

/// Ends a file for good.
fn end(mut lines: LineWriter) -> io::Result<()> {
    lines.end()?;
    lines.sync()
}

/// Renames the file with `number` to the next number, after making room for it. 0 is the file without a number.
fn make_room(path: &Path, number: u32) -> io::Result<()> {
    let from = numbered(path, number);
    if fs::symlink_metadata(&from).is_err() {
        return Ok(());
    }
    make_room(path, number + 1)?;
    fs::rename(from, numbered(path, number + 1))
}

/// Inserts a number into `incident.jsonl.zst`: `incident.1.jsonl.zst`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 0 {
        return path.to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let compression = [".gz", ".zst"]
        .into_iter()
        .find(|ending| name.ends_with(ending))
        .unwrap_or_default();
    let plain = &name[..name.len() - compression.len()];
    let (stem, ending) = match plain.rfind('.') {
        None | Some(0) => (plain, ""),
        Some(dot) => plain.split_at(dot),
    };
    path.with_file_name(format!("{stem}.{number}{ending}{compression}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_is_before_the_endings() {
        for (name, expected) in [
            ("a/incident.jsonl.zst", "a/incident.1.jsonl.zst"),
            ("incident.jsonl", "incident.1.jsonl"),
            ("incident.zst", "incident.1.zst"),
            ("incident", "incident.1"),
            (".incident", ".incident.1"),
            ("10.42.jsonl.gz", "10.42.1.jsonl.gz"),
        ] {
            assert_eq!(numbered(Path::new(name), 1), Path::new(expected));
        }
    }
}
