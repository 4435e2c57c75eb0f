//! Output formats of `kubectl hpa lint`.

use clap::ValueEnum;

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people: the lines concerned, and what to do.
    Text,
    /// One line for each finding.
    Concise,
    /// For programs; the schema is docs/schema/lint.json.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// A code quality report of GitLab.
    Gitlab,
    /// JUnit XML, for Jenkins and others.
    Junit,
    /// Checkstyle XML.
    Checkstyle,
}

impl LintFormat {
    /// Whether it has a place for what could not be checked.
    pub fn has_notes(self) -> bool {
        matches!(self, Self::Text | Self::Json | Self::Sarif)
    }
}
