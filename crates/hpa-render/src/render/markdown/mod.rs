//! Pages for an issue or a post-mortem: GitHub's Markdown.

mod changed;
mod escape;
mod page;
mod table;

pub use page::document;
