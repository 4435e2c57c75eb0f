//! Who else scales the target.

pub(crate) mod keda;
mod other;
pub(crate) mod progressive;
mod rivals;
pub(crate) mod vertical;

use super::NoteView;
use crate::ExplainContext;

/// Who else scales the target: other HPAs, KEDA, VerticalPodAutoscalers and progressive delivery.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let mut notes = rivals::notes(cx);
    notes.extend(keda::notes(cx));
    notes.extend(vertical::notes(cx));
    notes.extend(progressive::notes(cx));
    notes.extend(other::notes(cx));
    notes
}
