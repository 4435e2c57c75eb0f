//! The text of one object, cut out: whatever else a file has, a fix reads and writes only this.

use std::{borrow::Cow, ops::Range};

use super::{
    block::{end_of_lines, line_start},
    edit::{TextEdit, end_of, range},
};
use crate::yaml::{YamlNode, parse};

/// Where an object is in a text.
pub(super) struct Cut {
    range: Range<usize>,
    /// Columns in front of its first line, which the others are indented by.
    column: usize,
}

impl Cut {
    /// Where an object is. In block style all of its lines belong to it, and comments in its columns behind it.
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
        // Blank lines may be a part of a text in many lines.
        let is_whole = text[..written.end].ends_with('\n');
        let end = if is_whole { end.max(written.end) } else { end };
        Self {
            range: start..end,
            column,
        }
    }

    /// The object's text, as if it stood alone: the same columns as in all of the text.
    pub(super) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let part = &text[self.range.clone()];
        match self.column {
            0 => Cow::Borrowed(part),
            column => Cow::Owned(format!("{}{part}", " ".repeat(column))),
        }
    }

    /// Where the object begins in its text.
    pub(super) fn start(&self) -> u32 {
        self.column.try_into().unwrap_or(u32::MAX)
    }

    /// Whether the object means the same alone; an alias of something else in the document does not.
    pub(super) fn is_apart(&self, text: &str, object: &YamlNode) -> bool {
        match &parse(&self.text(text))[..] {
            [Ok(document)] => document.root.to_json() == object.to_json(),
            _ => false,
        }
    }

    /// The edit of all of the text that makes the object's text another one; none: its first line would stand elsewhere.
    pub(super) fn edit(&self, changed: &str) -> Option<TextEdit> {
        let (columns, changed) = changed.split_at_checked(self.column)?;
        columns.trim().is_empty().then(|| TextEdit {
            range: self.range.clone(),
            text: changed.to_owned(),
        })
    }
}
