//! Strings as Go prints them with `%q` and `%#v`, and as its JSON encoder does.

use std::fmt::Write;

/// A string in Go's double quotes. Upstream: `strconv.Quote`.
pub fn go_quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\u{b}' => quoted.push_str("\\v"),
            '\u{c}' => quoted.push_str("\\f"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if is_printable(character) => quoted.push(character),
            '\0'..' ' | '\u{7f}' => push_code(&mut quoted, "x", 2, character),
            '\u{80}'..='\u{ffff}' => push_code(&mut quoted, "u", 4, character),
            _ => push_code(&mut quoted, "U", 8, character),
        }
    }
    quoted.push('"');
    quoted
}

/// A list in Go syntax, as `%#v` prints a `[]string`; nil if empty.
pub(super) fn go_list(values: &[String]) -> String {
    if values.is_empty() {
        return "[]string(nil)".to_owned();
    }
    let values: Vec<String> = values.iter().map(|value| go_quoted(value)).collect();
    format!("[]string{{{}}}", values.join(", "))
}

/// A list as Go's `json.Marshal` prints a `[]string`; null if empty.
pub(super) fn json_list(values: &[String]) -> String {
    if values.is_empty() {
        return "null".to_owned();
    }
    let values: Vec<String> = values.iter().map(|value| json_quoted(value)).collect();
    format!("[{}]", values.join(","))
}

/// A string as Go's `json.Marshal` prints it.
pub fn json_quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '\u{8}' => quoted.push_str("\\b"),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\u{c}' => quoted.push_str("\\f"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' => quoted.extend(['\\', character]),
            // Safe inside HTML and JavaScript, which is Go's default.
            '\0'..' ' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                push_code(&mut quoted, "u", 4, character);
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

fn push_code(text: &mut String, letter: &str, width: usize, character: char) {
    let code = u32::from(character);
    write!(text, "\\{letter}{code:0width$x}").expect("a String takes everything");
}

/// Whether Go prints the character unescaped: letters, marks, numbers, punctuation, symbols and the space.
fn is_printable(character: char) -> bool {
    // Rust escapes by the same classes, except for combining marks at the start of a string.
    let text = ['-', character].iter().collect::<String>();
    matches!(character, '\'') || text.escape_debug().count() == 2
}
