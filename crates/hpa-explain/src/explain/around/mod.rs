//! What stands around the decision: the metrics pipeline, the pods, other writers and autoscalers, what becomes of the replicas.

pub(super) mod autoscalers;
pub(super) mod downstream;
pub(super) mod history;
pub(super) mod pipeline;
pub(super) mod pods;
mod reaction;
pub(super) mod writers;

pub use downstream::impossible_sample;
pub use writers::{writer_is_autoscaler, writer_name};

use crate::explain::ExplainContext;

/// One note about what stands around the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteView {
    /// What it is about.
    pub topic: NoteTopic,
    /// What the page calls it, one word.
    pub title: &'static str,
    /// The text: full sentences or numbers with their names, without layout.
    pub text: String,
    /// How it matters.
    pub weight: NoteWeight,
}

/// What a note is about, in the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteTopic {
    /// The decision itself: what keeps the replicas where they are.
    Decision,
    /// The pods behind the selector, their requests and their owners.
    Pods,
    /// Who serves the metrics, and how old the samples are.
    Pipeline,
    /// What becomes of the replicas.
    Downstream,
    /// Who else writes the replicas.
    Writers,
    /// Who else scales the target.
    Autoscalers,
    /// How long it takes from load to ready pods.
    Reaction,
    /// How the replicas went so far.
    History,
}

/// How a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteWeight {
    /// Something is wrong, or will be: always on the page, marked.
    Warning,
    /// It matters to the verdict: always on the page.
    Normal,
    /// For those who ask for everything (`--verbose`), and for programs.
    Detail,
}

impl NoteTopic {
    /// The topic as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Pods => "pods",
            Self::Pipeline => "pipeline",
            Self::Downstream => "downstream",
            Self::Writers => "writers",
            Self::Autoscalers => "autoscalers",
            Self::Reaction => "reaction",
            Self::History => "history",
        }
    }
}

impl NoteWeight {
    /// The weight as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Normal => "normal",
            Self::Detail => "detail",
        }
    }
}

/// All notes, in the order of the page.
pub(super) fn around(cx: &ExplainContext<'_>) -> Vec<NoteView> {
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
