//! Who else scales the target.

pub(crate) mod keda;
mod other;
pub(crate) mod progressive;
mod rivals;
pub(crate) mod vertical;

use super::{NoteTopic, NoteView, NoteWeight};
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

fn note(title: &'static str, weight: NoteWeight, text: String) -> NoteView {
    NoteView {
        topic: NoteTopic::Autoscalers,
        title,
        text,
        weight,
    }
}

/// `Deployment/web`.
fn target(cx: &ExplainContext<'_>) -> String {
    cx.facts.observation.hpa.spec.scale_target.to_string()
}
