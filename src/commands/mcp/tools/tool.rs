//! What a tool consists of.

use serde_json::{Map, Value};

use crate::commands::{answer::Answer, mcp::reach::Reach};

/// A tool.
pub(in crate::commands::mcp) struct HpaTool {
    /// Its name in the protocol.
    pub(in crate::commands::mcp) name: &'static str,
    /// Its name for people.
    pub(in crate::commands::mcp) title: &'static str,
    /// When to use it, and what it answers.
    pub(in crate::commands::mcp) description: &'static str,
    /// Whether it can compute for long: only a few of these run at the same time.
    pub(in crate::commands::mcp) is_long: bool,
    /// The field of the answer that has the rows of a list.
    pub(in crate::commands::mcp) rows: &'static str,
    /// Their order, for a sentence about a part of them.
    pub(in crate::commands::mcp) order: &'static str,
    /// The fields of a row, unless the client asks for others; none: all.
    pub(in crate::commands::mcp) short: &'static [&'static str],
    /// The JSON schema of its input.
    pub(in crate::commands::mcp) schema: fn() -> Map<String, Value>,
    /// Runs its command.
    pub(in crate::commands::mcp) run: fn(Map<String, Value>, &Reach) -> anyhow::Result<Answer>,
}
