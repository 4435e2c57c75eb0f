//! Notes on the context of the decision: the metrics pipeline, the pods, other writers and autoscalers, and what
//! happens to the replicas.

pub(super) mod autoscalers;
pub(super) mod downstream;
pub(super) mod external;
pub(super) mod history;
pub(super) mod pipeline;
pub(super) mod pods;
mod reaction;
pub(super) mod reconciling;
pub(super) mod writers;

use crate::{
    ExplainContext,
    note::{NoteTopic, NoteView, NoteWeight},
};

pub use downstream::impossible_sample;
pub use pods::memory::raise_memory;
pub use writers::writer_name;

impl ExplainContext<'_> {
    /// What stands around the decision, in the order of the page. The answer and the page ask for the same notes.
    pub(super) fn notes(&self) -> &[NoteView] {
        self.notes.get_or_init(|| notes(self))
    }

    /// Whether one of them says that something is wrong, or will be.
    pub(super) fn has_warning(&self) -> bool {
        let mut notes = self.notes().iter();
        notes.any(|note| note.weight == NoteWeight::Warning)
    }
}

/// All notes, in the order of the page.
fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    [
        pods::notes(cx),
        pipeline::notes(cx),
        downstream::notes(cx),
        writers::notes(cx),
        autoscalers::notes(cx),
        reaction::notes(cx),
        history::notes(cx),
    ]
    .concat()
}
