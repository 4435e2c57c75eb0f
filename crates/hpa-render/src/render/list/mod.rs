//! The lines of `list`, one file for each format.

mod json;
mod summary;
mod table;
mod view;

pub use json::{ListOutput, ListSummary, ListedHpa, SCHEMA_VERSION};
pub use summary::{not_read, not_read_of, summary};
pub use table::{ListTable, TableColumns};
pub use view::{ErrorFinding, ListRow, ListView, NotReadOf};
