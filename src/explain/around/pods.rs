//! The pods behind the selector.

use super::NoteView;
use crate::explain::Story;

/// The pods behind the selector.
pub(super) fn notes(_story: &Story<'_>) -> Vec<NoteView> {
    Vec::new()
}
