//! HTML output: one self-contained file without scripts, with charts (`render::chart`).
//!
//! Head, styles and sanitizing are shared with the pages of `explain` (`render::html`).

mod charts;
mod page;
mod tables;
mod words;

pub use page::document;
