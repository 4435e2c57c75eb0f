//! The documents of a text.

use super::{Span, YamlNode};

/// One document of a text.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Number of the document in the text, counted from 1, including empty ones.
    pub number: u32,
    /// Where it starts: its `---`, or its first node if it has none.
    pub start: u32,
    /// Its tree.
    pub root: YamlNode,
    /// Its comments, in written order.
    pub comments: Vec<Comment>,
    /// Duplicate keys of mappings. kubectl takes the last one; other tools reject the document.
    pub repeated_keys: Vec<RepeatedKey>,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From its `#` to the end of its line.
    pub span: Span,
    /// The text after the `#`.
    pub text: Box<str>,
}

/// A duplicate key of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedKey {
    /// The key.
    pub key: Box<str>,
    /// The first occurrence, whose entry has no effect.
    pub first: Span,
    /// The repeated occurrence.
    pub again: Span,
}

/// Why a document could not be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Number of the document in the text, counted from 1.
    pub document: u32,
    /// Where the error is.
    pub span: Span,
    /// The whole document, as far as its limits are known.
    pub region: Span,
    /// What is wrong.
    pub problem: String,
}

/// Whether to keep comments. Parsing without them is about one sixth faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// Keep them.
    Kept,
    /// Drop them.
    Left,
}
