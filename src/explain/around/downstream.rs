//! What becomes of the replicas.

use super::NoteView;
use crate::explain::Story;

/// What becomes of the replicas.
pub(super) fn notes(_story: &Story<'_>) -> Vec<NoteView> {
    Vec::new()
}
