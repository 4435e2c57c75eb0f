//! What the program knows about a page.

use hpa_engine::trace::Upstream;

/// One thing that the controller decides, with its page.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// The stable id in kebab case: name of the file, argument of `--learn`.
    pub id: &'static str,
    /// Heading of the page.
    pub title: &'static str,
    /// The question that the step answers, in one sentence.
    pub answers: &'static str,
    /// The part of a sync that it belongs to.
    pub chapter: Chapter,
    /// The functions that the page explains, its own first. Empty: it explains a part of other pages' functions.
    pub functions: &'static [Upstream],
    /// The functions of other pages that this page explains in part.
    pub part_of: &'static [Upstream],
    /// The codes of the `lint` rules that concern it.
    pub rules: &'static [&'static str],
}

/// The parts of a sync, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chapter {
    /// When a sync happens, and what it starts with.
    Begin,
    /// Whether the controller reads metrics, and of which pods.
    Gate,
    /// What a metric is, and how it is read.
    Metric,
    /// Which pods count, and what they request.
    Pods,
    /// From usage to replicas.
    Ratio,
    /// One recommendation from several metrics.
    Choice,
    /// What the recommendation history allows.
    Stabilize,
    /// How far one sync can scale.
    Limit,
    /// What is written and remembered.
    Write,
}

impl Chapter {
    /// All parts, in order.
    pub const ALL: [Self; 9] = [
        Self::Begin,
        Self::Gate,
        Self::Metric,
        Self::Pods,
        Self::Ratio,
        Self::Choice,
        Self::Stabilize,
        Self::Limit,
        Self::Write,
    ];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Begin => "The sync starts",
            Self::Gate => "The controller checks bounds and pods",
            Self::Metric => "The controller reads each metric",
            Self::Pods => "The controller groups the pods",
            Self::Ratio => "The metric asks for replicas",
            Self::Choice => "The largest recommendation wins",
            Self::Stabilize => "The stabilization window applies",
            Self::Limit => "The rate limit applies",
            Self::Write => "The controller writes the result",
        }
    }
}
