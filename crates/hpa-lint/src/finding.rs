//! What a rule reports.

use std::{borrow::Cow, fmt, sync::Arc};

use thin_vec::ThinVec;

use super::ObjectRef;

/// The severity of a finding, in rising order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Not a finding: something that could not be checked or was assumed.
    Note,
    /// Worth knowing.
    Info,
    /// Probably not intended.
    Warning,
    /// Rejected, provably without effect, or two conflicting writers.
    Error,
}

impl Severity {
    /// The printed name.
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

/// The evidence for a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// The HPA's manifest alone.
    Manifest,
    /// Other given manifests.
    RelatedManifest,
    /// A cluster.
    Live,
    /// A recording, or Events.
    History,
    /// An assumed flag of the controller.
    AssumedFlag,
}

impl Basis {
    /// The printed name.
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

/// A text of a finding. Most are the same words each time; a run keeps thousands of findings.
pub type FindingText = Cow<'static, str>;

/// What a rule reports about one HPA. Created by [`Cx::finding`](super::Cx::finding).
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Field of the HPA, such as `spec.behavior.scaleDown`. A path of `autoscaling/v2` in every version; but see
    /// `is_as_written`.
    pub path: FindingText,
    /// Severity.
    pub severity: Severity,
    /// The problem: a lower-case fragment with the actual values, without a full stop.
    pub message: FindingText,
    /// How to fix it.
    pub help: FindingText,
    /// The evidence.
    pub basis: Basis,
    /// Other objects involved.
    pub related: ThinVec<RelatedObject>,
    /// Further fields of the HPA, each with its role in the finding.
    pub labels: ThinVec<(FindingText, FindingText)>,
    /// Edits that fix it, if there is only one right fix.
    pub fix: ThinVec<FixStep>,
    /// Whether `path` refers to the manifest's own API version, not to `autoscaling/v2`.
    pub is_as_written: bool,
}

/// Another object involved in a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedObject {
    /// The object.
    pub object: Arc<ObjectRef>,
    /// The field, such as `spec.replicas`. Empty: the whole object.
    pub path: FindingText,
    /// Its role in the finding.
    pub note: FindingText,
}

/// One edit of the HPA's manifest. Paths refer to the text as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixStep {
    /// Removes an entry or item, with its comments and its line.
    Remove {
        /// Path of the entry.
        path: String,
    },
    /// Renames the key of an entry.
    RenameKey {
        /// Path of the entry.
        path: String,
        /// The new key.
        key: String,
    },
    /// Replaces a scalar.
    SetScalar {
        /// Path of the entry.
        path: String,
        /// The new value, as YAML on one line.
        text: String,
    },
    /// Appends an entry to a mapping.
    Insert {
        /// Path of the mapping. Empty: the document.
        path: String,
        /// Its key.
        key: String,
        /// Its value, as YAML on one line.
        text: String,
    },
}

impl Finding {
    /// Gives back the room that its texts and lists do not need: a run keeps thousands of findings.
    pub(super) fn shrink_to_fit(&mut self) {
        for text in [&mut self.path, &mut self.message, &mut self.help] {
            if let Cow::Owned(text) = text {
                text.shrink_to_fit();
            }
        }
        self.related.shrink_to_fit();
        self.labels.shrink_to_fit();
        self.fix.shrink_to_fit();
    }

    /// Sets the problem.
    #[must_use]
    pub fn message(mut self, message: impl Into<FindingText>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<FindingText>) -> Self {
        self.help = help.into();
        self
    }

    /// Sets another severity than the rule's.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets other evidence than the rule's minimum.
    #[must_use]
    pub fn basis(mut self, basis: Basis) -> Self {
        self.basis = basis;
        self
    }

    /// Adds another object involved.
    #[must_use]
    pub fn related(
        mut self,
        object: impl Into<Arc<ObjectRef>>,
        path: impl Into<FindingText>,
        note: impl Into<FindingText>,
    ) -> Self {
        self.related.push(RelatedObject {
            object: object.into(),
            path: path.into(),
            note: note.into(),
        });
        self
    }

    /// Adds a further field of the HPA.
    #[must_use]
    pub fn label(mut self, path: impl Into<FindingText>, text: impl Into<FindingText>) -> Self {
        self.labels.push((path.into(), text.into()));
        self
    }

    /// Marks `path` as one of the manifest's own API version.
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

/// Whether a field equals another one or is within it. Every field is within the whole object.
pub fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}
