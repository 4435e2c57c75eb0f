//! What can be wrong with a file of objects.

use std::fmt;

use crate::recording::{InvalidField, ReadError};

/// What is wrong with a file of objects.
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
        /// What the parser says.
        problem: String,
    },
    /// The text goes beyond a limit of the parser, or has no position for its mistake.
    #[error("{file}, document {document}: {problem}")]
    Document {
        /// The file.
        file: String,
        /// Document, counted from 1.
        document: usize,
        /// What the parser says.
        problem: String,
    },
    /// A field is missing, has the wrong type, or its value makes no sense.
    #[error("{place}: {field}")]
    Field {
        /// The object.
        place: Box<ObjectPlace>,
        /// The field and what is wrong with it.
        field: InvalidField,
    },
    /// There is no HPA among the objects.
    #[error("{file}: no HorizontalPodAutoscaler in it ({})", found(.kinds))]
    NoHpa {
        /// The file.
        file: String,
        /// Kinds that it has, and how many of each.
        kinds: Vec<(String, usize)>,
    },
    /// The file cannot be opened or read.
    #[error(transparent)]
    Open(#[from] ReadError),
}

/// Where an object stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectPlace {
    /// The file.
    pub file: String,
    /// Document, counted from 1.
    pub document: usize,
    /// Index in the lists round it, as a path such as `items[3]`; empty: it is the document.
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

/// A file that is not named like one of objects is probably none.
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
