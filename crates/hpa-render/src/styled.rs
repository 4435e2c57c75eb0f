//! Text whose pieces have a role, before the colors of a terminal or of the full screen are applied.

use hpa_words::wrap::wrap;
use unicode_width::UnicodeWidthStr as _;

use super::style::{Role, Style};

/// Lines of pieces. No line ends with blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyledText {
    lines: Vec<Vec<(Role, String)>>,
}

impl StyledText {
    /// The lines.
    pub fn lines(&self) -> &[Vec<(Role, String)>] {
        &self.lines
    }

    /// The text with the ANSI colors of `style`.
    pub fn paint(&self, style: Style) -> String {
        let mut out = String::new();
        for line in &self.lines {
            for (role, piece) in line {
                let text = piece.trim_end();
                out.push_str(&style.paint(*role, text));
                out.push_str(&piece[text.len()..]);
            }
            out.push('\n');
        }
        out
    }

    /// Adds a line.
    pub fn push(&mut self, mut line: Vec<(Role, String)>) {
        while let Some((_, piece)) = line.last_mut() {
            piece.truncate(piece.trim_end().len());
            if !piece.is_empty() {
                break;
            }
            line.pop();
        }
        self.lines.push(line);
    }

    /// Adds lines.
    pub fn extend(&mut self, lines: impl IntoIterator<Item = Vec<(Role, String)>>) {
        for line in lines {
            self.push(line);
        }
    }

    /// Adds a line of one role.
    pub fn push_line(&mut self, role: Role, line: impl Into<String>) {
        self.push(vec![(role, line.into())]);
    }

    /// Adds a heading in one line, or in two if it does not fit.
    pub fn push_heading(&mut self, what: &str, how: &str, style: Style) {
        let one = style.clean(&format!("{what}   {how}"));
        if one.width() <= style.width {
            return self.push_line(Role::Text, one);
        }
        self.push_line(Role::Text, style.clean(what));
        self.push_line(Role::Text, style.clean(how));
    }

    /// Adds a paragraph of one role, wrapped and safe for the terminal.
    pub fn push_wrapped(&mut self, role: Role, text: &str, style: Style) {
        for line in wrap(&style.clean(text), style.width) {
            self.push_line(role, line);
        }
    }

    /// Adds an empty line.
    pub fn push_blank(&mut self) {
        self.push(Vec::new());
    }
}
