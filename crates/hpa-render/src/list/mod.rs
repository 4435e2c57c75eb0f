//! The output of `list`, one file for each format.

mod drift;
mod json;
mod sort;
mod summary;
mod table;
mod unread_causes;
mod view;

pub use drift::drift;
pub use json::{ItemsOfRows, ListOutput, ListSummary, ListedHpa, SCHEMA_VERSION};
pub use sort::{SORT_KEYS, SortKey};
pub(super) use summary::of_contexts;
pub use summary::{not_read, not_read_of, summary};
pub use table::{ListTable, TableColumns};
pub use unread_causes::Causes;
pub use view::{ErrorFinding, ListContext, ListRow, ListView, NotReadOf};
