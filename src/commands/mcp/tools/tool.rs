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
    /// The JSON schema of its input.
    pub(in crate::commands::mcp) schema: fn() -> Map<String, Value>,
    /// Runs its command.
    pub(in crate::commands::mcp) run: fn(Map<String, Value>, &Reach) -> anyhow::Result<Answer>,
}
