//! What a page is made from.

use crate::{model::Switches, trace::Upstream};

use super::case::Case;

/// One thing that the controller decides, with its page.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// The stable id in kebab case: name of the file, argument of `--learn`.
    pub id: &'static str,
    /// Heading of the page.
    pub title: &'static str,
    /// What the step answers, in one sentence.
    pub answers: &'static str,
    /// Where in a pass it stands.
    pub chapter: Chapter,
    /// The functions that the page tells, its own first. Empty: it tells a part of other pages' functions.
    pub functions: &'static [Upstream],
    /// The functions of other pages of which this page tells a part.
    pub part_of: &'static [Upstream],
    /// What it works on.
    pub inputs: &'static [Input],
    /// The formula or the rules in order, as lines of up to 76 columns.
    pub formula: &'static str,
    /// What the formula doesn't say, one item each.
    pub remarks: &'static [&'static str],
    /// The rules of `lint` that concern it: code and name.
    pub rules: &'static [(&'static str, &'static str)],
    /// What is often believed, and what is so.
    pub(super) beliefs: &'static [(&'static str, &'static str)],
    /// What differs between versions of Kubernetes, oldest first.
    pub(super) differences: &'static [Difference],
    /// Makes the picture: lines of up to 76 columns.
    pub(super) picture: fn() -> String,
    /// Makes the worked numbers: Markdown.
    pub(super) worked: fn() -> String,
    /// How `explain` shows it.
    pub(super) shown: Shown,
}

/// A value that a step works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// What it is called.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// Where the controller has it from.
    pub from: &'static str,
}

/// An input in one line.
pub(super) const fn input(name: &'static str, unit: &'static str, from: &'static str) -> Input {
    Input { name, unit, from }
}

/// The parts of a pass, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chapter {
    /// When a pass happens, and what it begins with.
    Begin,
    /// Whether the metrics are asked, and whose pods they are about.
    Gate,
    /// What one metric is, and how it is read.
    Metric,
    /// Which pods count, and what they request.
    Pods,
    /// From a usage to a number of replicas.
    Ratio,
    /// One number from several metrics.
    Choice,
    /// What the past allows.
    Stabilize,
    /// How far one step may go.
    Limit,
    /// What is written and remembered.
    Write,
}

impl Chapter {
    /// All of them, in order.
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

/// Something that is not the same in all versions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    /// From which version on.
    pub(super) since: Since,
    /// What is different from there on.
    pub(super) text: &'static str,
    /// The same input under each minor version, if numbers show it.
    pub(super) numbers: Option<fn(u32) -> String>,
}

/// From which version on something is so.
#[derive(Clone, Copy, Debug)]
pub(super) enum Since {
    /// Where the engine's switch first changes, with the default gates.
    Switch(fn(&Switches) -> bool),
    /// A minor version: texts, timing and what the engine does not decide.
    Minor(u32),
}

/// How `explain` shows a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown {
    /// The lines of this page's own steps in a situation.
    Own(fn() -> Case),
    /// The lines of another page's steps in a situation.
    Of(&'static str, fn() -> Case),
    /// It has no line: where it can be seen nevertheless.
    Elsewhere(&'static str),
}
