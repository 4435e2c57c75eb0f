//! What a comment applies to.

use std::ops::Range;

use kubectl_hpa_yaml::{Comment, Span, YamlNode};

use crate::Object;

/// What a comment applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SuppressionScope {
    /// Every object of its document, because nothing comes before it.
    Document,
    /// A line, with every entry and item that starts on it, to their ends.
    Bytes(Range<u32>),
}

/// What a comment applies to. At the end of a line: that line. On its own line: the next line that is neither empty nor
/// a comment. Before the first line of the document: the whole document.
pub(super) fn of(comment: &Comment, text: &str, objects: &[&Object]) -> SuppressionScope {
    let at = comment.span.start as usize;
    let line = line_start(text, at);
    let before = text[line..at].trim();
    let is_alone = before.is_empty();
    if before == "---" || (is_alone && is_head(text, line)) {
        return SuppressionScope::Document;
    }
    let line = if is_alone {
        let Some(next) = next_content(text, at) else {
            return SuppressionScope::Bytes(comment.span.start..comment.span.end);
        };
        next
    } else {
        line
    };
    let line = line..line_end(text, line);
    let mut end = offset(line.end);
    for object in objects {
        let start = object.node.span.start as usize;
        if line.contains(&start) && text[line.start..start].contains('-') {
            end = end.max(object.node.span.end);
        }
        widen(&object.node, &line, &mut end);
    }
    SuppressionScope::Bytes(offset(line.start)..end)
}

/// Moves `end` after everything in `node` that starts on the line.
fn widen(node: &YamlNode, line: &Range<usize>, end: &mut u32) {
    let begins = |span: Span| line.contains(&(span.start as usize));
    for entry in node.entries() {
        if begins(entry.key_span) {
            *end = (*end).max(entry.node.span.end);
        }
        widen(&entry.node, line, end);
    }
    for item in node.items() {
        if begins(item.span) {
            *end = (*end).max(item.span.end);
        }
        widen(item, line, end);
    }
}

/// Whether only empty lines and comments come before this line in the document.
fn is_head(text: &str, mut line: usize) -> bool {
    while line > 0 {
        let end = line;
        line = line_start(text, end - 1);
        let content = text[line..end].trim();
        if content.starts_with("---") || content == "..." || content.starts_with('%') {
            // A value can follow the dashes.
            let rest = content.trim_start_matches('-').trim_start();
            return !content.starts_with("---") || rest.is_empty() || rest.starts_with('#');
        }
        if !content.is_empty() && !content.starts_with('#') {
            return false;
        }
    }
    true
}

/// Start of the next line of the document that is neither empty nor a comment.
fn next_content(text: &str, at: usize) -> Option<usize> {
    let mut line = line_end(text, at);
    while line < text.len() {
        let end = line_end(text, line);
        let content = text[line..end].trim();
        if content.starts_with("---") || content == "..." {
            return None;
        }
        if !content.is_empty() && !content.starts_with('#') {
            return Some(line);
        }
        line = end;
    }
    None
}

/// The first byte of the line of `at`.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// One after the line break of the line of `at`.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    text[at..]
        .find('\n')
        .map_or(text.len(), |newline| at + newline + 1)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
