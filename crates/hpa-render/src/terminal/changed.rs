//! Today's decision compared with the one under a changed spec.

use hpa_explain::{ChangedView, Page};
use unicode_width::UnicodeWidthStr as _;

use super::rows::{pad, write_paragraph};
use crate::{
    comparison::{ComparedRow, comparison},
    style::{Role, Style},
    styled::StyledText,
    wrap::wrap,
};

/// Writes the block above the page of the changed spec: the edits, and the differences in the decision.
pub(super) fn write_changed(view: &ChangedView, page: &Page, style: Style, out: &mut StyledText) {
    let comparison = comparison(view, page);
    let titles = comparison.rows.iter().map(|row| row.title.width() + GAP);
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
    let heading = ComparedRow {
        title: String::new(),
        today: "today".to_owned(),
        changed: "changed".to_owned(),
        is_verdict: false,
    };
    write_row(&heading, margin, Role::Dim, style, out);
    for row in &comparison.rows {
        let role = if row.is_verdict {
            Role::Strong
        } else {
            Role::Text
        };
        write_row(row, margin, role, style, out);
    }
    let when = style.clean(&view.when);
    write_paragraph("effective", &when, margin, Role::Dim, style, out);
    out.push_blank();
}

/// Writes a row in three columns, the last two of the same width.
fn write_row(row: &ComparedRow, margin: usize, role: Role, style: Style, out: &mut StyledText) {
    let width = style.width.min(LONGEST_LINE).saturating_sub(margin) / 2;
    let title = style.clean(&row.title);
    let today = wrap(&style.clean(&row.today), width.saturating_sub(2));
    let changed = wrap(&style.clean(&row.changed), width);
    let mut first = title.as_str();
    // A title that is too long for its column takes a line of its own.
    if margin <= title.width() {
        out.push_line(role, &title);
        first = "";
    }
    for line in 0..today.len().max(changed.len()) {
        let cell = |lines: &[String]| lines.get(line).cloned().unwrap_or_default();
        let before = pad(&cell(&today), width);
        // A word longer than its column is not broken.
        let gap = if width < before.width() { "  " } else { "" };
        let text = pad(first, margin) + &before + gap + &cell(&changed);
        out.push_line(role, text);
        first = "";
    }
}

/// Width of the first column, gap included, as on most pages.
const TITLE: usize = 11;

/// Maximum width of the first column, gap included.
const LONGEST_TITLE: usize = 24;

/// Columns between a title and the next cell.
const GAP: usize = 2;

/// Columns further apart are hard to compare, however wide the terminal is.
const LONGEST_LINE: usize = 100;
