//! Errors of a recording.

use std::{io, path::PathBuf};

use hpa_words::program::typed;

use super::{API_VERSION, InvalidField, KIND, name_of, reader::BLANK_LIMIT};

/// An error in a recording, with its line.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened.
    #[error("cannot {} {}{}", verb(source), name_of(path), if source.kind() == io::ErrorKind::IsADirectory { " (give a file)" } else { "" })]
    Open {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Reading or decompressing failed.
    #[error("line {line}: cannot read the rest of the file")]
    Read {
        /// Line, counted from 1.
        line: u64,
        /// The cause.
        source: io::Error,
    },
    /// The last line is incomplete: the recording was interrupted. All lines before it are complete.
    #[error(
        "the file ends in the middle of line {line}: the recording was interrupted there, {}",
        if *line == 1 { "and has no complete snapshot" } else { "the lines before it are complete" }
    )]
    Interrupted {
        /// Line, counted from 1.
        line: u64,
    },
    /// A line is incomplete, and others follow it.
    #[error(
        "line {line} ends in the middle of a snapshot: each line of a recording is a whole one, as `{}` writes it",
        typed("capture")
    )]
    CutOff {
        /// Line, counted from 1.
        line: u64,
    },
    /// A line is longer than [`LINE_LIMIT`](super::LINE_LIMIT).
    #[error("line {line} is longer than {} MiB, the limit for a snapshot", limit >> 20)]
    TooLong {
        /// Line, counted from 1.
        line: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Too many blank lines in a row.
    #[error("more than {} MiB of blank lines before line {line}", BLANK_LIMIT >> 20)]
    Blank {
        /// Line, counted from 1.
        line: u64,
    },
    /// A line is not JSON.
    #[error(
        "line {line}, column {column}: {problem}; each line of a recording is a snapshot, as `{}` writes it",
        typed("capture")
    )]
    Json {
        /// Line, counted from 1.
        line: u64,
        /// Column, counted from 1.
        column: usize,
        /// The parser's message.
        problem: String,
    },
    /// A line is another kind of object.
    #[error(
        "line {line} is not a snapshot: apiVersion {api_version:?}, kind {kind:?} \
         (expected {API_VERSION:?}, {KIND:?}, as `{}` writes)",
        typed("capture")
    )]
    OtherKind {
        /// Line, counted from 1.
        line: u64,
        /// Its `apiVersion`, empty if there is none.
        api_version: String,
        /// Its `kind`, empty if there is none.
        kind: String,
    },
    /// A field is missing, has the wrong type, or has an invalid value.
    #[error("line {line}: {field}")]
    Field {
        /// Line, counted from 1.
        line: u64,
        /// The field and what is wrong with it.
        field: InvalidField,
    },
}

/// Compressed data that is damaged was opened, and cannot be read.
fn verb(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => "read",
        _ => "open",
    }
}
