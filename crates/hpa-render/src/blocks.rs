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
    /// The same without one of its columns.
    pub(crate) fn without(mut self, name: &str) -> Self {
        if let Some(index) = self.columns.iter().position(|(column, _)| *column == name) {
            self.columns.remove(index);
            for (_, cells) in &mut self.rows {
                cells.remove(index);
            }
        }
        self
    }
}

/// Which of this many columns are not empty in all rows.
pub(crate) fn used_columns<'r>(
    columns: usize,
    rows: &(impl Iterator<Item = &'r Vec<String>> + Clone),
) -> Vec<usize> {
    let is_used = |column: &usize| {
        let mut cells = rows.clone().filter_map(|cells| cells.get(*column));
        cells.any(|cell| !cell.is_empty())
    };
    (0..columns).filter(is_used).collect()
}
