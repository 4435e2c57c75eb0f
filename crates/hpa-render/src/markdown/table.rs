//! Tables.

/// Writes a table of escaped cells. Columns that are empty in all rows are left out.
pub(super) fn write_table(header: &[&str], rows: &[Vec<String>], out: &mut String) {
    let used: Vec<usize> = (0..header.len())
        .filter(|column| {
            rows.iter()
                .any(|row| row.get(*column).is_some_and(|cell| !cell.is_empty()))
        })
        .collect();
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
