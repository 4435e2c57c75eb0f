//! Pages for a browser: one self-contained file without scripts, with charts drawn here.
//!
//! Head, styles and safety are those of the pages of `explain` (`render::html`).

mod axis;
mod chart;
mod charts;
mod page;
mod svg;
mod tables;
mod words;

pub use page::document;
