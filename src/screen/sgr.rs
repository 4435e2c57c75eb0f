//! Lines with the ANSI colors of `render::style` to lines of the screen: each color there has a meaning, which gets the
//! look that it has on this screen.

use ratatui::{
    style::{Modifier, Style},
    text::{Line, Span},
};

use super::palette::{Palette, Role};
use crate::render::sanitize;

/// Turns a page into lines. Escape sequences other than those of colors vanish, and so do control characters.
pub(super) fn lines(page: &str, palette: Palette) -> Vec<Line<'static>> {
    let mut state = State::default();
    page.lines()
        .map(|line| {
            let mut spans = Vec::new();
            let mut rest = line;
            while let Some(start) = rest.find(BEGIN) {
                state.push(&mut spans, &rest[..start], palette);
                let after = &rest[start + BEGIN.len()..];
                // Parameters, then one letter that says what the sequence does: `m` is color.
                let end = after
                    .find(|letter: char| !matches!(letter, ' '..='?'))
                    .unwrap_or(after.len());
                let (codes, end) = after.split_at(end);
                if end.starts_with('m') {
                    state.take(codes);
                }
                rest = end
                    .strip_prefix(|letter: char| matches!(letter, '@'..='~'))
                    .unwrap_or(end);
            }
            state.push(&mut spans, rest, palette);
            Line::from(spans)
        })
        .collect()
}

/// What the codes so far have switched on.
#[derive(Clone, Copy, Default)]
struct State {
    is_bold: bool,
    is_dim: bool,
    color: Option<Role>,
}

impl State {
    fn take(&mut self, codes: &str) {
        for code in codes.split(';') {
            match code {
                "" | "0" => *self = Self::default(),
                "1" => self.is_bold = true,
                "2" => self.is_dim = true,
                "22" => (self.is_bold, self.is_dim) = (false, false),
                "31" | "91" => self.color = Some(Role::Error),
                "32" | "92" => self.color = Some(Role::Good),
                "33" | "93" => self.color = Some(Role::Warning),
                "39" => self.color = None,
                _ => {}
            }
        }
    }

    fn push(self, spans: &mut Vec<Span<'static>>, text: &str, palette: Palette) {
        let text = sanitize::one_line(text);
        if text.is_empty() {
            return;
        }
        let mut style = self.color.map_or(Style::new(), |role| palette.of(role));
        if self.is_bold {
            style = style.add_modifier(Modifier::BOLD);
        }
        if self.is_dim {
            style = style.add_modifier(Modifier::DIM);
        }
        spans.push(Span::styled(text.into_owned(), style));
    }
}

const BEGIN: &str = "\u{1b}[";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Style as Written, style::Role as Meaning};

    const COLOR: Palette = Palette { has_color: true };

    #[test]
    fn colors_of_pages_keep_their_meaning() {
        let style = Written {
            has_color: true,
            ..Written::plain()
        };
        for (meaning, role) in [
            (Meaning::Good, Role::Good),
            (Meaning::Warning, Role::Warning),
            (Meaning::Strong, Role::Strong),
            (Meaning::Dim, Role::Dim),
        ] {
            let page = format!("a {} b", style.paint(meaning, "word"));
            let [line] = lines(&page, COLOR).try_into().unwrap();
            let words: Vec<&str> = line.spans.iter().map(|span| &*span.content).collect();
            assert_eq!(words, ["a ", "word", " b"]);
            assert_eq!(line.spans[1].style, COLOR.of(role), "{meaning:?}");
            assert_eq!(line.spans[2].style, Style::new());
        }
    }

    #[test]
    fn other_sequences_never_reach_the_terminal() {
        let page = "a\u{1b}[2Jb\u{1b}]0;title\u{7}c\u{1b}[38;5;1md\u{202e}e\u{1b}[";
        let text: String = lines(page, COLOR)[0]
            .spans
            .iter()
            .map(|span| span.content.clone())
            .collect();
        assert_eq!(text, "abcde");
    }
}
