//! Writes recordings under a hidden name until they are complete or writing fails.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::lines::{LineWriter, Sink};
use crate::output_file::{FileAccess, HiddenFile, OpenedFile};

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
    hidden: Option<HiddenFile>,
}

impl RecordingWriter {
    /// Checks that a recording can be written there, for a command that reads for long before it writes the first line.
    pub fn check(path: &Path) -> Result<(), WriteError> {
        let checked = OpenedFile::check(path, FileAccess::OwnerOnly);
        checked.map_err(|source| WriteError::new(path, source))
    }

    /// Starts a recording: gzip or zstd if the name ends in `.gz` or `.zst`; `-` is standard output, plain.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let create = || {
            let (sink, hidden) = match OpenedFile::open(path, FileAccess::OwnerOnly)? {
                OpenedFile::Hidden(file, hidden) => (Sink::File(file), Some(hidden)),
                OpenedFile::Stream(stream) => (Sink::Stream(stream), None),
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
        hidden.take_name().map_err(|(error, hidden)| {
            self.hidden = Some(hidden);
            self.keep(error)
        })
    }

    /// Keeps what was written, if anything.
    fn keep(&mut self, source: io::Error) -> WriteError {
        let hidden = self.hidden.take_if(|_| self.lines.count() > 0);
        let kept = hidden.and_then(HiddenFile::keep);
        WriteError {
            path: self.path.clone(),
            kept: kept.map(|kept| (kept, self.lines.count())),
            source,
        }
    }
}
