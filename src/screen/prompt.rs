//! A line of input: the filter, a search, a note, or a file name.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use hpa_words::sanitize;
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use super::{
    cx::DrawContext,
    palette::ScreenRole,
    text::{self, draw_line},
};

/// A line of input.
#[derive(Debug)]
pub(super) struct Prompt {
    pub(super) purpose: Purpose,
    text: String,
    /// The position of the cursor, in bytes.
    cursor: usize,
}

/// The purpose of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The filter of the table, with its previous value.
    Filter { before: String },
    /// The text of a mark.
    Note,
    /// The name of the file to save to.
    Save,
    /// What to search for in a page.
    Search,
}

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// The input continues.
    On,
    /// It is done.
    Done,
    /// It is canceled.
    GivenUp,
}

impl Prompt {
    /// A line that starts with `text`.
    pub(super) fn new(purpose: Purpose, text: String) -> Self {
        Self {
            purpose,
            cursor: text.len(),
            text,
        }
    }

    /// What was typed.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Handles a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> Typed {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => return Typed::Done,
            KeyCode::Esc => return Typed::GivenUp,
            KeyCode::Char('c' | 'g') if is_control => return Typed::GivenUp,
            KeyCode::Char('a') if is_control => self.cursor = 0,
            KeyCode::Char('e') if is_control => self.cursor = self.text.len(),
            KeyCode::Char('u') if is_control => self.remove(0, self.cursor),
            KeyCode::Char('k') if is_control => self.remove(self.cursor, self.text.len()),
            KeyCode::Char('w') if is_control => self.remove(self.word(), self.cursor),
            KeyCode::Backspace => self.remove(self.before(), self.cursor),
            KeyCode::Delete => self.remove(self.cursor, self.after()),
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Char(letter) if !is_control => {
                self.insert(letter.encode_utf8(&mut [0; 4]));
            }
            _ => {}
        }
        Typed::On
    }

    /// Inserts letters, also pasted ones. Control characters are dropped, and it stays one line.
    pub(super) fn insert(&mut self, letters: &str) {
        let letters = sanitize::one_line(letters);
        let room = MOST_BYTES.saturating_sub(self.text.len());
        let end = (0..=room.min(letters.len()))
            .rev()
            .find(|end| letters.is_char_boundary(*end));
        let letters = &letters[..end.unwrap_or_default()];
        self.text.insert_str(self.cursor, letters);
        self.cursor += letters.len();
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    /// Start of the letter before the cursor, including its combining marks.
    fn before(&self) -> usize {
        let letters = self.text[..self.cursor].char_indices().rev();
        let mut starts = letters.skip_while(|(_, letter)| is_mark(*letter));
        starts.next().map_or(0, |(index, _)| index)
    }

    /// End of the letter after the cursor, including its combining marks.
    fn after(&self) -> usize {
        let letters = self.text[self.cursor..].char_indices().skip(1);
        let mut starts = letters.skip_while(|(_, letter)| is_mark(*letter));
        starts
            .next()
            .map_or(self.text.len(), |(index, _)| self.cursor + index)
    }

    /// Start of the word before the cursor.
    fn word(&self) -> usize {
        let before = self.text[..self.cursor].trim_end_matches(' ');
        before.rfind(' ').map_or(0, |blank| blank + 1)
    }

    /// Draws the line, and returns the cursor position.
    pub(super) fn draw(&self, cx: &DrawContext<'_>, buffer: &mut Buffer, area: Rect) -> Position {
        let title = match self.purpose {
            Purpose::Filter { .. } => "filter: ",
            Purpose::Note => "note: ",
            Purpose::Save => "save to: ",
            Purpose::Search => "search: ",
        };
        let room = usize::from(area.width)
            .saturating_sub(title.width() + 1)
            .max(1);
        // The end of the text before the cursor is always visible.
        let mut start = 0;
        while room < self.text[start..self.cursor].width() {
            start += self.text[start..].chars().next().map_or(1, char::len_utf8);
        }
        let seen = text::head(&self.text[start..], room);
        let line = Line::from(vec![
            cx.span(ScreenRole::Key, title),
            Span::styled(seen.to_owned(), cx.style(ScreenRole::Text)),
        ]);
        let blank = " ".repeat(area.width.into());
        draw_line(buffer, area, 0, &Line::raw(blank));
        draw_line(buffer, area, 0, &line);
        let columns = title.width() + self.text[start..self.cursor].width();
        let columns = u16::try_from(columns).unwrap_or(u16::MAX);
        Position::new(
            area.x
                .saturating_add(columns)
                .min(area.right().saturating_sub(1)),
            area.y,
        )
    }
}

/// Whether a letter has no width of its own: it combines with the one before.
fn is_mark(letter: char) -> bool {
    unicode_width::UnicodeWidthChar::width(letter) == Some(0)
}

/// Longer than any file name, and enough for a note.
const MOST_BYTES: usize = 4_096;

#[cfg(test)]
mod tests {
    use super::*;

    fn press(prompt: &mut Prompt, codes: &[KeyCode]) {
        for code in codes {
            prompt.key(KeyEvent::new(*code, KeyModifiers::NONE));
        }
    }

    fn control(prompt: &mut Prompt, letter: char) {
        prompt.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
    }

    #[test]
    fn wide_letters_and_letters_with_marks_are_edited_whole() {
        let mut prompt = Prompt::new(Purpose::Note, String::new());
        prompt.insert("木e\u{301}x");
        press(&mut prompt, &[KeyCode::Left, KeyCode::Backspace]);
        assert_eq!(prompt.text(), "木x");
        press(
            &mut prompt,
            &[KeyCode::Backspace, KeyCode::Backspace, KeyCode::Char('小')],
        );
        assert_eq!(prompt.text(), "小x");
        press(&mut prompt, &[KeyCode::Delete, KeyCode::Delete]);
        assert_eq!(prompt.text(), "小");
    }

    #[test]
    fn pasted_text_stays_one_harmless_line() {
        let mut prompt = Prompt::new(Purpose::Note, "a".to_owned());
        prompt.insert("b\nc\u{1b}[31md\u{202e}");
        assert_eq!(prompt.text(), "ab cd");
        prompt.insert(&"木".repeat(3_000));
        assert!(prompt.text().len() <= MOST_BYTES);
    }

    #[test]
    fn lines_are_edited_with_the_keys_of_a_shell() {
        let mut prompt = Prompt::new(Purpose::Save, "one two".to_owned());
        control(&mut prompt, 'w');
        assert_eq!(prompt.text(), "one ");
        control(&mut prompt, 'a');
        press(&mut prompt, &[KeyCode::Char('x'), KeyCode::Right]);
        control(&mut prompt, 'k');
        assert_eq!(prompt.text(), "xo");
        control(&mut prompt, 'u');
        assert_eq!(prompt.text(), "");
        assert_eq!(prompt.key(KeyEvent::from(KeyCode::Enter)), Typed::Done);
        assert_eq!(prompt.key(KeyEvent::from(KeyCode::Esc)), Typed::GivenUp);
    }
}
