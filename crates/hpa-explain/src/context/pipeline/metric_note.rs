//! A note about metrics.

use crate::NoteWeight;

/// A note about one metric, or about several with the same text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MetricNote {
    pub(super) weight: NoteWeight,
    pub(super) text: String,
}

impl MetricNote {
    pub(super) fn warning(text: impl Into<String>) -> Self {
        Self::new(NoteWeight::Warning, text)
    }

    pub(super) fn normal(text: impl Into<String>) -> Self {
        Self::new(NoteWeight::Normal, text)
    }

    pub(super) fn detail(text: impl Into<String>) -> Self {
        Self::new(NoteWeight::Detail, text)
    }

    pub(super) fn new(weight: NoteWeight, text: impl Into<String>) -> Self {
        Self {
            weight,
            text: text.into(),
        }
    }
}
