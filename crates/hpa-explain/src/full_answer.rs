//! The start of a page.

use crate::command::ShellCommand;

/// The start of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FullAnswer {
    /// Full sentences: what is so, why, and what to do, or why there is nothing to do.
    pub sentences: Vec<String>,
    /// The command that leads further, quoted for a shell.
    pub command: Option<String>,
}

impl FullAnswer {
    pub(super) fn new(sentences: Vec<String>, command: Option<ShellCommand>) -> Self {
        Self {
            sentences,
            command: command.map(ShellCommand::into_text),
        }
    }

    /// All sentences.
    pub fn text(&self) -> String {
        self.sentences.join(" ")
    }
}
