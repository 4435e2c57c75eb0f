//! Who else scales the target.

use super::NoteView;
use crate::explain::Story;

/// Who else scales the target.
pub(super) fn notes(_story: &Story<'_>) -> Vec<NoteView> {
    Vec::new()
}
