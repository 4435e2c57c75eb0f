//! Error texts and the releases in which they changed.

use crate::model::KubeVersion;

/// The release whose error texts are used. They end up in conditions of the HPA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wording {
    /// `bytes` instead of `characters`, `a valid label key` instead of `a qualified name` (1.35).
    pub has_bytes_wording: bool,
    /// Lists of values as JSON instead of Go syntax (1.34).
    pub lists_as_json: bool,
    /// An operator is one of a `label selector` instead of a `pod selector` (1.26).
    pub has_label_selector_wording: bool,
}

impl Wording {
    /// The wording of `version`.
    pub fn of(version: KubeVersion) -> Self {
        Self {
            has_bytes_wording: 35 <= version.minor,
            lists_as_json: 34 <= version.minor,
            has_label_selector_wording: 26 <= version.minor,
        }
    }
}

/// A text or object that is not a label selector, in the words of `k8s.io/apimachinery`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseSelectorError(pub String);
