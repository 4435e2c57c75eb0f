//! The tools, one file each: description, input, and the command that answers.

mod explain;
mod history;
mod lint;
mod list;
mod simulate;

use serde_json::{Map, Value};

use crate::commands::{answer::Answer, mcp::reach::Reach};

/// A tool.
pub(super) struct HpaTool {
    /// Its name in the protocol.
    pub(super) name: &'static str,
    /// Its name for people.
    pub(super) title: &'static str,
    /// When to use it, and what it answers.
    pub(super) description: &'static str,
    /// Whether it can compute for long: only a few of these run at the same time.
    pub(super) is_long: bool,
    /// The JSON schema of its input.
    pub(super) schema: fn() -> Map<String, Value>,
    /// Runs its command.
    pub(super) run: fn(Map<String, Value>, &Reach) -> anyhow::Result<Answer>,
}

/// All tools.
pub(super) const TOOLS: [HpaTool; 5] = [
    list::TOOL,
    explain::TOOL,
    lint::TOOL,
    simulate::TOOL,
    history::TOOL,
];
