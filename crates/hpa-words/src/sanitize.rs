//! Makes text from the cluster safe for a terminal: anyone with write access to the cluster can choose names and
//! messages.
//!
//! Removes escape sequences (color, cursor, title, links), other control characters, and everything that reorders or
//! hides text. The rest looks as it is.

use std::{borrow::Cow, path::Path};

use crate::letters::COMMANDS;
pub use crate::letters::is_unsafe;

/// The text on one line: line breaks and tabs become spaces.
pub fn one_line(text: &str) -> Cow<'_, str> {
    clean(text, |letter| {
        matches!(letter, '\n' | '\t' | '\u{2028}' | '\u{2029}').then_some(' ')
    })
}

/// The text with its line breaks; tabs become spaces.
pub fn lines(text: &str) -> Cow<'_, str> {
    clean(text, |letter| match letter {
        '\n' | '\u{2028}' | '\u{2029}' => Some('\n'),
        '\t' => Some(' '),
        _ => None,
    })
}

/// The text with each long word cut out of the middle: a message names a field by the start and the end of its name.
/// A word has no spaces; no name that a server accepts is cut.
pub fn brief(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_WORD || text.split(char::is_whitespace).all(is_short) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len().min(2 * LONGEST_WORD));
    for part in text.split_inclusive(char::is_whitespace) {
        let word = part.trim_end_matches(char::is_whitespace);
        if is_short(word) {
            out.push_str(part);
        } else {
            push_cut(word, START_OF_WORD, END_OF_WORD, &mut out);
            out.push_str(&part[word.len()..]);
        }
    }
    Cow::Owned(out)
}

/// The same for a message, which is also cut if it is long because of many words.
pub fn brief_message(text: &str) -> Cow<'_, str> {
    let words = brief(text);
    if words.len() <= LONGEST_MESSAGE {
        return words;
    }
    let mut out = String::new();
    push_cut(&words, START_OF_MESSAGE, END_OF_MESSAGE, &mut out);
    Cow::Owned(out)
}

fn is_short(word: &str) -> bool {
    word.len() <= LONGEST_WORD
}

fn push_cut(text: &str, start: usize, end: usize, out: &mut String) {
    out.push_str(&text[..text.floor_char_boundary(start)]);
    out.push('…');
    out.push_str(&text[text.ceil_char_boundary(text.len() - end)..]);
}

/// Bytes of the longest word that is not cut: a namespace with a name, and some more.
const LONGEST_WORD: usize = 600;

/// Bytes of a cut word that are kept from its start.
const START_OF_WORD: usize = 150;

/// Bytes of a cut word that are kept from its end.
const END_OF_WORD: usize = 50;

/// Bytes of the longest message that is not cut.
pub const LONGEST_MESSAGE: usize = 6_000;

/// Bytes of a cut message that are kept from its start.
const START_OF_MESSAGE: usize = 3_000;

/// Bytes of a cut message that are kept from its end.
const END_OF_MESSAGE: usize = 1_000;

/// The name of a file for errors: on one line.
pub fn file_name(path: &Path) -> String {
    one_line(&path.display().to_string()).into_owned()
}

/// The text without commands, for the log of a GitHub or Azure job. Runners accept commands in lines that start with
/// `::`, even after spaces, and after `##[` or `##vso[` anywhere.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    let begins = |line: &str| line.trim_start().starts_with("::");
    let has_command = COMMANDS.iter().any(|command| text.contains(command));
    if !has_command && !text.split('\n').any(begins) {
        return Cow::Borrowed(text);
    }
    let broken = |line: &str| {
        if begins(line) {
            line.replacen("::", ": :", 1)
        } else {
            line.to_owned()
        }
    };
    let lines: Vec<String> = text.split('\n').map(broken).collect();
    Cow::Owned(without_brackets(lines.join("\n")))
}

/// Like [`without_commands`], for our own annotations, which are lines that start with `::`.
pub fn without_brackets(text: String) -> String {
    COMMANDS.iter().fold(text, |text, command| {
        text.replace(command, &command.replacen("##", "## ", 1))
    })
}

fn clean(text: &str, replace: impl Fn(char) -> Option<char>) -> Cow<'_, str> {
    if text.chars().all(|letter| !is_unsafe(letter)) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            '\u{1b}' => after_escape(after),
            '\u{9b}' => after_control_sequence(after),
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => after_string(after),
            _ => after,
        };
        if let Some(replacement) = replace(letter) {
            cleaned.push(replacement);
        } else if !is_unsafe(letter) {
            cleaned.push(letter);
        }
    }
    Cow::Owned(cleaned)
}

/// The text after an escape sequence, whose escape character is already consumed.
fn after_escape(text: &str) -> &str {
    let mut letters = text.chars();
    match letters.next() {
        Some('[') => after_control_sequence(letters.as_str()),
        Some(']' | 'P' | 'X' | '^' | '_') => after_string(letters.as_str()),
        // Intermediate characters, as in the choice of a character set, belong to the character after them.
        Some(' '..='/') => letters.as_str().get(1..).unwrap_or_default(),
        Some('0'..='~') => letters.as_str(),
        _ => text,
    }
}

fn after_control_sequence(text: &str) -> &str {
    match text.find(|letter: char| !matches!(letter, ' '..='?')) {
        Some(end) => text[end..]
            .strip_prefix(|letter: char| matches!(letter, '@'..='~'))
            .unwrap_or(&text[end..]),
        None => "",
    }
}

/// The text after a string such as a title. It ends with a bell, a string terminator, or the line, so that an
/// unterminated one cannot swallow the output.
fn after_string(text: &str) -> &str {
    match text.find(['\u{7}', '\u{1b}', '\u{9c}', '\n']) {
        Some(end) => match text[end..].strip_prefix('\u{1b}') {
            Some(rest) => rest.strip_prefix('\\').unwrap_or(&text[end..]),
            None if text[end..].starts_with('\n') => &text[end..],
            None => &text[end..][text[end..].chars().next().map_or(0, char::len_utf8)..],
        },
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(one_line(text), expected);
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in ["web-7f9c", "cpu 85% ≥ 60%", "Größe 小さい 🙂", ""] {
            assert!(matches!(one_line(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn escape_sequences_vanish_whole() {
        check("\u{1b}[31mred\u{1b}[0m", "red");
        check("a\u{1b}]0;owned\u{7}b", "ab");
        check(
            "a\u{1b}]8;;http://evil.example\u{1b}\\link\u{1b}]8;;\u{1b}\\b",
            "alinkb",
        );
        check("a\u{9b}2Jb\u{9d}0;title\u{9c}c", "abc");
        check("a\u{1b}(Bb\u{1b}cc", "abc");
        check("cut \u{1b}[3", "cut ");
    }

    #[test]
    fn open_title_cannot_swallow_the_next_line() {
        assert_eq!(lines("a\u{1b}]0;title\nb"), "a\nb");
    }

    #[test]
    fn control_characters_and_line_breaks_do_not_reach_the_page() {
        check("one\r\ntwo\tthree\u{8}\u{0}", "one two three");
        assert_eq!(lines("one\r\ntwo"), "one\ntwo");
    }

    #[test]
    fn what_a_runner_would_take_for_a_command_is_none() {
        let text = "::stop-commands::x\n \u{a0}::error::y a::b\nz ##[error] ###[w";
        let broken = ": :stop-commands::x\n \u{a0}: :error::y a::b\nz ## [error] ### [w";
        assert_eq!(without_commands(text), broken);
        let plain = "a::b\n: x\n## [ #[";
        assert!(matches!(without_commands(plain), Cow::Borrowed(same) if same == plain));
    }

    #[test]
    fn letters_cannot_be_reordered_or_hidden() {
        check("\u{202e}bew\u{202c} \u{2066}x\u{2069}", "bew x");
        check("we\u{200b}b\u{feff}\u{e0041}", "web");
    }
}
