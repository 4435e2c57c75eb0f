//! Pages for people: text in columns.

mod page;
mod pods;
mod rows;

pub use page::{Detail, page};
