//! Makes any text mean itself in Markdown.

use crate::render::sanitize::one_line;

/// A paragraph: it may begin with what else would be a list, a heading or a rule.
pub(super) fn paragraph(text: &str) -> String {
    let escaped = escape(text);
    let digits = escaped.bytes().take_while(u8::is_ascii_digit).count();
    match escaped.as_bytes().get(digits) {
        Some(b'.' | b')') if 0 < digits => {
            format!("{}\\{}", &escaped[..digits], &escaped[digits..])
        }
        Some(b'-' | b'+' | b'#' | b'=') if digits == 0 => format!("\\{escaped}"),
        _ => escaped,
    }
}

/// The text on one line, with nothing in it that Markdown, HTML or GitHub would take for something else.
pub(super) fn escape(text: &str) -> String {
    let text = one_line(text);
    let mut escaped = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut previous = ' ';
    while let Some(letter) = letters.next() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            // Within a word it is plain already, and names read better without.
            '_' if previous.is_alphanumeric()
                && letters.peek().is_some_and(|next| next.is_alphanumeric()) =>
            {
                escaped.push('_');
            }
            '_' => escaped.push_str("\\_"),
            // A comment parts what GitHub would take for a mention, an issue or an address.
            '@' | '#' if letters.peek().is_some_and(|next| next.is_alphanumeric()) => {
                escaped.push(letter);
                escaped.push_str(PARTING);
            }
            ':' if letters.peek() == Some(&'/') => {
                escaped.push(':');
                escaped.push_str(PARTING);
            }
            '.' if escaped.to_ascii_lowercase().ends_with("www") => {
                escaped.push_str(PARTING);
                escaped.push('.');
            }
            _ => escaped.push(letter),
        }
        previous = letter;
    }
    escaped
}

const PARTING: &str = "<!-- -->";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_and_numbers_stay_readable() {
        for text in [
            "web-7f9c",
            "queue_depth",
            "85 / 60 × 8 = 11.3 → 12",
            "min 2 · max 20",
        ] {
            assert_eq!(escape(text), text);
        }
    }

    #[test]
    fn what_markdown_would_take_for_something_else_is_parted_or_escaped() {
        for (text, expected) in [
            ("a|b", "a\\|b"),
            ("<script>&", "&lt;script&gt;&amp;"),
            ("*_x_* `y`", "\\*\\_x\\_\\* \\`y\\`"),
            ("[a](b)", "\\[a\\](b)"),
            ("ask @bob #12", "ask @<!-- -->bob #<!-- -->12"),
            ("http://x www.x", "http:<!-- -->//x www<!-- -->.x"),
            ("one\ntwo\u{1b}[31m", "one two"),
        ] {
            assert_eq!(escape(text), expected);
        }
    }

    #[test]
    fn paragraph_stays_a_paragraph() {
        for (text, expected) in [
            ("- a", "\\- a"),
            ("# a", "\\# a"),
            ("12. a", "12\\. a"),
            ("12 pods", "12 pods"),
            ("", ""),
        ] {
            assert_eq!(paragraph(text), expected);
        }
    }
}
