//! GitHub Markdown for an issue or a post-mortem.

mod changed;
mod escape;
mod page;
mod table;

pub use page::write;
