//! Rows of a title, an outcome and an explanation that is wrapped.

use unicode_width::UnicodeWidthStr as _;

use crate::render::style::{Role, Style};

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// First column; empty: belongs to the row above.
    pub(super) title: String,
    /// Second column.
    pub(super) outcome: String,
    /// Third column, wrapped.
    pub(super) how: String,
    /// Further lines below the third column.
    pub(super) below: Vec<String>,
    /// At the right edge: what this row decides.
    pub(super) mark: Option<String>,
    /// Color of the row.
    pub(super) role: Role,
}

/// Widths of the first two columns, gaps included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) title: usize,
    pub(super) outcome: usize,
}

impl Columns {
    /// Columns that fit `rows`: titles of the usual length always get the same width.
    pub(super) fn of(rows: &[Row]) -> Self {
        let widest = |column: fn(&Row) -> &String, least: usize, most: usize| {
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

/// Writes a row in as many lines as it takes.
pub(super) fn write_row(row: &Row, columns: Columns, style: Style, out: &mut String) {
    let mut first = pad(&row.title, columns.title);
    let indent = columns.title + columns.outcome;
    // A title that is too long for its column has a line of its own.
    if columns.title <= row.title.width() {
        push_line(&style.paint(row.role, &row.title), out);
        first = " ".repeat(columns.title);
    }
    let mut lines = Vec::new();
    let rest = style.width.saturating_sub(indent).max(20);
    let mut how = wrap(&row.how, rest);
    if columns.outcome <= row.outcome.width() {
        // So has an outcome, with the explanation below it.
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
        let painted = style.paint(row.role, line.trim_end());
        match row.mark.as_ref().filter(|_| is_last) {
            Some(mark) => {
                let used = line.trim_end().width();
                let gap = style.width.saturating_sub(used + mark.width());
                let mark_painted = style.paint(Role::Strong, mark);
                if 2 <= gap {
                    push_line(&format!("{painted}{}{mark_painted}", " ".repeat(gap)), out);
                } else {
                    push_line(&painted, out);
                    let gap = style.width.saturating_sub(mark.width());
                    push_line(&format!("{}{mark_painted}", " ".repeat(gap)), out);
                }
            }
            None => push_line(&painted, out),
        }
    }
}

/// Writes a title and a paragraph beside it.
pub(super) fn write_paragraph(
    title: &str,
    text: &str,
    indent: usize,
    role: Role,
    style: Style,
    out: &mut String,
) {
    let width = style.width.saturating_sub(indent).max(20);
    for (number, line) in wrap(text, width).iter().enumerate() {
        let head = if number == 0 { title } else { "" };
        push_line(&style.paint(role, &(pad(head, indent) + line)), out);
    }
}

/// Wraps a text at blanks. A word that is longer than a line is broken.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let text = with_units_kept(text);
    let options = textwrap::Options::new(width.max(1))
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::wrap(&text, options)
        .into_iter()
        .map(|line| line.replace(NO_BREAK, " "))
        .collect()
}

/// Ties numbers to their units, so that no line begins with `%`.
fn with_units_kept(text: &str) -> String {
    const UNITS: [&str; 12] = [
        "%", "bytes", "d", "h", "m", "ms", "s", "KiB", "MiB", "GiB", "TiB", "PiB",
    ];
    let mut kept = String::with_capacity(text.len());
    for word in text.split(' ') {
        if !kept.is_empty() {
            let unit = word.trim_end_matches([',', '.', ':', ';', ')', ']', '}']);
            let is_unit =
                kept.ends_with(|last: char| last.is_ascii_digit()) && UNITS.contains(&unit);
            kept.push_str(if is_unit { NO_BREAK } else { " " });
        }
        kept.push_str(word);
    }
    kept
}

/// A blank at which no line is broken.
const NO_BREAK: &str = "\u{a0}";

pub(super) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

pub(super) fn push_line(line: &str, out: &mut String) {
    out.push_str(line.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_and_unit_stay_in_one_line_at_every_width() {
        let text = "not ready for 14 m (started 67 s ago), at 85 % of 1.2 GiB; 5 ms later, 3 d.";
        for width in 8..80 {
            let lines = wrap(text, width);
            assert_eq!(lines.join(" "), text);
            for line in &lines[1..] {
                let word = line.split(' ').next().unwrap_or_default();
                let unit = word.trim_end_matches([',', '.', ';', ')']);
                let is_unit = ["m", "s", "%", "GiB", "ms", "d"].contains(&unit);
                assert!(!is_unit, "{width}: {lines:?}");
            }
        }
    }
}
