//! Every table of the terminal: comfy-table arranges, wraps and cuts, with the look of kubectl's tables.

use std::ops::Range;

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, ContentLineStyle, LineStyle, Row,
    TableStyle, Width,
};
use hpa_words::wrap::{NO_BREAK, tied, wrap_indented};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    style::{Role, Style},
    styled::StyledText,
};

/// Rows of cells, the header first if there is one. Names, flags and commands are never broken.
#[derive(Clone, Debug)]
pub struct Table {
    style: Style,
    rows: Vec<Vec<(Role, String)>>,
    /// Columns between two cells.
    gap: u16,
    /// The columns of numbers.
    right: Range<usize>,
    /// The columns that are wrapped.
    wrapped: Range<usize>,
    /// Widths in which cells are cut; empty: as wide as the cells.
    widths: Vec<usize>,
}

/// Columns that a sentence needs next to what it is about.
pub(crate) const LEAST_TEXT: usize = 20;

/// Indent of a sentence below what it is about.
pub(crate) const INDENT: usize = 4;

/// The pieces of a line.
pub type StyledLine = Vec<(Role, String)>;

impl Table {
    /// An empty table.
    pub const fn new(style: Style) -> Self {
        Self {
            style,
            rows: Vec::new(),
            gap: 2,
            right: 0..0,
            wrapped: 0..0,
            widths: Vec::new(),
        }
    }

    /// The same with another number of columns between two cells.
    #[must_use]
    pub fn with_gap(self, gap: u16) -> Self {
        Self { gap, ..self }
    }

    /// The same with numbers in these columns: they are aligned at their right end.
    #[must_use]
    pub fn with_numbers(self, right: Range<usize>) -> Self {
        Self { right, ..self }
    }

    /// The same with columns of these widths, in which longer cells are cut.
    #[must_use]
    pub(crate) fn with_widths(self, widths: Vec<usize>) -> Self {
        Self { widths, ..self }
    }

    /// Adds a row of one role.
    pub fn push<T: Into<String>>(&mut self, role: Role, cells: impl IntoIterator<Item = T>) {
        self.push_cells(cells.into_iter().map(|cell| (role, cell.into())));
    }

    /// Adds a row whose cells have roles of their own.
    pub fn push_cells(&mut self, cells: impl IntoIterator<Item = (Role, String)>) {
        let cells = cells.into_iter();
        let cells = cells.map(|(role, cell)| (role, self.style.clean(&cell)));
        self.rows.push(cells.collect());
    }

    /// The widths of the columns, without what is between them.
    pub(crate) fn into_widths(self) -> Vec<usize> {
        let widths = self.arranged().0.column_max_content_widths();
        widths.into_iter().map(usize::from).collect()
    }

    /// Whether the table needs no wrapping in the width of the style.
    pub(crate) fn fits(&self) -> bool {
        self.style.has_whole_rows || self.width(&self.clone().into_widths()) <= self.style.width
    }

    /// How wide it is with columns of these widths.
    fn width(&self, widths: &[usize]) -> usize {
        let gaps = usize::from(self.gap) * widths.len().saturating_sub(1);
        widths.iter().sum::<usize>() + gaps
    }

    /// Writes the table as wide as it is.
    pub fn write(self, out: &mut StyledText) {
        out.extend(self.lines().into_iter().flatten());
    }

    /// Writes the table with all columns wrapped to the width of the style.
    pub fn write_wrapped(mut self, out: &mut StyledText) {
        self.wrapped = 0..usize::MAX;
        self.write(out);
    }

    /// Writes the table with the last column wrapped. It goes below its row, behind an indent, where the others leave less
    /// than `least` columns, or less than its longest word.
    pub fn write_with_text(self, least: usize, indent: usize, out: &mut StyledText) {
        out.extend(self.lines_with_text(least, indent).into_iter().flatten());
    }

    /// The same, but a row is one line where the style has that.
    pub(crate) fn write_rows(self, least: usize, indent: usize, out: &mut StyledText) {
        if self.style.has_whole_rows {
            self.write(out);
        } else {
            self.write_with_text(least, indent, out);
        }
    }

    /// The same as the lines of each row.
    pub fn lines_with_text(mut self, least: usize, indent: usize) -> Vec<Vec<StyledLine>> {
        let last = self.columns().saturating_sub(1);
        let widths = self.clone().into_widths();
        let whole = widths.last().copied().unwrap_or_default();
        let least = whole.min(least).max(self.longest_word(last));
        if self.width(&widths) + least <= self.style.width + whole {
            self.wrapped = last..usize::MAX;
            return self.lines();
        }
        let width = self.style.width;
        let texts: Vec<_> = self.rows.iter_mut().map(Vec::pop).collect();
        let mut rows = self.lines();
        let indent = " ".repeat(indent);
        for (lines, (role, text)) in rows.iter_mut().zip(texts.into_iter().flatten()) {
            let text = wrap_indented(&text, width, &indent, &indent).into_iter();
            lines.extend(text.map(|line| vec![(role, line)]));
        }
        rows
    }

    fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or_default()
    }

    /// The width of the longest piece of a column that is not broken.
    fn longest_word(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let words = cells.map(|(_, cell)| tied(cell).split(' ').map(str::width).max());
        words.flatten().max().unwrap_or_default()
    }

    /// The lines of each row.
    pub(crate) fn lines(self) -> Vec<Vec<StyledLine>> {
        let wrapped = self.wrapped.clone();
        let (table, roles) = self.arranged();
        let mut rows: Vec<Vec<StyledLine>> = Vec::with_capacity(roles.len());
        let mut is_first = true;
        for line in table.lines() {
            if line.starts_with(ROW_END) {
                is_first = true;
                continue;
            }
            if std::mem::take(&mut is_first) {
                rows.push(Vec::new());
            }
            let number = rows.len() - 1;
            rows[number].push(pieces(&line, &roles[number], &wrapped));
        }
        rows
    }

    /// The table with the widths of its columns decided, and the roles of its cells.
    fn arranged(self) -> (comfy_table::Table, Vec<Vec<Role>>) {
        let last = self.columns().saturating_sub(1);
        let least: Vec<usize> = (0..=last)
            .map(|column| {
                let is_wrapped = self.wrapped.contains(&column);
                if is_wrapped {
                    self.longest_word(column)
                } else {
                    0
                }
            })
            .collect();
        let mut table = comfy_table::Table::new();
        table
            .load_style(LOOK)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(columns(self.style.width))
            .set_truncation_indicator(&self.style.clean("…"));
        let mut roles = Vec::with_capacity(self.rows.len());
        for cells in self.rows {
            roles.push(cells.iter().map(|(role, _)| *role).collect());
            let cells = cells.into_iter().enumerate();
            let cells = cells.map(|(column, (_, cell))| {
                let is_wrapped = self.wrapped.contains(&column);
                Cell::new_owned(if is_wrapped { tied(&cell) } else { cell })
            });
            let mut row = Row::from(cells.collect::<Vec<_>>());
            if !self.widths.is_empty() {
                row.max_height(1);
            }
            table.add_row(row);
        }
        for (number, column) in table.column_iter_mut().enumerate() {
            // The mark of a cell's end is a blank.
            let padding = if number == last { 0 } else { self.gap - 1 };
            column.set_padding((0, padding));
            let of = |width: usize| Width::Fixed(columns(width).saturating_add(padding));
            column.set_constraint(match self.widths.get(number) {
                Some(width) => ColumnConstraint::Absolute(of(*width)),
                None if self.wrapped.contains(&number) => {
                    ColumnConstraint::LowerBoundary(of(least[number]))
                }
                None => ColumnConstraint::ContentWidth,
            });
            if self.right.contains(&number) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        (table, roles)
    }
}

/// The cells of a drawn line, those of one role as one piece.
fn pieces(line: &str, roles: &[Role], wrapped: &Range<usize>) -> StyledLine {
    let mut pieces: StyledLine = Vec::new();
    for (column, (cell, role)) in line.split(CELL_END).zip(roles).enumerate() {
        let cell = if wrapped.contains(&column) {
            cell.replace(NO_BREAK, " ")
        } else {
            cell.to_owned()
        };
        match pieces.last_mut() {
            Some((before, piece)) => {
                piece.push(' ');
                if before == role {
                    piece.push_str(&cell);
                } else {
                    pieces.push((*role, cell));
                }
            }
            None => pieces.push((*role, cell)),
        }
    }
    pieces
}

fn columns(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}

/// Nothing is drawn between cells and rows but marks, by which each line is taken apart again to color it. No cell has
/// them: they are control characters.
const LOOK: TableStyle = TableStyle::new()
    .content_lines(ContentLineStyle::none().junction(CELL_END))
    .row_separator(LineStyle::none().fill(ROW_END));

/// Between two cells.
const CELL_END: char = '\u{1f}';

/// Begins the line between two rows.
const ROW_END: char = '\u{1e}';

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    const WORD: &str = "[a-z0-9日本🚀é-]{1,14}";

    fn texts(lines: &[StyledLine]) -> Vec<String> {
        let text = |line: &StyledLine| {
            line.iter()
                .map(|(_, piece)| piece.as_str())
                .collect::<String>()
        };
        lines
            .iter()
            .map(|line| text(line).trim_end().to_owned())
            .collect()
    }

    fn words(texts: &[String]) -> Vec<String> {
        let words = texts.iter().flat_map(|text| text.split(' '));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }

    proptest! {
        #[test]
        fn no_word_is_broken_and_columns_line_up_at_every_width(
            rows in vec((WORD, WORD, vec(WORD, 0..12)), 1..6),
            width in 1_usize..160,
            least in 0_usize..60,
        ) {
            let style = Style::plain().with_width(width);
            let mut table = Table::new(style);
            for (first, second, text) in &rows {
                let text = text.join(" ");
                table.push_cells([
                    (Role::Strong, first.clone()),
                    (Role::Text, second.clone()),
                    (Role::Dim, text),
                ]);
            }
            let names = rows.iter().map(|(first, ..)| first.width()).max().unwrap_or_default();
            let seconds = rows.iter().map(|(_, second, _)| second.width()).max().unwrap_or_default();
            let longest = rows.iter().flat_map(|(.., text)| text).map(|word| word.width()).max();
            let all_fit = names + 2 + seconds <= width && longest.unwrap_or_default() + 4 <= width;
            let mut of_all = StyledText::default();
            table.clone().write_wrapped(&mut of_all);
            let drawn = table.lines_with_text(least, 4);
            prop_assert_eq!(drawn.len(), rows.len());
            for (lines, (first, second, text)) in drawn.iter().zip(&rows) {
                let lines = texts(lines);
                let mut cells = vec![first.clone(), second.clone()];
                cells.extend(text.iter().cloned());
                prop_assert_eq!(words(&lines), cells);
                let before = lines[0].split_once(' ').map_or(0, |_| names + 2);
                let start = lines[0][first.len()..].find(|letter| letter != ' ').unwrap_or_default();
                prop_assert_eq!(first.width() + start, before);
                prop_assert!(!all_fit || lines.iter().all(|line| line.width() <= width), "{:?}", lines);
            }
            let mut wrapped = words(&texts(of_all.lines()));
            let mut given: Vec<String> = rows
                .into_iter()
                .flat_map(|(first, second, text)| [vec![first, second], text].concat())
                .collect();
            wrapped.sort();
            given.sort();
            prop_assert_eq!(wrapped, given);
        }
    }

    #[test]
    fn commands_stay_whole_and_control_characters_draw_nothing() {
        let mut table = Table::new(Style::plain().with_width(40));
        table.push(
            Role::Text,
            [
                "a\u{1f}b\u{1e}",
                "to see why: kubectl hpa explain web -n shop",
            ],
        );
        table.push(Role::Text, ["\u{1e}c", ""]);
        let mut text = StyledText::default();
        table.write_with_text(16, 2, &mut text);
        assert_eq!(
            text.paint(Style::plain()),
            "ab  to see why:\n    kubectl hpa explain web -n shop\nc\n"
        );
    }

    #[test]
    fn longer_cells_are_cut_where_widths_are_given() {
        for (width, cut) in [(10, "stays at 2"), (7, "stays…"), (1, "…")] {
            let mut table = Table::new(Style::plain()).with_widths(vec![width]);
            table.push(Role::Text, ["stays at 2"]);
            let mut text = StyledText::default();
            table.write(&mut text);
            assert_eq!(text.paint(Style::plain()), format!("{cut}\n"));
        }
    }
}
