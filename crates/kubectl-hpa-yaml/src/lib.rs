//! YAML and JSON as a tree with the position of each part in the text.
//!
//! It keeps what a typed decoder drops and a linter needs: byte ranges, comments, unknown fields, and the valid
//! documents next to a broken one. Scalars are read as kubectl reads them. Nothing here does I/O.

mod agreement;
mod anchors;
mod build;
mod convert;
mod covered;
mod decode;
mod locate;
mod node;
mod parse;
mod parsed_document;
mod repeated;
mod room;
mod scalar;
mod text;

pub use agreement::{ParserDisagreement, check_agreement};
pub use decode::{Decoded, decode};
pub use locate::steps;
pub use node::{Entry, Number, Span, YamlNode, YamlValue};
pub use parse::{for_each, parse, parse_object, parse_part, parse_without_comments};
pub use parsed_document::{Comment, Comments, Document, RepeatedKey, SyntaxError};
pub use text::YamlText;

// The example in the README is a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod page {}
