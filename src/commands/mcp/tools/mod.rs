//! The tools, one file each: description, input, and the command that answers.

mod explain;
mod history;
mod lint;
mod list;
mod simulate;
mod tool;

pub(super) use tool::HpaTool;

/// All tools.
pub(super) const TOOLS: [HpaTool; 5] = [
    list::TOOL,
    explain::TOOL,
    lint::TOOL,
    simulate::TOOL,
    history::TOOL,
];
