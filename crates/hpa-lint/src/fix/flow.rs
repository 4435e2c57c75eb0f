//! Edits in YAML's flow style (braces and brackets), and in JSON.

use kubectl_hpa_yaml::{Entry, YamlNode};

use super::{
    place::{EditPlace, TextEdit, end_of, range},
    written::{WrittenValue, quoted},
};

/// Removes an entry or item, with one comma.
pub(super) fn remove(text: &str, place: &EditPlace<'_>) -> Result<TextEdit, String> {
    let parent = place.parent();
    let index = place.index();
    let starts: Vec<usize> = parent
        .entries()
        .iter()
        .map(|entry| entry.key_span.start as usize)
        .chain(parent.items().iter().map(|item| item.span.start as usize))
        .collect();
    let ends: Vec<usize> = parent
        .entries()
        .iter()
        .map(|entry| end_of(text, &entry.node).max(entry.key_span.end as usize))
        .chain(parent.items().iter().map(|item| end_of(text, item)))
        .collect();
    let range = if let Some(next) = starts.get(index + 1) {
        place.start()..*next
    } else if let Some(before) = index.checked_sub(1) {
        if text[ends[before]..place.start()].contains('#') {
            // Keeps the comment of the previous entry and its comma; a list may end with a comma.
            place.start()..ends[index]
        } else {
            ends[before]..ends[index]
        }
    } else {
        let inside = range(text, parent.span);
        let is_commented = text[inside.clone()].contains('#');
        if is_commented {
            place.start()..ends[index]
        } else {
            inside.start + 1..inside.end.saturating_sub(1)
        }
    };
    if range.start <= range.end {
        Ok(TextEdit {
            range,
            text: String::new(),
        })
    } else {
        Err("unsupported YAML style".to_owned())
    }
}

/// Appends an entry, on a line of its own if the last one has one.
pub(super) fn insert(text: &str, mapping: &YamlNode, key: &str, value: &WrittenValue) -> TextEdit {
    let is_json = is_json(text, mapping);
    let (key, value) = if is_json {
        (quoted(key), value.json())
    } else {
        (key.to_owned(), value.flow().to_owned())
    };
    let Some(last) = mapping.entries().last() else {
        let inside = range(text, mapping.span);
        return TextEdit {
            range: inside.start + 1..inside.end.saturating_sub(1).max(inside.start + 1),
            text: format!("{key}: {value}"),
        };
    };
    let at = end_of(text, &last.node).max(last.key_span.end as usize);
    let key_start = last.key_span.start as usize;
    let line = text[..key_start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let indent = &text[line..key_start];
    let separator = if indent.trim().is_empty() && line > mapping.span.start as usize {
        let newline = if text[..line].ends_with("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        format!(",{newline}{indent}")
    } else {
        ", ".to_owned()
    };
    TextEdit {
        range: at..at,
        text: format!("{separator}{key}: {value}"),
    }
}

/// Replaces a scalar by a mapping or list.
pub(super) fn set(text: &str, mapping: &YamlNode, entry: &Entry, value: &WrittenValue) -> TextEdit {
    let value = if is_json(text, mapping) {
        value.json()
    } else {
        value.flow().to_owned()
    };
    TextEdit {
        range: range(text, entry.node.span),
        text: value,
    }
}

/// Whether the keys are quoted, as JSON requires. For an empty mapping, the first key of the text decides.
fn is_json(text: &str, mapping: &YamlNode) -> bool {
    let keys = match mapping.entries().first() {
        Some(first) => &text[first.key_span.start as usize..],
        None => text.trim_start().trim_start_matches('{').trim_start(),
    };
    keys.starts_with('"')
}
