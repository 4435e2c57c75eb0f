//! Writes a recording that can be read while it grows, in files of limited size.

use std::{
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    WriteError,
    input::STDIN_OR_STDOUT,
    lines::{LineWriter, Sink},
};

/// A recording that cannot be begun.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// There is such a file already.
    #[error(
        "{} exists already, and a recording overwrites nothing: name another file, or move that one away",
        path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Standard output is wanted.
    #[error(
        "a recording that grows needs a file: `kubectl hpa capture --every 15s` writes one to standard output"
    )]
    Stdout,
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes a recording line by line, under its final name from the start.
///
/// Each line is compressed and handed to the operating system at once, in one piece, so that a process that is killed
/// loses the line that it is writing, at most; [`sync`](Self::sync) does the same against a loss of power. A file that
/// has reached its greatest size is ended and renamed as `logrotate` does it: `incident.jsonl.zst` becomes
/// `incident.1.jsonl.zst`, what had that name `incident.2.jsonl.zst`, and so on; the highest number is the oldest. Each
/// of them is a whole recording by itself.
///
/// After a line that could not be written the file is as it was before that line, and the next one follows in the same
/// file.
pub struct RotatingWriter {
    path: PathBuf,
    /// Greatest size of a file in bytes; the line that goes beyond it is the file's last.
    max_size: Option<u64>,
    /// None: the one before is ended, and nothing was written since.
    current: Option<LineWriter>,
}

impl RotatingWriter {
    /// Begins a recording at `path`, where nothing may be yet: gzip or zstd if the name ends in `.gz` or `.zst`.
    /// `max_size` is in bytes.
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

    /// Writes one line. `snapshot` is a [`Snapshot`](super::Snapshot), or an object with its fields.
    pub fn write(&mut self, snapshot: &impl Serialize) -> Result<(), WriteError> {
        self.try_write(snapshot)
            .map_err(|source| WriteError::new(&self.path, source))
    }

    /// Sees to it that a loss of power takes none of the lines so far.
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

/// Begins a file where none may be yet.
fn create(path: &Path) -> io::Result<LineWriter> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    LineWriter::begin(path, Sink::File(options.open(path)?))
}

/// Ends a file for good.
fn end(mut lines: LineWriter) -> io::Result<()> {
    lines.end()?;
    lines.sync()
}

/// Moves the file with `number` to the next number, and those before it out of the way. 0 is the file without one.
fn make_room(path: &Path, number: u32) -> io::Result<()> {
    let from = numbered(path, number);
    if fs::symlink_metadata(&from).is_err() {
        return Ok(());
    }
    make_room(path, number + 1)?;
    fs::rename(from, numbered(path, number + 1))
}

/// `incident.jsonl.zst` with a number: `incident.1.jsonl.zst`.
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
    fn number_stands_before_the_endings() {
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
