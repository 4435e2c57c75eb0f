//! The texts of the input.

use std::sync::{Arc, OnceLock};

use kubectl_hpa_yaml::{Decoded, Span};

/// Identifies a given file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A text and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Path as given; `<stdin>` for standard input.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Box<str>,
    /// Byte offsets in the text of each U+FFFD that replaces invalid bytes.
    // Few files have any, and there may be hundreds of thousands of files.
    pub replaced: Option<Box<Vec<u32>>>,
    /// Whether the file is UTF-16.
    pub is_utf16: bool,
    /// Whether it was found in a directory and not named.
    pub is_found: bool,
    /// Whether the text is a program's output for the file, so that positions in it are not positions in the file.
    pub is_rendered: bool,
    lines: OnceLock<Box<LineStarts>>,
}

/// The start of each line. Computed when first needed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LineStarts {
    starts: Box<[u32]>,
    /// Whether columns equal bytes.
    is_ascii: bool,
}

/// All texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<SourceText>,
}

/// A location in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One after the last byte.
    pub end: u32,
}

impl Sources {
    /// The ID of the next text.
    pub(super) fn next_id(&self) -> FileId {
        FileId(self.files.len().try_into().unwrap_or(u32::MAX))
    }

    /// Makes room for so many texts.
    pub(super) fn reserve(&mut self, more: usize) {
        self.files.reserve(more);
    }

    /// Adds a text.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<String>) -> FileId {
        let decoded = Decoded {
            text: text.into(),
            ..Decoded::default()
        };
        self.add_decoded(name, decoded, false, false)
    }

    /// Adds a decoded text of a file.
    pub(super) fn add_decoded(
        &mut self,
        name: impl Into<Arc<str>>,
        decoded: Decoded,
        is_found: bool,
        is_rendered: bool,
    ) -> FileId {
        let id = self.next_id();
        self.files.push(SourceText {
            name: name.into(),
            text: decoded.text.into(),
            replaced: (!decoded.replaced.is_empty()).then(|| decoded.replaced.into()),
            is_utf16: decoded.is_utf16,
            is_found,
            is_rendered,
            lines: OnceLock::new(),
        });
        id
    }

    /// The text of an added file.
    pub fn get(&self, file: FileId) -> &SourceText {
        &self.files[file.0 as usize]
    }

    /// All texts, in the order of addition.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceText)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// Like [`iter`](Self::iter), by value.
    pub(super) fn into_iter(self) -> impl Iterator<Item = (FileId, SourceText)> {
        (0..).map(FileId).zip(self.files)
    }

    /// Line and column of a byte, both counted from 1. The column counts characters.
    pub fn line_and_column(&self, file: FileId, byte: u32) -> (usize, usize) {
        self.get(file).line_and_column(byte as usize)
    }
}

impl SourceText {
    fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let lines = self.lines.get_or_init(|| LineStarts::of(&self.text).into());
        let start_of = |line: usize| lines.starts[line] as usize;
        let mut byte = byte.clamp(start_of(0), self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let is_before = |start: &u32| *start as usize <= byte;
        let line = lines.starts.partition_point(is_before);
        let start = start_of(line - 1);
        let column = if lines.is_ascii {
            byte - start
        } else {
            self.text[start..byte].chars().count()
        };
        (line, column + 1)
    }
}

impl LineStarts {
    fn of(text: &str) -> Self {
        // A text has less than 4 GiB.
        let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        let newlines = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Self {
            // A byte order mark is not a column.
            starts: std::iter::once(text.len() - text.trim_start_matches('\u{feff}').len())
                .chain(newlines)
                .map(offset)
                .collect(),
            is_ascii: text.is_ascii(),
        }
    }
}

impl Location {
    /// The location of a span in `file`.
    pub fn new(file: FileId, span: Span) -> Self {
        Self {
            file,
            start: span.start,
            end: span.end,
        }
    }
}
