//! Blocks of reports, made once for the formats that draw them.

use crate::style::Role;

/// The headline of a page.
pub(crate) struct Headline {
    pub(crate) text: String,
    /// How good it is.
    pub(crate) role: Role,
    pub(crate) mark: &'static str,
}
