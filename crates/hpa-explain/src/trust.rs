//! How reliable a page is.

/// One line of the section on how reliable the page is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustView {
    /// `matches`, `mismatch`, `assumed`, `missing`.
    pub title: &'static str,
    /// The text.
    pub text: String,
    /// Whether the reader should be warned.
    pub is_warning: bool,
    /// Whether only `--verbose` shows it.
    pub is_detail: bool,
}
