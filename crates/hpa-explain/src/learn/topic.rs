//! What the program knows about a page.

use crate::trace::Upstream;

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
    /// The functions of other pages that this page explains a part of.
    pub part_of: &'static [Upstream],
    /// The codes of the `lint` rules that concern it.
    pub rules: &'static [&'static str],
}

/// The parts of a sync, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chapter {
    /// When a sync happens, and how it starts.
    Begin,
    /// Whether the metrics are read, and which pods they cover.
    Gate,
    /// What a metric is, and how it is read.
    Metric,
    /// Which pods count, and what they request.
    Pods,
    /// From a usage to a number of replicas.
    Ratio,
    /// One number from several metrics.
    Choice,
    /// What the recommendation history allows.
    Stabilize,
    /// How far one step may go.
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
            Self::Begin => "A pass begins",
            Self::Gate => "Whether the metrics are asked",
            Self::Metric => "Each metric is read",
            Self::Pods => "Its pods are sorted",
            Self::Ratio => "It proposes a number",
            Self::Choice => "The largest proposal wins",
            Self::Stabilize => "The past holds it",
            Self::Limit => "The step is limited",
            Self::Write => "The result is written",
        }
    }
}
