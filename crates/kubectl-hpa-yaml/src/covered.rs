//! Handles what kubectl accepts and the parser does not: characters in JSON that YAML does not allow, such as U+007F in a
//! string, and a byte order mark at the start of a document.

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

/// Takes out byte order marks that start a document: kubectl splits documents at `---` before it parses them, so each
/// document may have one, as in files that were joined. Every other byte keeps its offset, and every line its number.
pub(super) fn without_marks(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut changed = String::with_capacity(text.len());
    let mut is_after_separator = false;
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start_matches(MARK);
        if is_after_separator && rest.len() < line.len() {
            // The mark becomes blanks at the end of the separator's line.
            let end = if changed.ends_with("\r\n") { 2 } else { 1 };
            let end = changed.split_off(changed.len() - end);
            changed.extend(std::iter::repeat_n(' ', line.len() - rest.len()));
            changed.push_str(&end);
            changed.push_str(rest);
        } else {
            changed.push_str(line);
        }
        is_after_separator = line.trim_end() == "---";
    }
    Cow::Owned(changed)
}

const MARK: char = '\u{feff}';

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

#[cfg(test)]
mod tests {
    use super::without_marks;
    use crate::parse;

    #[test]
    fn a_mark_that_starts_a_document_is_taken_out_and_offsets_stay() {
        for (text, name) in [
            ("a: 1\n---\n\u{feff}b: 2\n", "b"),
            ("a: 1\r\n---\r\n\u{feff}b: 2\r\n", "b"),
            ("\u{feff}a: 1\n---\n\u{feff}\u{feff}b: 2\n", "b"),
        ] {
            let documents: Vec<_> = parse(text)
                .into_iter()
                .collect::<Result<_, _>>()
                .expect(text);
            let entry = documents[1].root.entry(name).expect(text);
            assert!(
                text[entry.key_span.start as usize..].starts_with("b: 2"),
                "{text:?}"
            );
            assert_eq!(without_marks(text).len(), text.len());
        }
        assert!(parse("a: 1\n\u{feff}b: 2\n").iter().any(Result::is_err));
        assert_eq!(
            without_marks("a: 1\n---\nb: \u{feff}\n"),
            "a: 1\n---\nb: \u{feff}\n"
        );
    }
}
