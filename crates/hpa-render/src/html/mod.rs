//! HTML output: one self-contained file without scripts, with inline pictures.
//!
//! Every text is sanitized first (`text`) and then escaped by maud; the file's own policy forbids scripts and
//! requests.

mod blocks;
mod changed;
mod document;
mod gauges;
mod ladder;
mod page;
mod picture;
mod pods;
mod round;
mod text;

pub(crate) use blocks::{HtmlTable, card, folded, header, lines, sentences, sign, tone};
pub(crate) use document::file;
pub use document::write;
pub(crate) use picture::text_width;
pub(crate) use text::{plain, text};
