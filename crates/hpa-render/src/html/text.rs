//! Texts that come from a cluster.

use std::fmt::Write as _;

use hpa_words::{
    sanitize::one_line,
    wrap::{NO_BREAK, tied},
};
use maud::{Escaper, Render};

/// A text on one line, without control characters, whose names, flags and commands stay in one piece. maud escapes it.
pub(crate) struct HtmlText<'t>(&'t str);

/// The same without elements.
pub(crate) struct PlainHtmlText<'t>(&'t str);

/// Sanitizes a text. Everything in a page that is not a constant must go through it or through [`plain`].
pub(crate) fn text(text: &str) -> HtmlText<'_> {
    HtmlText(text)
}

/// Sanitizes a text that is an attribute, a title or a label in a picture, where no element may be.
pub(crate) fn plain(text: &str) -> PlainHtmlText<'_> {
    PlainHtmlText(text)
}

impl Render for HtmlText<'_> {
    fn render_to(&self, buffer: &mut String) {
        for (index, piece) in tied(self.0).split(' ').enumerate() {
            if 0 < index {
                buffer.push(' ');
            }
            let words = piece.split(NO_BREAK);
            let is_command = 1 < words.clone().count();
            if is_command {
                buffer.push_str(start(piece));
            }
            for (index, word) in words.enumerate() {
                if 0 < index {
                    buffer.push(' ');
                }
                write_word(word, buffer);
            }
            if is_command {
                buffer.push_str(END);
            }
        }
    }
}

impl Render for PlainHtmlText<'_> {
    fn render_to(&self, buffer: &mut String) {
        escape(&one_line(self.0), buffer);
    }
}

/// Writes a word; one in which a browser would break a line is a piece.
fn write_word(word: &str, buffer: &mut String) {
    let mut before_last = word.chars();
    before_last.next_back();
    let is_piece = before_last.any(|letter| BREAKS.contains(&letter));
    if is_piece {
        buffer.push_str(start(word));
    }
    escape(word, buffer);
    if is_piece {
        buffer.push_str(END);
    }
}

/// Begins what is moved to the next line before it is broken.
fn start(piece: &str) -> &'static str {
    if piece.chars().count() <= MOST_WHOLE {
        r#"<span class="piece">"#
    } else {
        r#"<span class="long">"#
    }
}

fn escape(text: &str, buffer: &mut String) {
    // Writing into a string cannot fail.
    let _ = Escaper::new(buffer).write_str(text);
}

/// Browsers break lines after them.
const BREAKS: [char; 6] = ['-', '–', '/', '?', '|', '…'];

/// A longer name may break in a table, so that the table fits the page.
pub(super) const MOST_WHOLE: usize = 45;

const END: &str = "</span>";
