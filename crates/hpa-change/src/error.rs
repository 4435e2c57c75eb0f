//! Why a change cannot be made.

use hpa_objects::{
    manifest::{self, validation::Violation},
    recording::InvalidField,
};

/// Why a change cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The field does not exist.
    #[error("{path}: no such field. {hint}")]
    UnknownField {
        /// The path as far as it was followed.
        path: String,
        /// The nearest known field, or all known fields.
        hint: String,
    },
    /// A metric is named instead of a field.
    #[error(
        "--set {name}={value}: {name} is a metric, not a field of the spec.\nTo change its target:\n  {target}\nTo see which load changes the result:\n  --what-if"
    )]
    Metric {
        /// The metric.
        name: String,
        /// The value.
        value: String,
        /// The `--set` that changes its target.
        target: String,
    },
    /// The value has another type.
    #[error("{path}: expected {expected}, found {found}")]
    WrongType {
        /// The field.
        path: String,
        /// The type that the field has.
        expected: &'static str,
        /// The value that was given.
        found: String,
    },
    /// The value cannot be parsed, or is not valid.
    #[error("{0}")]
    Value(InvalidField),
    /// The list has no such entry.
    #[error("{path}: {problem}")]
    NoEntry {
        /// The entry.
        path: String,
        /// The existing entries.
        problem: String,
    },
    /// The field to remove is not set.
    #[error("{path}: is not set, so it cannot be removed")]
    NotSet {
        /// The field.
        path: String,
    },
    /// The API server would reject the spec.
    #[error("HPA {hpa}: the API server would refuse this spec:{}{}", listed(.violations), noted(.notes))]
    Invalid {
        /// `namespace/name`.
        hpa: String,
        /// All violations.
        violations: Vec<Violation>,
        /// An explanation.
        notes: Vec<String>,
    },
    /// The file has no HPA with that name.
    #[error("{file} has no HPA {hpa}. It has {found}")]
    NotInFile {
        /// The file.
        file: String,
        /// `namespace/name`.
        hpa: String,
        /// The HPAs in the file.
        found: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Manifest(#[from] manifest::ManifestError),
}

fn listed(violations: &[Violation]) -> String {
    lines("* ", violations)
}

fn noted(notes: &[String]) -> String {
    lines("note: ", notes)
}

fn lines<T: std::fmt::Display>(mark: &str, entries: &[T]) -> String {
    entries.iter().fold(String::new(), |text, entry| {
        format!("{text}\n{mark}{entry}")
    })
}
