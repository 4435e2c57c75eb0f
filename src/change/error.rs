//! Why a change cannot be made.

use crate::{manifest, manifest::validation::Violation, recording::InvalidField};

/// Why a change cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// There is no such field.
    #[error("{path}: no such field. {hint}")]
    UnknownField {
        /// The path as far as it was followed.
        path: String,
        /// The nearest known field, or all that there are.
        hint: String,
    },
    /// A metric is named instead of a field.
    #[error(
        "--set {name}={value}: {name} is a metric, not a field of the spec.\nTo change its target:\n  {target}\nTo see which load changes the result:\n  --what-if"
    )]
    Metric {
        /// The metric.
        name: String,
        /// What was to be set.
        value: String,
        /// The `--set` that changes its target.
        target: String,
    },
    /// The value is of another type.
    #[error("{path}: expected {expected}, found {found}")]
    WrongType {
        /// The field.
        path: String,
        /// What it holds.
        expected: &'static str,
        /// What it was given.
        found: String,
    },
    /// The value cannot be read at all, or makes no sense.
    #[error("{0}")]
    Value(InvalidField),
    /// A list has no such entry.
    #[error("{path}: {problem}")]
    NoEntry {
        /// The entry.
        path: String,
        /// What there is.
        problem: String,
    },
    /// The field to remove isn't there.
    #[error("{path}: is not set, so it cannot be removed")]
    NotSet {
        /// The field.
        path: String,
    },
    /// The API server would refuse the spec.
    #[error("HPA {hpa}: the API server would refuse this spec:{}{}", listed(.violations), noted(.notes))]
    Invalid {
        /// `namespace/name`.
        hpa: String,
        /// All that is wrong.
        violations: Vec<Violation>,
        /// What explains it.
        notes: Vec<String>,
    },
    /// The file has no HPA of that name.
    #[error("{file} has no HPA {hpa}. It has {found}")]
    NotInFile {
        /// The file.
        file: String,
        /// `namespace/name`.
        hpa: String,
        /// What it has.
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
