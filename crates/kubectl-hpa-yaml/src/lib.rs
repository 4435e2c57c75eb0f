//! YAML and JSON as a tree that remembers where each part of it stands in the text.
//!
//! What a typed decoder forgets is what a linter needs: byte ranges, comments, unknown fields, and a broken document
//! among good ones. Scalars are read as kubectl reads them. Nothing here does I/O.

mod agreement;
mod anchors;
mod build;
mod convert;
mod covered;
mod decode;
mod locate;
mod node;
mod parse;
mod repeated;
mod scalar;

pub use agreement::{ParserDisagreement, check_agreement};
pub use decode::{Decoded, decode};
pub use locate::steps;
pub use node::{Entry, Number, Span, YamlNode, YamlValue};
pub use parse::{
    Comment, Comments, Document, RepeatedKey, SyntaxError, for_each, parse, parse_item, parse_part,
    parse_without_comments,
};

// The example of the page is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod page {}
