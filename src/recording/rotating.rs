//! Writes a recording that can be read while it grows, in files of limited size.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};
use serde::Serialize;

use super::{WriteError, input::STDIN_OR_STDOUT, visible};

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
/// After a line that could not be written the file is as it was before that line, and the next one begins another file.
pub struct RotatingWriter {
    path: PathBuf,
    /// Greatest size of a file in bytes; the line that goes beyond it is the file's last.
    max_size: Option<u64>,
    /// None: the one before is ended, and nothing was written since.
    current: Option<Current>,
}

/// The file that is written to.
struct Current {
    file: File,
    encoder: Encoder,
    /// Length up to the last whole line, in bytes.
    length: u64,
}

/// By the ending of the file's name. What comes out is taken away after each line.
enum Encoder {
    Gzip(GzEncoder<Vec<u8>>),
    Plain(Vec<u8>),
    Zstd(zstd::Encoder<'static, Vec<u8>>),
}

impl RotatingWriter {
    /// Begins a recording at `path`, where nothing may be yet: gzip or zstd if the name ends in `.gz` or `.zst`.
    /// `max_size` is in bytes.
    pub fn begin(path: &Path, max_size: Option<u64>) -> Result<Self, BeginError> {
        if path.as_os_str() == STDIN_OR_STDOUT {
            return Err(BeginError::Stdout);
        }
        let current = Current::create(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => BeginError::Exists {
                path: path.to_owned(),
            },
            _ => BeginError::Write(WriteError {
                path: path.to_owned(),
                source: error,
            }),
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
            .map_err(|source| self.error(source))
    }

    /// Sees to it that a loss of power takes none of the lines so far.
    pub fn sync(&mut self) -> Result<(), WriteError> {
        let file = self.current.as_ref().map(|current| &current.file);
        file.map_or(Ok(()), File::sync_data)
            .map_err(|source| self.error(source))
    }

    /// Ends the recording.
    pub fn finish(mut self) -> Result<(), WriteError> {
        let ended = self.current.take().map_or(Ok(()), Current::end);
        ended.map_err(|source| self.error(source))
    }

    fn try_write(&mut self, snapshot: &impl Serialize) -> io::Result<()> {
        let mut current = match self.current.take() {
            Some(current) => current,
            None => self.next_file()?,
        };
        current.write(snapshot)?;
        if self.max_size.is_some_and(|most| most <= current.length) {
            current.end()?;
        } else {
            self.current = Some(current);
        }
        Ok(())
    }

    /// Makes room for a file with the wanted name, and creates it.
    fn next_file(&self) -> io::Result<Current> {
        // Not where a link leads that somebody has put there meanwhile.
        let is_empty =
            fs::symlink_metadata(&self.path).is_ok_and(|about| about.is_file() && about.len() == 0);
        if is_empty {
            // Nothing came into it, because the disk was full.
            return Current::reopen(&self.path);
        }
        make_room(&self.path, 0)?;
        Current::create(&self.path)
    }

    fn error(&self, source: io::Error) -> WriteError {
        WriteError {
            path: self.path.clone(),
            source,
        }
    }
}

impl Current {
    fn create(path: &Path) -> io::Result<Self> {
        Self::open(path, OpenOptions::new().write(true).create_new(true))
    }

    fn reopen(path: &Path) -> io::Result<Self> {
        Self::open(path, OpenOptions::new().write(true))
    }

    fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
        Ok(Self {
            file: options.open(path)?,
            encoder: Encoder::of(path)?,
            length: 0,
        })
    }

    fn write(&mut self, snapshot: &impl Serialize) -> io::Result<()> {
        let encoder = self.encoder.as_write();
        visible::write_json(&mut *encoder, snapshot)?;
        encoder.write_all(b"\n")?;
        encoder.flush()?;
        let bytes = self.encoder.take();
        self.append(&bytes)
    }

    /// Ends the compressed stream. Whoever reads would take a file without its end for an interrupted one.
    fn end(mut self) -> io::Result<()> {
        let encoder = std::mem::replace(&mut self.encoder, Encoder::Plain(Vec::new()));
        let rest = match encoder {
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Plain(rest) => rest,
            Encoder::Zstd(encoder) => encoder.finish()?,
        };
        self.append(&rest)?;
        self.file.sync_all()
    }

    /// Writes all of `bytes` or nothing.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            // A file that cannot be cut, either, ends in half a line, which readers know.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length = self.length.saturating_add(bytes.len() as u64);
        Ok(())
    }
}

impl Encoder {
    fn of(path: &Path) -> io::Result<Self> {
        Ok(match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Self::Gzip(GzEncoder::new(Vec::new(), Compression::default())),
            Some("zst") => Self::Zstd(zstd::Encoder::new(
                Vec::new(),
                zstd::DEFAULT_COMPRESSION_LEVEL,
            )?),
            _ => Self::Plain(Vec::new()),
        })
    }

    fn as_write(&mut self) -> &mut dyn io::Write {
        match self {
            Self::Gzip(encoder) => encoder,
            Self::Plain(buffer) => buffer,
            Self::Zstd(encoder) => encoder,
        }
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(match self {
            Self::Gzip(encoder) => encoder.get_mut(),
            Self::Plain(buffer) => buffer,
            Self::Zstd(encoder) => encoder.get_mut(),
        })
    }
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
