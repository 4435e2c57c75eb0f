//! Escaping for XML.

use hpa_words::sanitize::lines;

/// Escapes text for an element or an attribute in double quotes. Characters that XML 1.0 cannot represent are dropped.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in lines(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // Line breaks would become blanks in an attribute.
            '\n' => escaped.push_str("&#10;"),
            '\u{fffe}' | '\u{ffff}' => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}
