//! One note on the context of the decision.

/// One note on the context of the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteView {
    /// What it is about.
    pub topic: NoteTopic,
    /// Its title on the page, one word.
    pub title: &'static str,
    /// The text: full sentences or numbers with their names, without layout.
    pub text: String,
    /// How important it is.
    pub weight: NoteWeight,
}

/// What a note is about, in the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteTopic {
    /// The decision itself: what keeps the replicas at their number.
    Decision,
    /// The pods that the selector matches, their requests and their owners.
    Pods,
    /// Who serves the metrics, and how old the samples are.
    Pipeline,
    /// What happens to the replicas after the write.
    Downstream,
    /// Who else writes the replicas.
    Writers,
    /// Who else scales the target.
    Autoscalers,
    /// How long it takes from load to ready pods.
    Reaction,
    /// How the replicas changed so far.
    History,
}

/// How important a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteWeight {
    /// Something is wrong, or will be: always on the page, marked.
    Warning,
    /// It affects the verdict: always on the page.
    Normal,
    /// Only with `--verbose` and in JSON.
    Detail,
}

impl NoteTopic {
    /// A note about it.
    pub(super) fn note(self, title: &'static str, weight: NoteWeight, text: String) -> NoteView {
        NoteView {
            topic: self,
            title,
            text,
            weight,
        }
    }

    /// The topic as a JSON string.
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
    /// The weight as a JSON string.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Normal => "normal",
            Self::Detail => "detail",
        }
    }
}
