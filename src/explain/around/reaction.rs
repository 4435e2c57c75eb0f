//! How long it takes from load to ready pods.

use super::NoteView;
use crate::explain::Story;

/// How long it takes from load to ready pods.
pub(super) fn notes(_story: &Story<'_>) -> Vec<NoteView> {
    Vec::new()
}
