//! Blocks of reports, made once for the formats that draw them.

use crate::style::Role;

/// The headline of a page.
pub(crate) struct Headline {
    pub(crate) text: String,
    /// How good it is.
    pub(crate) role: Role,
    pub(crate) mark: &'static str,
}

/// A table of texts. A row begins with its name, and has a role.
pub(crate) struct TableBlock {
    pub(crate) columns: Vec<(&'static str, ColumnKind)>,
    pub(crate) rows: Vec<(Role, Vec<String>)>,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Name,
    Number,
    Text,
}

impl TableBlock {
    /// The columns that are not empty in all rows.
    pub(crate) fn used(&self) -> Vec<usize> {
        let is_used = |column: &usize| {
            let mut cells = self.rows.iter().filter_map(|(_, cells)| cells.get(*column));
            cells.any(|cell| !cell.is_empty())
        };
        (0..self.columns.len()).filter(is_used).collect()
    }
}
