//! Errors of a file of objects.

use std::fmt;

use crate::recording::{InvalidField, ReadError};

/// An error in a file of objects.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The text is neither YAML nor JSON.
    #[error("{}", syntax(.file, *.line, *.column, .problem))]
    Syntax {
        /// The file.
        file: String,
        /// Line, counted from 1.
        line: u64,
        /// Column, counted from 1.
        column: u64,
        /// The parser's message.
        problem: String,
    },
    /// The text exceeds a limit of the parser, or the error has no position.
    #[error("{file}, document {document}: {problem}")]
    Document {
        /// The file.
        file: String,
        /// Document, counted from 1.
        document: usize,
        /// The parser's message.
        problem: String,
    },
    /// A field is missing, has the wrong type, or has an invalid value.
    #[error("{place}: {field}")]
    Field {
        /// The object.
        place: Box<ObjectPlace>,
        /// The field and what is wrong with it.
        field: InvalidField,
    },
    /// The file contains no HPA.
    #[error("{file}: no HorizontalPodAutoscaler in it ({})", found(.kinds))]
    NoHpa {
        /// The file.
        file: String,
        /// The kinds that it contains, with counts.
        kinds: Vec<(String, usize)>,
    },
    /// The file cannot be opened or read.
    #[error(transparent)]
    Open(#[from] ReadError),
}

/// The position of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectPlace {
    /// The file.
    pub file: String,
    /// Document, counted from 1.
    pub document: usize,
    /// The index in the enclosing lists, as a path such as `items[3]`. Empty: the object is the document.
    pub item: String,
    /// `kind namespace/name`, as far as known.
    pub object: String,
}

impl fmt::Display for ObjectPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, document {}", self.file, self.document)?;
        if !self.item.is_empty() {
            write!(formatter, ", {}", self.item)?;
        }
        if !self.object.is_empty() {
            write!(formatter, " ({})", self.object)?;
        }
        Ok(())
    }
}

/// If the file name does not suggest objects, the file is probably not meant as one.
fn syntax(file: &str, line: u64, column: u64, problem: &str) -> String {
    const ENDS: [&str; 6] = [".gz", ".json", ".jsonl", ".yaml", ".yml", ".zst"];
    if file.contains('.') && !ENDS.iter().any(|end| file.ends_with(end)) {
        return format!(
            "{file} is neither a recording nor a manifest (line {line}, column {column}: {problem})"
        );
    }
    format!("{file}, line {line}, column {column}: {problem}")
}

fn found(kinds: &[(String, usize)]) -> String {
    if kinds.is_empty() {
        return "it is empty".to_owned();
    }
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, number)| format!("{number} {kind}"))
        .collect();
    format!("found: {}", kinds.join(", "))
}
