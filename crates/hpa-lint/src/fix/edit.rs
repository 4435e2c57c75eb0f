//! Applies steps one by one.

use kubectl_hpa_yaml::{Comments, Document, YamlNode, YamlValue, for_each};

use super::{
    block, flow, meaning,
    place::{EditPlace, TextEdit, find, range},
    written::{WrittenValue, YamlStyle},
};
use crate::FixStep;

/// The text with the steps applied to the object at byte `start`. Every step works on the result of the previous ones.
/// Fails if the text does not mean what the step means.
pub(super) fn apply_steps(
    text: &str,
    start: u32,
    steps: &[FixStep],
    style: YamlStyle,
) -> Result<String, String> {
    let lost = "the object has moved";
    let mut text = text.to_owned();
    let mut documents = read(&text)?;
    for step in steps {
        let roots = documents.iter().map(|document| &document.root);
        let object = roots.into_iter().find_map(|root| root.object_at(start));
        let edit = edit(&text, object.ok_or(lost)?, step, style)?;
        text.replace_range(edit.range, &edit.text);

        let mut roots = documents.iter_mut().map(|document| &mut document.root);
        let object = roots.find_map(|root| root.object_at_mut(start));
        meaning::apply(object.ok_or(lost)?, step)?;
        let diagnostics = read(&text)?;
        let json = |document: &Document| document.root.to_json();
        if !diagnostics.iter().map(json).eq(documents.iter().map(json)) {
            return Err("the edit would also change other fields".to_owned());
        }
        documents = diagnostics;
    }
    Ok(text)
}

/// The text with all edits applied; they must be in text order.
pub(super) fn replace(text: &str, edits: &[TextEdit]) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut end = 0;
    for edit in edits {
        changed += &text[end..edit.range.start];
        changed += &edit.text;
        end = edit.range.end;
    }
    changed + &text[end..]
}

fn edit(
    text: &str,
    object: &YamlNode,
    step: &FixStep,
    style: YamlStyle,
) -> Result<TextEdit, String> {
    match step {
        FixStep::SetScalar { path, text: value } => {
            let place = find(object, path)?;
            let value = WrittenValue::parse(value)?;
            match &place {
                EditPlace::Entry { parent, entry, .. } if value.has_parts() => {
                    if text[parent.span.start as usize..].starts_with('{') {
                        Ok(flow::set(text, parent, entry, &value))
                    } else {
                        block::set(text, entry, &value, style)
                    }
                }
                _ => Ok(set_scalar(text, &place, &value)),
            }
        }
        FixStep::RenameKey { path, key } => {
            let EditPlace::Entry { entry, .. } = find(object, path)? else {
                return Err(format!("{path} is not an entry of a mapping"));
            };
            let range = range(text, entry.key_span);
            let text = like(&text[range.clone()], key);
            Ok(TextEdit { range, text })
        }
        FixStep::Remove { path } => {
            let place = find(object, path)?;
            let parent = place.parent();
            if text[parent.span.start as usize..].starts_with(['{', '[']) {
                flow::remove(text, &place)
            } else {
                block::remove(text, &place)
            }
        }
        FixStep::Insert {
            path,
            key,
            text: value,
        } => {
            let value = WrittenValue::parse(value)?;
            insert(text, object, (path, key), &value, style)
        }
    }
}

fn insert(
    text: &str,
    object: &YamlNode,
    (path, key): (&str, &str),
    value: &WrittenValue,
    style: YamlStyle,
) -> Result<TextEdit, String> {
    let mapping = if path.is_empty() {
        object
    } else {
        find(object, path)?.node()
    };
    if mapping.entry(key).is_some() {
        return Err(format!("{key} already exists"));
    }
    match &mapping.value {
        YamlValue::Mapping(_) if text[mapping.span.start as usize..].starts_with('{') => {
            Ok(flow::insert(text, mapping, key, value))
        }
        YamlValue::Mapping(entries) if !entries.is_empty() => {
            block::insert(text, entries, (key, value), style)
        }
        _ => Err(format!("{path} is not a mapping, so it cannot take a key")),
    }
}

/// Keeps the quotes if a string stays a string.
fn set_scalar(text: &str, place: &EditPlace<'_>, written: &WrittenValue) -> TextEdit {
    let value = written.flow();
    let node = place.node();
    let range = range(text, node.span);
    let is_null = node.value == YamlValue::Null && text[range.clone()].trim().is_empty();
    if is_null && let EditPlace::Entry { entry, .. } = place {
        let colon = entry.key_span.end as usize;
        let at = text[colon..]
            .find(':')
            .map_or(colon, |colon_at| colon + colon_at + 1);
        return TextEdit {
            range: at..at,
            text: format!(" {value}"),
        };
    }
    let value = if written.is_text() {
        like(&text[range.clone()], unquoted(value))
    } else {
        value.to_owned()
    };
    TextEdit { range, text: value }
}

/// A text in the same kind of quotes as another one.
fn like(old: &str, new: &str) -> String {
    match old.chars().next() {
        Some(quote @ ('"' | '\'')) => format!("{quote}{new}{quote}"),
        _ => new.to_owned(),
    }
}

fn unquoted(text: &str) -> &str {
    ['"', '\'']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote))
        .unwrap_or(text)
}

pub(super) fn read(text: &str) -> Result<Vec<Document>, String> {
    let mut documents = Vec::new();
    read_each(text, |document| documents.push(document))?;
    Ok(documents)
}

/// Parses the documents of a text one by one. After all were parsed, returns the first error: a broken document cannot
/// be compared, so the others are not edited either.
pub(super) fn read_each(text: &str, mut take: impl FnMut(Document)) -> Result<(), String> {
    let mut broken = None;
    for_each(text, Comments::Kept, |document| match document {
        Ok(document) => take(document),
        Err(error) => broken = broken.take().or(Some(error.problem)),
    });
    broken.map_or(Ok(()), |problem| {
        Err(format!("the file cannot be read: {problem}"))
    })
}
