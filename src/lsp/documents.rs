//! The documents that the editor has open.

use std::{collections::BTreeMap, ops::Range, path::PathBuf};

use gen_lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use kubectl_hpa_yaml::parse_without_comments;

use crate::lsp::{
    address::path_of,
    position::{Encoding, Lines},
};

/// A document that the editor has open.
#[derive(Clone, Debug)]
pub(super) struct OpenDocument {
    /// Its URI, as the editor writes it.
    pub(super) uri: Uri,
    /// The editor's version number.
    pub(super) version: i32,
    /// Its text, saved or not.
    pub(super) text: String,
    /// Its file.
    pub(super) path: Option<PathBuf>,
    /// The newest text whose documents can all be parsed; none so far.
    pub(super) readable: Option<String>,
}

/// All open documents, by URI.
pub(super) type OpenDocuments = BTreeMap<String, OpenDocument>;

impl OpenDocument {
    /// A newly opened document.
    pub(super) fn new(item: TextDocumentItem) -> Self {
        let mut document = Self {
            path: path_of(&item.uri),
            uri: item.uri,
            version: item.version,
            text: item.text,
            readable: None,
        };
        document.note_readable();
        document
    }

    /// Applies changes to its text, one by one.
    pub(super) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        use TextDocumentContentChangeEvent as Change;

        for change in changes {
            match change {
                Change::TextDocumentContentChangePartial(part) => {
                    let bytes = Lines::of(&self.text, encoding).bytes(part.range);
                    self.text.replace_range(bytes, &part.text);
                }
                Change::TextDocumentContentChangeWholeDocument(whole) => self.text = whole.text,
            }
        }
        self.version = version;
    }

    /// Remembers the text if all of its documents can be parsed.
    pub(super) fn note_readable(&mut self) {
        if self.readable.as_ref() != Some(&self.text)
            && parse_without_comments(&self.text).iter().all(Result::is_ok)
        {
            self.readable = Some(self.text.clone());
        }
    }

    /// The last parseable text, if it is not the current one, because the user is typing.
    pub(super) fn before_typing(&self) -> Option<&str> {
        self.readable.as_deref().filter(|text| *text != self.text)
    }

    /// The path or URI, as in reports.
    pub(super) fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => self.uri.0.clone(),
        }
    }
}

/// What differs between two texts: everything but the same beginning and the same end.
pub(super) struct TextChange {
    head: usize,
    tail: usize,
    before: usize,
    after: usize,
}

impl TextChange {
    /// Compares two texts.
    pub(super) fn of(before: &str, after: &str) -> Self {
        let (old, new) = (before.as_bytes(), after.as_bytes());
        let same = |(one, other): &(&u8, &u8)| one == other;
        let head = old.iter().zip(new).take_while(same).count();
        let most = old.len().min(new.len()) - head;
        let backwards = old.iter().rev().zip(new.iter().rev());
        Self {
            head,
            tail: backwards.take(most).take_while(same).count(),
            before: old.len(),
            after: new.len(),
        }
    }

    /// The range of the new text that corresponds to `part` of the old one, if that did not change.
    pub(super) fn moved(&self, part: &Range<usize>) -> Option<Range<usize>> {
        if part.end <= self.head {
            Some(part.clone())
        } else if self.before - self.tail <= part.start {
            let from_end = |at: usize| self.after - (self.before - at);
            Some(from_end(part.start)..from_end(part.end))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_before_or_behind_the_change_stays() {
        let moved = |part: &Range<usize>, before: &str, after: &str| {
            TextChange::of(before, after).moved(part)
        };
        let before = "a: 1\nb: 2\nc: 3\n";
        let after = "a: 1\nb: [[\nc: 3\n";
        assert_eq!(moved(&(0..4), before, after), Some(0..4));
        assert_eq!(moved(&(5..9), before, after), None);
        assert_eq!(moved(&(10..14), before, after), Some(11..15));
        assert_eq!(moved(&(0..4), before, before), Some(0..4));
        // No byte counts both as head and as tail.
        assert_eq!(moved(&(2..3), "aaa", "aa"), None);
    }
}
