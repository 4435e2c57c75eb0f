//! What a rule reports.

use std::fmt;

use super::ObjectRef;

/// How bad it is, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No finding: what could not be checked, or had to be assumed.
    Note,
    /// Worth knowing.
    Info,
    /// Likely not what was meant.
    Warning,
    /// Rejected, provably without effect, or two writers that fight.
    Error,
}

impl Severity {
    /// As it is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// What a finding rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// The HPA's manifest alone.
    Manifest,
    /// Other manifests that were given.
    RelatedManifest,
    /// What a cluster answered.
    Live,
    /// A recording, or Events.
    History,
    /// A flag of the controller that is assumed.
    AssumedFlag,
}

impl Basis {
    /// As it is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::RelatedManifest => "related manifest",
            Self::Live => "live",
            Self::History => "history",
            Self::AssumedFlag => "assumed flag",
        }
    }
}

/// What a rule reports of one HPA. Made by [`Cx::finding`](super::Cx::finding).
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Field of the HPA, such as `spec.behavior.scaleDown`, in the shape of `autoscaling/v2` whatever its version; see
    /// `is_as_written`.
    pub path: String,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: a fragment in lower case with the actual values, without a final stop.
    pub message: String,
    /// What to do.
    pub help: String,
    /// What it rests on.
    pub basis: Basis,
    /// Other objects that have to do with it.
    pub related: Vec<RelatedObject>,
    /// Further fields of the HPA, and what they have to do with it.
    pub labels: Vec<(String, String)>,
    /// Edits that put it right, if that is unambiguous.
    pub fix: Vec<FixStep>,
    /// Whether its path is one of the API version that the manifest is written in, and not of `autoscaling/v2`.
    pub is_as_written: bool,
}

/// Another object that has to do with a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedObject {
    /// The object.
    pub object: ObjectRef,
    /// The field, such as `spec.replicas`; empty: all of it.
    pub path: String,
    /// What it has to do with the finding.
    pub note: String,
}

/// One edit of the HPA's manifest; paths are those of the text as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixStep {
    /// Takes an entry or item away, with its comments and its line.
    Remove {
        /// Path of the entry.
        path: String,
    },
    /// Gives an entry another key.
    RenameKey {
        /// Path of the entry.
        path: String,
        /// The new key.
        key: String,
    },
    /// Writes another value in place of a scalar.
    SetScalar {
        /// Path of the entry.
        path: String,
        /// The new value, as written in YAML on one line.
        text: String,
    },
    /// Adds an entry at the end of a mapping.
    Insert {
        /// Path of the mapping; empty: the document.
        path: String,
        /// Its key.
        key: String,
        /// Its value, as written in YAML on one line.
        text: String,
    },
}

impl Finding {
    /// Says what is wrong.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Another severity than the rule's.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Another basis than what the rule needs at least.
    #[must_use]
    pub fn basis(mut self, basis: Basis) -> Self {
        self.basis = basis;
        self
    }

    /// Names another object that has to do with it.
    #[must_use]
    pub fn related(
        mut self,
        object: ObjectRef,
        path: impl Into<String>,
        note: impl Into<String>,
    ) -> Self {
        self.related.push(RelatedObject {
            object,
            path: path.into(),
            note: note.into(),
        });
        self
    }

    /// Points at a further field of the HPA.
    #[must_use]
    pub fn label(mut self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.labels.push((path.into(), text.into()));
        self
    }

    /// Its path is that of the text, whatever the API version.
    #[must_use]
    pub fn as_written(mut self) -> Self {
        self.is_as_written = true;
        self
    }

    /// Adds a step of the fix.
    #[must_use]
    pub fn fix(mut self, step: FixStep) -> Self {
        self.fix.push(step);
        self
    }
}
