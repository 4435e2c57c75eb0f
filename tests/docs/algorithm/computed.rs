//! The parts of a page that the engine computes.

use hpa_engine::model::Switches;
use hpa_testing::World;

/// The parts of a page that are not prose.
#[derive(Clone, Copy)]
pub(super) struct Computed {
    /// The page's id.
    pub(super) id: &'static str,
    /// Draws the picture: lines of up to 76 columns.
    pub(super) picture: fn() -> String,
    /// Computes the worked numbers as Markdown.
    pub(super) worked: fn() -> String,
    /// The differences between versions of Kubernetes, in the order of the page's list.
    pub(super) differences: &'static [Difference],
    /// How `explain` shows the step.
    pub(super) displayed: Displayed,
}

/// A difference between versions.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    /// The version where it starts.
    pub(super) since: Since,
    /// The same input under each minor version, if numbers show the difference.
    pub(super) numbers: Option<fn(u32) -> String>,
}

/// The version where something starts.
#[derive(Clone, Copy)]
pub(super) enum Since {
    /// Where the engine's switch first changes, with default gates.
    Switch(fn(&Switches) -> bool),
    /// A minor version, for texts, timing and what the engine does not decide.
    Minor(u32),
}

/// How `explain` shows a step.
#[derive(Clone, Copy)]
pub(super) enum Displayed {
    /// The lines of this page's own steps in a situation.
    Own(fn() -> World),
    /// The lines of another page's steps in a situation.
    Of(&'static str, fn() -> World),
    /// It has no line: the page says where else it is visible.
    Elsewhere,
}
