//! The texts that objects come from.

use crate::yaml::Span;

/// A file among those that were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A text and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path as it was given; `<stdin>` for standard input.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// All texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<Source>,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One beyond the last byte.
    pub end: u32,
}

impl Sources {
    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(self.files.len().try_into().unwrap_or(u32::MAX));
        self.files.push(Source {
            name: name.into(),
            text: text.into(),
        });
        id
    }

    /// The text of a file that was added here.
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[file.0 as usize]
    }

    /// All of them, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// Line and column of a byte, both counted from 1; the column counts characters.
    pub fn line_and_column(&self, file: FileId, byte: u32) -> (usize, usize) {
        let text = &self.get(file).text;
        let mut byte = (byte as usize).min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &text[..byte];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }
}

impl Location {
    /// The place of a span of `file`.
    pub fn new(file: FileId, span: Span) -> Self {
        Self {
            file,
            start: span.start,
            end: span.end,
        }
    }
}
