//! Today's decision compared with the one under a changed spec.

use hpa_explain::{ChangedView, Page};
use unicode_width::UnicodeWidthStr as _;

use super::rows::write_paragraph;
use crate::{
    comparison::comparison,
    style::{Role, Style},
    styled::StyledText,
    table::Table,
};

/// Writes the block above the page of the changed spec: the edits, and the differences in the decision.
pub(super) fn write_changed(view: &ChangedView, page: &Page, style: Style, out: &mut StyledText) {
    let comparison = comparison(view, page);
    let rows = comparison.table.rows;
    let titles = rows.iter().map(|(_, cells)| cells[0].width() + GAP);
    let margin = titles.max().unwrap_or_default().clamp(TITLE, LONGEST_TITLE);
    let mut title = "changed";
    for change in &comparison.changes {
        let change = style.clean(change);
        write_paragraph(title, &change, margin, Role::Text, style, out);
        title = "";
    }
    if let Some(filled_in) = &comparison.filled_in {
        let filled_in = style.clean(filled_in);
        write_paragraph("defaults", &filled_in, margin, Role::Dim, style, out);
    }
    for note in &view.edit.notes {
        let note = format!("! {}", style.clean(note));
        write_paragraph("note", &note, margin, Role::Warning, style, out);
    }
    out.push_blank();
    let mut table = Table::new(style.with_width(style.width.min(LONGEST_LINE)));
    let heading = " ".repeat(TITLE - GAP);
    table.push(Role::Dim, [&heading, "today", "changed"]);
    for (role, cells) in rows {
        table.push(role, cells);
    }
    table.write_wrapped(out);
    let when = style.clean(&view.when);
    write_paragraph("effective", &when, margin, Role::Dim, style, out);
    out.push_blank();
}

/// Width of the first column, gap included, as on most pages.
const TITLE: usize = 11;

/// Maximum width of the first column, gap included.
const LONGEST_TITLE: usize = 24;

/// Columns between a title and the next cell.
const GAP: usize = 2;

/// Columns further apart are hard to compare, however wide the terminal is.
const LONGEST_LINE: usize = 100;
