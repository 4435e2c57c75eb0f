//! Cuts out the text of one object: a fix reads and writes nothing else of the file.

use std::{borrow::Cow, ops::Range};

use kubectl_hpa_yaml::{YamlNode, parse};

use super::{
    block::{end_of_lines, line_start},
    place::{TextEdit, end_of, range},
};

/// The position of an object in a text.
pub(super) struct Cut {
    range: Range<usize>,
    /// Columns before its first line; the other lines are indented by them.
    column: usize,
}

impl Cut {
    /// The position of an object. In block style it includes whole lines, and the comments in its columns after it.
    pub(super) fn of(text: &str, object: &YamlNode) -> Self {
        let written = range(text, object.span);
        let start = written.start;
        if text[start..].starts_with('{') {
            return Self {
                range: written,
                column: 0,
            };
        }
        let column = start - line_start(text, start);
        let end = end_of_lines(text, end_of(text, object), column);
        // Blank lines may be part of a multi-line scalar.
        let is_whole = text[..written.end].ends_with('\n');
        let end = if is_whole { end.max(written.end) } else { end };
        Self {
            range: start..end,
            column,
        }
    }

    /// The object's text as a document of its own, with the same columns as in the whole text.
    pub(super) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let part = &text[self.range.clone()];
        match self.column {
            0 => Cow::Borrowed(part),
            column => Cow::Owned(format!("{}{part}", " ".repeat(column))),
        }
    }

    /// Where the object starts in the cut text.
    pub(super) fn start(&self) -> u32 {
        self.column.try_into().unwrap_or(u32::MAX)
    }

    /// Whether the object means the same on its own. An alias to another part of the document does not.
    pub(super) fn is_apart(&self, text: &str, object: &YamlNode) -> bool {
        match &parse(&self.text(text))[..] {
            [Ok(document)] => document.root.to_json() == object.to_json(),
            _ => false,
        }
    }

    /// The edit of the whole text that replaces the object's text. None: its first line would move.
    pub(super) fn edit(&self, changed: &str) -> Option<TextEdit> {
        let (columns, changed) = changed.split_at_checked(self.column)?;
        columns.trim().is_empty().then(|| TextEdit {
            range: self.range.clone(),
            text: changed.to_owned(),
        })
    }
}
