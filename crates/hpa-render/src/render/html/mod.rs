//! Pages for a browser: one self-contained file without scripts, with pictures drawn here.
//!
//! Every text is made harmless first (`text`) and escaped by maud then; the file forbids scripts and requests by itself.

mod changed;
mod document;
mod gauges;
mod ladder;
mod page;
mod picture;
mod pods;
mod round;
mod tables;
mod text;
mod what_if;

pub use document::document;
pub(in crate::render) use document::file;
pub(in crate::render) use picture::text_width;
pub(in crate::render) use text::text;
