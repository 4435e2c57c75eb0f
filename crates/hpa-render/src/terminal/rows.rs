//! Rows of a title, an outcome and a wrapped explanation.

use hpa_words::wrap::wrap;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    style::{Role, Style},
    styled::StyledText,
};

/// One row.
#[derive(Clone, Debug)]
pub(super) struct TerminalRow {
    /// First column; empty: belongs to the row above.
    pub(super) title: String,
    /// Second column.
    pub(super) outcome: String,
    /// Third column, wrapped.
    pub(super) how: String,
    /// Further lines below the third column.
    pub(super) below: Vec<String>,
    /// At the right edge: the mark of the deciding row.
    pub(super) mark: Option<String>,
    /// Color of the row.
    pub(super) role: Role,
}

/// Widths of the first two columns, gaps included.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowWidths {
    pub(super) title: usize,
    pub(super) outcome: usize,
}

impl RowWidths {
    /// Column widths for `rows`: titles of the usual length always get the same width.
    pub(super) fn of(rows: &[TerminalRow]) -> Self {
        let widest = |column: fn(&TerminalRow) -> &String, least: usize, most: usize| {
            let fits = rows
                .iter()
                .map(|row| column(row).width())
                .filter(|width| *width <= most);
            fits.max().unwrap_or_default().max(least) + 2
        };
        Self {
            title: widest(|row| &row.title, 9, 20),
            outcome: widest(|row| &row.outcome, 12, 22),
        }
    }
}

/// Writes a row in as many lines as needed.
pub(super) fn write_row(row: &TerminalRow, columns: RowWidths, style: Style, out: &mut StyledText) {
    let mut first = pad(&row.title, columns.title);
    let indent = columns.title + columns.outcome;
    // A title that is too long for its column takes a line of its own.
    if columns.title <= row.title.width() {
        out.push_line(row.role, &row.title);
        first = " ".repeat(columns.title);
    }
    let mut lines = Vec::new();
    let rest = style.width.saturating_sub(indent).max(20);
    let mut how = wrap(&row.how, rest);
    if columns.outcome <= row.outcome.width() {
        // So does an outcome, with the explanation below it.
        let width = style.width.saturating_sub(columns.title).max(20);
        let mut outcome = wrap(&row.outcome, width).into_iter();
        lines.push(first + &outcome.next().unwrap_or_default());
        lines.extend(outcome.map(|line| " ".repeat(columns.title) + &line));
        lines.extend(how.drain(..).map(|line| " ".repeat(indent) + &line));
    } else {
        let mut how = how.into_iter();
        let head = first + &pad(&row.outcome, columns.outcome);
        lines.push(head + &how.next().unwrap_or_default());
        lines.extend(how.map(|line| " ".repeat(indent) + &line));
    }
    for line in &row.below {
        lines.extend(
            wrap(line, rest)
                .into_iter()
                .map(|line| " ".repeat(indent) + &line),
        );
    }
    for (number, line) in lines.iter().enumerate() {
        let is_last = number + 1 == lines.len();
        let mut line = line.trim_end();
        if let Some(mark) = row.mark.as_ref().filter(|_| is_last) {
            let room = style.width.saturating_sub(mark.width());
            if room < line.width() + 2 {
                out.push_line(row.role, line);
                line = "";
            }
            out.push(vec![
                (row.role, line.to_owned()),
                (Role::Text, " ".repeat(room.saturating_sub(line.width()))),
                (Role::Strong, mark.clone()),
            ]);
        } else {
            out.push_line(row.role, line);
        }
    }
}

/// Writes a title and a paragraph next to it.
pub(super) fn write_paragraph(
    title: &str,
    text: &str,
    indent: usize,
    role: Role,
    style: Style,
    out: &mut StyledText,
) {
    let width = style.width.saturating_sub(indent).max(20);
    for (number, line) in wrap(text, width).iter().enumerate() {
        let head = if number == 0 { title } else { "" };
        out.push_line(role, pad(head, indent) + line);
    }
}

pub(super) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}
