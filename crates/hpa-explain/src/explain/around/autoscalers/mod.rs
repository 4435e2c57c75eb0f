//! Who else scales the target.

mod keda;
mod other;
mod progressive;
mod rivals;
mod vertical;

use super::{NoteView, NoteWeight, Topic};
use crate::explain::Story;

/// Who else scales the target: other HPAs, KEDA, VerticalPodAutoscalers, and what stands in between.
pub(super) fn notes(story: &Story<'_>) -> Vec<NoteView> {
    let mut notes = rivals::notes(story);
    notes.extend(keda::notes(story));
    notes.extend(vertical::notes(story));
    notes.extend(progressive::notes(story));
    notes.extend(other::notes(story));
    notes
}

fn note(title: &'static str, weight: NoteWeight, text: String) -> NoteView {
    NoteView {
        topic: Topic::Autoscalers,
        title,
        text,
        weight,
    }
}

/// `Deployment/web`.
fn target(story: &Story<'_>) -> String {
    story.facts.observation.hpa.spec.scale_target.to_string()
}
