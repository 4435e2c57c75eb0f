//! The style of terminal output: color, characters and width.

use hpa_words::sanitize::{brief, one_line};
use owo_colors::OwoColorize as _;

/// The style of terminal output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether ANSI colors are used. They only repeat what words and symbols say.
    pub has_color: bool,
    /// Whether characters beyond ASCII are used.
    pub has_unicode: bool,
    /// Width in columns.
    pub width: usize,
    /// Whether a row of short texts is one line, however long, so that programs can read it.
    pub has_whole_rows: bool,
}

/// The role of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Something that changed nothing.
    Dim,
    /// An error.
    Error,
    /// What to read first.
    Strong,
    /// Plain text.
    Text,
    /// A warning, or scaling down.
    Warning,
    /// Scaling up, or all is well.
    Good,
}

/// The mark of what failed.
pub(crate) const FAILED: &str = "✗";

impl Style {
    /// No color, all characters, 80 columns: for files and for tests.
    pub const fn plain() -> Self {
        Self {
            has_color: false,
            has_unicode: true,
            width: 80,
            has_whole_rows: false,
        }
    }

    /// The same style with another width.
    #[must_use]
    pub const fn with_width(self, width: usize) -> Self {
        Self { width, ..self }
    }

    /// Colors a piece of text.
    pub fn paint(self, role: Role, text: &str) -> String {
        if !self.has_color || text.is_empty() {
            return text.to_owned();
        }
        match role {
            Role::Dim => text.dimmed().to_string(),
            Role::Error => text.red().to_string(),
            Role::Good => text.green().bold().to_string(),
            Role::Strong => text.bold().to_string(),
            Role::Text => text.to_owned(),
            Role::Warning => text.yellow().bold().to_string(),
        }
    }

    /// Makes a text safe for the terminal: removes control characters, and replaces our own non-ASCII characters if
    /// the locale cannot show them.
    pub fn clean(self, text: &str) -> String {
        let text = brief(text);
        let text = one_line(&text);
        if self.has_unicode {
            return text.into_owned();
        }
        let mut plain = String::with_capacity(text.len());
        for character in text.chars() {
            match ascii(character) {
                Some(replacement) => plain.push_str(replacement),
                None => plain.push(character),
            }
        }
        plain
    }
}

/// The ASCII replacement of our own characters.
fn ascii(character: char) -> Option<&'static str> {
    Some(match character {
        '→' => "->",
        '┌' | '┐' | '└' | '┘' | '├' | '┬' => "+",
        '▶' => ">",
        '▲' => "^",
        '▼' => "v",
        '█' => "#",
        '●' => "*",
        '○' => "o",
        '◀' => "<",
        '·' | '│' => "|",
        '…' => "..",
        '✗' | '×' => "x",
        '÷' => "/",
        '−' | '─' | '–' => "-",
        '≤' => "<=",
        '≠' => "!=",
        '∞' => "inf",
        '⌈' => "ceil(",
        '⌉' => ")",
        _ => return None,
    })
}
