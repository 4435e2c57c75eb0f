//! Text output in columns.

mod changed;
mod page;
mod pods;
mod rows;
mod what_if;

pub use page::styled_page;
pub use page::{PageDetail, page};
