//! Marks of the user.

use jiff::Timestamp;

/// A mark set by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its time.
    pub at: Timestamp,
    /// The user's text; may be empty.
    pub note: String,
}
