//! What the engine computes for a page.

use kubectl_hpa::model::Switches;

use super::case::Case;

/// The parts of a page that are not prose.
#[derive(Clone, Copy)]
pub(super) struct Computed {
    /// The page's id.
    pub(super) id: &'static str,
    /// Makes the picture: lines of up to 76 columns.
    pub(super) picture: fn() -> String,
    /// Makes the worked numbers: Markdown.
    pub(super) worked: fn() -> String,
    /// What differs between versions of Kubernetes, in the order of the page's list.
    pub(super) differences: &'static [Difference],
    /// How `explain` shows it.
    pub(super) displayed: Displayed,
}

/// Something that is not the same in all versions.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    /// From which version on.
    pub(super) since: Since,
    /// The same input under each minor version, if numbers show it.
    pub(super) numbers: Option<fn(u32) -> String>,
}

/// From which version on something is so.
#[derive(Clone, Copy)]
pub(super) enum Since {
    /// Where the engine's switch first changes, with the default gates.
    Switch(fn(&Switches) -> bool),
    /// A minor version: texts, timing and what the engine does not decide.
    Minor(u32),
}

/// How `explain` shows a step.
#[derive(Clone, Copy)]
pub(super) enum Displayed {
    /// The lines of this page's own steps in a situation.
    Own(fn() -> Case),
    /// The lines of another page's steps in a situation.
    Of(&'static str, fn() -> Case),
    /// It has no line: the page says where it can be seen nevertheless.
    Elsewhere,
}
