//! JSON with characters that YAML has nowhere, such as U+007F in a text: kubectl, which reads JSON as JSON, takes them.

use std::borrow::Cow;

/// The JSON with another character in place of each that YAML has not, all else where it was; none if there is no such
/// character.
pub(super) fn covered(json: &str) -> Option<String> {
    json.contains(is_no_yaml).then(|| {
        json.chars()
            .map(|one| if is_no_yaml(one) { cover(one) } else { one })
            .collect()
    })
}

/// The text that a JSON string stands for, given as it is written; `seen` if that is none or had nothing covered.
pub(super) fn uncovered<'a>(written: &str, seen: Cow<'a, str>) -> Cow<'a, str> {
    if !written.contains(is_no_yaml) {
        return seen;
    }
    serde_json::from_str(written).map_or(seen, Cow::Owned)
}

fn is_no_yaml(one: char) -> bool {
    matches!(one, '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

/// A letter that takes as many bytes.
fn cover(one: char) -> char {
    match one.len_utf8() {
        1 => 'x',
        2 => 'ä',
        _ => '€',
    }
}
