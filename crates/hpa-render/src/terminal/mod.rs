//! Text output in columns.

mod changed;
mod page;
mod pods;
mod rows;
mod what_if;

pub use page::{PageDetail, answer, page, styled_page};
