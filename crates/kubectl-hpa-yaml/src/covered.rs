//! Handles JSON with characters that YAML does not allow, such as U+007F in a string. kubectl reads JSON as JSON and
//! accepts them.

use std::borrow::Cow;

/// Replaces each character that YAML does not allow by one of the same length. None if there is none.
pub(super) fn covered(json: &str) -> Option<String> {
    json.contains(is_no_yaml).then(|| {
        json.chars()
            .map(|one| if is_no_yaml(one) { cover(one) } else { one })
            .collect()
    })
}

/// The value of a JSON string, from its original text. Returns `seen` if it is not a JSON string or nothing was
/// replaced.
pub(super) fn uncovered<'a>(written: &str, seen: Cow<'a, str>) -> Cow<'a, str> {
    if !written.contains(is_no_yaml) {
        return seen;
    }
    serde_json::from_str(written).map_or(seen, Cow::Owned)
}

fn is_no_yaml(one: char) -> bool {
    matches!(one, '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

/// A letter of the same length in bytes.
fn cover(one: char) -> char {
    match one.len_utf8() {
        1 => 'x',
        2 => 'ä',
        _ => '€',
    }
}
