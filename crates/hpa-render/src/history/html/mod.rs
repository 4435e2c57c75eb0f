//! The HTML page of one past: one self-contained file without scripts, with charts (`render::chart`).

mod charts;
mod lines;
mod page;
mod tables;

pub use page::document;
