//! Tables.

use super::escape::escape;
use crate::{
    blocks::{TableBlock, used_columns},
    style::Role,
};

/// Writes a table without the columns that are empty in all rows. Cells after the name are strong where the row is.
pub(super) fn write_block(block: &TableBlock, out: &mut String) {
    let header: Vec<&str> = block.columns.iter().map(|(title, _)| *title).collect();
    let cells = |(role, cells): &(Role, Vec<String>)| {
        let cells = cells.iter().enumerate();
        let cells = cells.map(|(column, cell)| match (role, column) {
            (Role::Strong, 1..) => format!("**{}**", escape(cell)),
            _ => escape(cell),
        });
        cells.collect()
    };
    let rows: Vec<Vec<String>> = block.rows.iter().map(cells).collect();
    write_table(&header, &rows, out);
}

/// Writes a table of escaped cells. Columns that are empty in all rows are left out.
pub(super) fn write_table(header: &[&str], rows: &[Vec<String>], out: &mut String) {
    let used = used_columns(header.len(), &rows.iter());
    let mut write_row = |cells: Vec<&str>| {
        out.push('|');
        for cell in cells {
            out.push(' ');
            out.push_str(cell);
            out.push_str(" |");
        }
        out.push('\n');
    };
    write_row(used.iter().map(|column| header[*column]).collect());
    write_row(used.iter().map(|_| "---").collect());
    for row in rows {
        let cell = |column: &usize| row.get(*column).map_or("", String::as_str);
        write_row(used.iter().map(cell).collect());
    }
}
