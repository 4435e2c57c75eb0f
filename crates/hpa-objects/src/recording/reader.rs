//! Reads a recording line by line.

use std::{
    io::{self, BufRead, Read as _},
    path::Path,
};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use super::{
    API_VERSION, KIND, ReadError, SizeBudget, Snapshot,
    budget::{decoded_size, most_of_object},
    input,
    invalid_field::shortened,
};

/// Maximum length of a line in bytes. A snapshot of 50,000 pods has about 50 MiB.
pub const LINE_LIMIT: u64 = 256 << 20;

/// Maximum size of blank lines in a row, in bytes.
pub(crate) const BLANK_LIMIT: u64 = 1 << 20;

/// Reads a recording snapshot by snapshot. After an error in one line it continues with the next one, unless the error
/// makes that impossible.
pub struct RecordingReader<R = input::ByteSource> {
    source: R,
    /// The text that was read before, up to the end of the first line that is not blank.
    head: Vec<u8>,
    line: u64,
    buffer: Vec<u8>,
    is_at_end: bool,
    interrupted: bool,
}

/// A snapshot and its line.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingLine {
    /// Line, counted from 1.
    pub number: u64,
    /// The snapshot.
    pub snapshot: Snapshot,
}

impl RecordingReader {
    /// Opens a recording: plain, gzip or zstd; `-` is stdin.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        input::open(path)
            .map(Self::new)
            .map_err(|source| ReadError::Open {
                path: path.to_owned(),
                source,
            })
    }
}

impl<R: BufRead> RecordingReader<R> {
    /// Reads plain text from `source`.
    pub fn new(source: R) -> Self {
        Self::behind(Vec::new(), source)
    }

    /// Reads plain text from `source`, of which `head` was read already: up to the end of the first line that is not
    /// blank, but not more than [`LINE_LIMIT`] of it.
    pub(crate) fn behind(head: Vec<u8>, source: R) -> Self {
        Self {
            source,
            head,
            line: 0,
            buffer: Vec::new(),
            is_at_end: false,
            interrupted: false,
        }
    }

    /// Reads the next line that is not blank into the buffer. False if there is none.
    fn next_line(&mut self) -> Result<bool, ReadError> {
        let mut blank = 0;
        while !self.is_at_end {
            self.line += 1;
            self.buffer.clear();
            let most = self.take_head();
            let line = self.line;
            let read = (&mut self.source)
                .take(most)
                .read_until(b'\n', &mut self.buffer);
            match read {
                Ok(_) => {}
                // A compressed stream that was cut off: its output so far is valid.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    self.interrupted = true;
                }
                Err(source) => {
                    self.is_at_end = true;
                    return Err(ReadError::Read { line, source });
                }
            }
            self.is_at_end = !self.buffer.ends_with(b"\n");
            if self.buffer.len() as u64 > LINE_LIMIT {
                self.is_at_end = true;
                return Err(ReadError::TooLong {
                    line,
                    limit: LINE_LIMIT,
                });
            }
            if !self.buffer.trim_ascii().is_empty() {
                return Ok(true);
            }
            blank += self.buffer.len() as u64;
            if BLANK_LIMIT < blank {
                self.is_at_end = true;
                return Err(ReadError::Blank { line });
            }
        }
        Ok(false)
    }

    /// Moves the head into the buffer. Returns how many bytes of its last line may follow.
    fn take_head(&mut self) -> u64 {
        if self.head.is_empty() {
            return LINE_LIMIT + 1;
        }
        self.buffer = std::mem::take(&mut self.head);
        let mut last = self.buffer.trim_ascii_end().iter();
        let blank = last
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        let breaks = self.buffer.drain(..blank).filter(|byte| *byte == b'\n');
        self.line += breaks.count() as u64;
        if self.buffer.ends_with(b"\n") {
            0
        } else {
            (LINE_LIMIT + 1).saturating_sub(self.buffer.len() as u64)
        }
    }

    fn decode(&mut self) -> Result<RecordingLine, ReadError> {
        if let Err((offset, excess)) = SizeBudget::FILE.check(&self.buffer) {
            return Err(ReadError::Json {
                line: self.line,
                column: offset + 1,
                problem: excess.to_string(),
            });
        }
        match decode(&self.buffer) {
            Ok(snapshot) => match snapshot.impossible() {
                Some(field) => Err(ReadError::Field {
                    line: self.line,
                    field,
                }),
                None => Ok(RecordingLine {
                    number: self.line,
                    snapshot,
                }),
            },
            Err(_) if self.is_cut_off() => Err(if self.is_last()? {
                self.interrupted = false;
                ReadError::Interrupted { line: self.line }
            } else {
                ReadError::CutOff { line: self.line }
            }),
            Err(error) => Err(self.explain(&error)),
        }
    }

    /// Whether the line is the start of a JSON text. With its line break, it can seem to be another mistake: a string
    /// cannot contain one.
    fn is_cut_off(&self) -> bool {
        let line = self.buffer.trim_ascii_end();
        serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
    }

    /// Whether only blank lines follow.
    fn is_last(&mut self) -> Result<bool, ReadError> {
        let mut blank = 0;
        while !self.is_at_end {
            match self.source.fill_buf() {
                Ok(more) if !more.trim_ascii().is_empty() => return Ok(false),
                Ok([]) => self.is_at_end = true,
                // The next line reports them.
                Ok(_) if BLANK_LIMIT < blank => return Ok(false),
                Ok(more) => {
                    let length = more.len();
                    blank += length as u64;
                    self.source.consume(length);
                }
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => self.is_at_end = true,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => {
                    self.is_at_end = true;
                    let line = self.line + 1;
                    return Err(ReadError::Read { line, source });
                }
            }
        }
        Ok(true)
    }

    /// Decodes the line a second time, slowly, to find the error.
    fn explain(&self, error: &serde_json::Error) -> ReadError {
        let line = self.line;
        if !error.is_data() {
            return ReadError::Json {
                line,
                column: error.column(),
                problem: without_position(error),
            };
        }
        if let Ok(header) = serde_json::from_slice::<Header>(&self.buffer)
            && (header.api_version != API_VERSION || header.kind != KIND)
        {
            return ReadError::OtherKind {
                line,
                api_version: header.api_version,
                kind: header.kind,
            };
        }
        let is_small = decoded_size(&self.buffer) <= most_of_object(self.buffer.len());
        let value = is_small.then(|| serde_json::from_slice(&self.buffer));
        match value.map(|value| value.map(|value: Value| super::decode::<Snapshot>(&value))) {
            Some(Ok(Err(field))) => ReadError::Field { line, field },
            // Such as a duplicate field, which a parsed value has only once.
            _ => ReadError::Json {
                line,
                column: error.column(),
                problem: without_position(error),
            },
        }
    }
}

impl<R: BufRead> Iterator for RecordingReader<R> {
    type Item = Result<RecordingLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.next_line() {
            Ok(true) => Some(self.decode()),
            Ok(false) if std::mem::take(&mut self.interrupted) => {
                Some(Err(ReadError::Interrupted { line: self.line }))
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// The fields that distinguish a snapshot from other objects.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    kind: String,
}

fn decode(line: &[u8]) -> Result<Snapshot, serde_json::Error> {
    let snapshot = Snapshot::from_json(line)?;
    if snapshot.api_version == API_VERSION && snapshot.kind == KIND {
        Ok(snapshot)
    } else {
        Err(serde::de::Error::custom("another kind"))
    }
}

/// The message without `at line 1 column 20`: the line is always 1 here.
fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    shortened(message[..end].to_owned())
}
