//! The start of a page.

use crate::command::ShellCommand;

/// The start of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FullAnswer {
    /// Full sentences: what is wrong, why, and what to do.
    pub sentences: Vec<String>,
    /// Whether there is nothing to do.
    pub is_well: bool,
    /// The command that leads further, quoted for a shell.
    pub command: Option<String>,
}

impl FullAnswer {
    pub(super) fn new(
        sentences: Vec<String>,
        is_well: bool,
        command: Option<ShellCommand>,
    ) -> Self {
        Self {
            sentences,
            is_well,
            command: command.map(ShellCommand::into_text),
        }
    }

    /// All sentences, and that there is nothing to do.
    pub fn text(&self) -> String {
        let advice = self.is_well.then_some("Nothing to do.");
        let sentences = self.sentences.iter().map(String::as_str).chain(advice);
        sentences.collect::<Vec<_>>().join(" ")
    }
}
