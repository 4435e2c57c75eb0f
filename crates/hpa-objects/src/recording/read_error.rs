//! What can be wrong with a recording.

use std::{io, path::PathBuf};

use super::{API_VERSION, InvalidField, KIND};

/// What is wrong with a recording, and in which line.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened.
    #[error("cannot open {}{}", path.display(), if source.kind() == io::ErrorKind::IsADirectory { " (give a file)" } else { "" })]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Reading or decompressing failed.
    #[error("line {line}: cannot read on")]
    Read {
        /// Line, counted from 1.
        line: u64,
        /// Why.
        source: io::Error,
    },
    /// The last line ends early: the recording was interrupted. All lines before it are whole.
    #[error(
        "line {line} ends early: the recording was interrupted there, {}",
        if *line == 1 { "and has no whole snapshot" } else { "the lines before it are whole" }
    )]
    Interrupted {
        /// Line, counted from 1.
        line: u64,
    },
    /// A line is longer than [`LINE_LIMIT`](super::LINE_LIMIT).
    #[error("line {line} is longer than {} MiB, which no snapshot is", limit >> 20)]
    TooLong {
        /// Line, counted from 1.
        line: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// A line is no JSON.
    #[error(
        "line {line}, column {column}: {problem}; each line of a recording is a snapshot, as `kubectl hpa capture` writes it"
    )]
    Json {
        /// Line, counted from 1.
        line: u64,
        /// Column, counted from 1.
        column: usize,
        /// What the parser says.
        problem: String,
    },
    /// A line is another kind of object.
    #[error(
        "line {line} is not a snapshot: apiVersion {api_version:?}, kind {kind:?} \
         (expected {API_VERSION:?}, {KIND:?}, as `kubectl hpa capture` writes)"
    )]
    OtherKind {
        /// Line, counted from 1.
        line: u64,
        /// Its `apiVersion`, empty if there is none.
        api_version: String,
        /// Its `kind`, empty if there is none.
        kind: String,
    },
    /// A field is missing, has the wrong type, or its value makes no sense.
    #[error("line {line}: {field}")]
    Field {
        /// Line, counted from 1.
        line: u64,
        /// The field and what is wrong with it.
        field: InvalidField,
    },
}
