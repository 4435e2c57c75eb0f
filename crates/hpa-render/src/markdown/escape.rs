//! Escapes text so that Markdown shows it literally.

use hpa_words::sanitize::one_line;

/// Escapes a paragraph, which may also start with what would be a list, a heading or a rule.
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

/// The text on one line, with everything escaped that Markdown, HTML or GitHub would interpret.
pub(super) fn escape(text: &str) -> String {
    let text = one_line(text);
    let mut escaped = String::with_capacity(text.len());
    let mut previous = ' ';
    let mut hex_digits = 0;
    for (at, letter) in text.char_indices() {
        let rest = &text[at + letter.len_utf8()..];
        let is_before_word = rest.starts_with(char::is_alphanumeric);
        hex_digits = if letter.is_ascii_hexdigit() {
            hex_digits + 1
        } else {
            0
        };
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            // It starts and ends a formula, escaped or not.
            '$' => escaped.push_str("<span>$</span>"),
            // Inside a word it is literal already, and names read better unescaped.
            '_' if previous.is_alphanumeric() && is_before_word => escaped.push('_'),
            '_' => escaped.push_str("\\_"),
            // A comment splits what GitHub would turn into a mention, an issue, an address, an emoji or a commit.
            '@' | '#' if is_before_word => push_parted(&mut escaped, letter),
            ':' if rest.starts_with('/') || begins_emoji(rest) => {
                push_parted(&mut escaped, letter);
            }
            '-' if rest.starts_with(|next: char| next.is_ascii_digit())
                && is_word_gh(&text[..at]) =>
            {
                push_parted(&mut escaped, letter);
            }
            '.' if escaped.to_ascii_lowercase().ends_with("www") => {
                escaped.push_str(PARTING);
                escaped.push('.');
            }
            _ if hex_digits == HALF_A_COMMIT
                && rest.starts_with(|next: char| next.is_ascii_hexdigit()) =>
            {
                push_parted(&mut escaped, letter);
                hex_digits = 0;
            }
            _ => escaped.push(letter),
        }
        previous = letter;
    }
    escaped
}

fn push_parted(escaped: &mut String, letter: char) {
    escaped.push(letter);
    escaped.push_str(PARTING);
}

/// Whether this ends with the prefix of a GitHub issue: `GH-1`.
fn is_word_gh(before: &str) -> bool {
    let mut letters = before.chars().rev();
    let word =
        [letters.next(), letters.next()].map(|letter| letter.map(|one| one.to_ascii_lowercase()));
    word == [Some('h'), Some('g')] && !letters.next().is_some_and(char::is_alphanumeric)
}

/// Whether a colon before this would begin an emoji, such as `:tada:`; the minutes of a time would not.
fn begins_emoji(rest: &str) -> bool {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "_+-".contains(letter);
    let name = rest.split_once(':').map_or("", |(name, _)| name);
    let are_minutes = name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_digit());
    !name.is_empty() && name.chars().all(is_of_name) && !are_minutes
}

/// A commit hash has 40 digits.
const HALF_A_COMMIT: usize = 20;

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
            "at 11:35:30, high-1",
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
            ("GH-1 high-1", "GH-<!-- -->1 high-1"),
            (
                "0123456789abcdef0123456789abcdef01234567",
                "0123456789abcdef0123<!-- -->456789abcdef01234567",
            ),
            (
                "$$x$$",
                "<span>$</span><span>$</span>x<span>$</span><span>$</span>",
            ),
            (":tada: a:100:b", ":<!-- -->tada: a:<!-- -->100:b"),
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
