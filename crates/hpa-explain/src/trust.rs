//! How reliable a page is.

use crate::NoteWeight;

/// One line of the section on how reliable the page is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustView {
    /// `matches`, `mismatch`, `assumed`, `missing`.
    pub title: &'static str,
    /// The text.
    pub text: String,
    /// How important it is.
    pub weight: NoteWeight,
}
