//! Edits in YAML's block style.

use kubectl_hpa_yaml::Entry;

use super::{
    place::{EditPlace, TextEdit, end_of, range},
    written::{WrittenValue, YamlStyle},
};

/// Removes an entry or item: its lines, the comments next to and within it, and the comment lines right before it.
pub(super) fn remove(text: &str, place: &EditPlace<'_>) -> Result<TextEdit, String> {
    let start = match place {
        EditPlace::Entry { .. } => place.start(),
        EditPlace::Item { .. } => dash_before(text, place.start())?,
    };
    let parent = place.parent();
    let count = parent.entries().len() + parent.items().len();
    if count == 1 {
        return empty(text, place);
    }
    let column = start - line_start(text, start);
    let key_end = match place {
        EditPlace::Entry { entry, .. } => after_colon(text, entry),
        EditPlace::Item { .. } => start + 1,
    };
    let end = end_of_lines(text, end_of(text, place.node()).max(key_end), column);
    let line = line_start(text, start);
    if text[line..start].trim().is_empty() {
        let first = comments_before(text, line, column);
        return Ok(TextEdit {
            range: first..end,
            text: String::new(),
        });
    }
    // The first entry of an item follows the dash, so the next entry moves there.
    let next = text[end..]
        .find(|one: char| !one.is_whitespace())
        .ok_or("nothing follows it")?;
    Ok(TextEdit {
        range: start..end + next,
        text: String::new(),
    })
}

/// Appends an entry in the same column.
pub(super) fn insert(
    text: &str,
    entries: &[Entry],
    (key, value): (&str, &WrittenValue),
    style: YamlStyle,
) -> Result<TextEdit, String> {
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
        return Err("the mapping is empty".to_owned());
    };
    let first = first.key_span.start as usize;
    let column = text[line_start(text, first)..first].chars().count();
    let newline = style.newline;
    let value = value.block(column, style);
    let entry = format!("{}{key}:{value}", " ".repeat(column));
    let end = end_of(text, &last.node).max(after_colon(text, last));
    let at = line_end(text, end);
    let is_last_line = !text[..at].ends_with('\n');
    Ok(TextEdit {
        range: at..at,
        text: if is_last_line {
            format!("{newline}{entry}")
        } else {
            format!("{entry}{newline}")
        },
    })
}

/// Replaces a scalar by a mapping or list. A comment next to the scalar stays next to the key.
pub(super) fn set(
    text: &str,
    entry: &Entry,
    value: &WrittenValue,
    style: YamlStyle,
) -> Result<TextEdit, String> {
    let colon = after_colon(text, entry);
    let scalar = range(text, entry.node.span);
    let is_beside = text
        .get(colon..scalar.start)
        .is_some_and(|between| !between.contains('\n') && between.trim().is_empty());
    if !is_beside {
        return Err("unsupported YAML style".to_owned());
    }
    let line = line_end(text, scalar.end);
    let comment = text[scalar.end..line].trim();
    let key = entry.key_span.start as usize;
    let column = text[line_start(text, key)..key].chars().count();
    let space = if comment.is_empty() { "" } else { " " };
    let value = value.block(column, style);
    Ok(TextEdit {
        range: colon..scalar.end + text[scalar.end..line].trim_end().len(),
        text: format!("{space}{comment}{value}"),
    })
}

/// Removes the last entry or item, which leaves an empty mapping or list.
fn empty(text: &str, place: &EditPlace<'_>) -> Result<TextEdit, String> {
    let braces = match place {
        EditPlace::Entry { .. } => "{}",
        EditPlace::Item { .. } => "[]",
    };
    let parent = place.parent();
    let start = match place {
        EditPlace::Entry { .. } => parent.span.start as usize,
        EditPlace::Item { .. } => dash_before(text, place.start())?,
    };
    let key_end = match place {
        EditPlace::Entry { entry, .. } => after_colon(text, entry),
        EditPlace::Item { .. } => start + 1,
    };
    let column = start - line_start(text, start);
    let end = end_of_lines(text, end_of(text, place.node()).max(key_end), column);
    let Some(key) = place.parent_key() else {
        // The content of a list item: only its dash stays.
        let newline = if text[..end].ends_with("\r\n") {
            "\r\n"
        } else if text[..end].ends_with('\n') {
            "\n"
        } else {
            ""
        };
        return Ok(TextEdit {
            range: start..end,
            text: format!("{braces}{newline}"),
        });
    };
    let colon = after_colon(text, key);
    let first = line_start(text, start);
    if first < colon {
        return Err("unsupported YAML style".to_owned());
    }
    // Keeps what is between the colon and the first line, such as a comment.
    Ok(TextEdit {
        range: colon..end,
        text: format!(" {braces}{}", &text[colon..first]),
    })
}

/// One after the lines of a value that ends at `end`, including comment lines indented more than `column`.
pub(super) fn end_of_lines(text: &str, end: usize, column: usize) -> usize {
    let mut end = line_end(text, end);
    let mut ahead = end;
    while ahead < text.len() {
        let next = text[ahead..]
            .find('\n')
            .map_or(text.len(), |newline| ahead + newline + 1);
        let line = &text[ahead..next];
        let content = line.trim_start();
        if content.starts_with('#') && column < line.len() - content.len() {
            end = next;
        } else if !content.is_empty() {
            break;
        }
        ahead = next;
    }
    end
}

/// Start of the comment lines right before a line, in the same column.
fn comments_before(text: &str, line: usize, column: usize) -> usize {
    let mut first = line;
    while first > 0 {
        let before = line_start(text, first - 1);
        let content = text[before..first].trim_start();
        let indent = text[before..first].len() - content.len();
        if !content.starts_with('#') || indent != column || column == 0 {
            break;
        }
        first = before;
    }
    first
}

/// The dash of an item that starts at `start`.
fn dash_before(text: &str, start: usize) -> Result<usize, String> {
    let before = text[..start].trim_end();
    if before.ends_with('-') {
        Ok(before.len() - 1)
    } else {
        Err("unsupported YAML style".to_owned())
    }
}

fn after_colon(text: &str, entry: &Entry) -> usize {
    let key_end = entry.key_span.end as usize;
    text[key_end..]
        .find(':')
        .map_or(key_end, |colon| key_end + colon + 1)
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// One after the line break of the line with the byte before `at`.
fn line_end(text: &str, at: usize) -> usize {
    if text[..at].ends_with('\n') {
        return at;
    }
    text[at..]
        .find('\n')
        .map_or(text.len(), |newline| at + newline + 1)
}
