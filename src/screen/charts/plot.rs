//! Drawing into the cells of a chart.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use super::columns::ValueColumn;
use crate::screen::glyphs::Glyphs;

/// The cells of a chart; their heights range from zero to `high`.
pub(super) struct Plot<'b> {
    pub(super) buffer: &'b mut Buffer,
    pub(super) area: Rect,
    /// More than zero.
    pub(super) high: f64,
    pub(super) glyphs: &'static Glyphs,
}

impl Plot<'_> {
    /// Bars: solid up to the minimum of a column, half-filled from there to the maximum.
    pub(super) fn bars(&mut self, columns: &[Option<ValueColumn>], style: Style) {
        for (x, column) in (0..self.area.width).zip(columns) {
            let Some(column) = column else { continue };
            let (full, half) = (self.eighths(column.least), self.eighths(column.most));
            for row in 0..self.area.height {
                let above = i64::from(self.area.height - 1 - row) * 8;
                let glyph = match (full - above, half - above) {
                    (8.., _) => self.glyphs.fill[7],
                    (eighths @ 1.., _) => {
                        self.glyphs.fill[usize::try_from(eighths - 1).unwrap_or_default()]
                    }
                    (_, 4..) => self.glyphs.half_fill,
                    _ => continue,
                };
                self.put(x, row, glyph, style);
            }
        }
    }

    /// A step line, vertical where the value changes within a column.
    pub(super) fn steps(&mut self, columns: &[Option<ValueColumn>], style: Style) {
        let [level, upright, top_left, top_right, low_left, low_right] = self.glyphs.steps;
        for (x, column) in (0..self.area.width).zip(columns) {
            let Some(column) = column else { continue };
            let (top, bottom) = (self.row(column.most), self.row(column.least));
            if top == bottom {
                self.put(x, top, level, style);
                continue;
            }
            for row in top..=bottom {
                self.put(x, row, upright, style);
            }
            let (first, last) = (self.row(column.first), self.row(column.last));
            if first == bottom && last == top {
                self.put(x, bottom, low_right, style);
                self.put(x, top, top_left, style);
            } else if first == top && last == bottom {
                self.put(x, top, top_right, style);
                self.put(x, bottom, low_left, style);
            }
        }
    }

    /// A mark at the maximum of each column.
    pub(super) fn marks(&mut self, columns: &[Option<ValueColumn>], glyph: &str, style: Style) {
        for (x, column) in (0..self.area.width).zip(columns) {
            if let Some(column) = column {
                self.put(x, self.row(column.most), glyph, style);
            }
        }
    }

    /// A mark at the maximum of each column, if it is within the chart.
    pub(super) fn levels(&mut self, columns: &[Option<ValueColumn>], glyph: &str, style: Style) {
        let high = self.high;
        let within: Vec<Option<ValueColumn>> = columns
            .iter()
            .map(|column| column.filter(|column| column.most <= high))
            .collect();
        self.marks(&within, glyph, style);
    }

    /// A band between two values that change over time.
    pub(super) fn band(
        &mut self,
        low: &[Option<ValueColumn>],
        high: &[Option<ValueColumn>],
        glyph: &str,
        style: Style,
    ) {
        for (x, (low, high)) in (0..self.area.width).zip(low.iter().zip(high)) {
            let (Some(low), Some(high)) = (low, high) else {
                continue;
            };
            for row in self.row(high.last)..=self.row(low.last) {
                self.put(x, row, glyph, style);
            }
        }
    }

    /// A mark at the maximum of each column, or another one in the top row if the maximum is above the chart.
    pub(super) fn marks_or_beyond(
        &mut self,
        columns: &[Option<ValueColumn>],
        [glyph, beyond]: [&str; 2],
        style: Style,
    ) {
        let high = self.high;
        for (x, column) in (0..self.area.width).zip(columns) {
            let Some(column) = column else { continue };
            let glyph = if high < column.most { beyond } else { glyph };
            self.put(x, self.row(column.most), glyph, style);
        }
    }

    /// A mark in one cell.
    pub(super) fn put(&mut self, x: u16, row: u16, glyph: &str, style: Style) {
        if let Some(cell) = self.buffer.cell_mut((self.area.x + x, self.area.y + row)) {
            cell.reset();
            cell.set_symbol(glyph).set_style(style);
        }
    }

    /// The row of a value, counted from the top. Values above the chart are in its top row.
    fn row(&self, value: f64) -> u16 {
        let eighths = self.eighths(value).max(1);
        let from_below = u16::try_from((eighths - 1) / 8).unwrap_or(u16::MAX);
        let last = self.area.height.saturating_sub(1);
        last - from_below.min(last)
    }

    #[expect(clippy::cast_possible_truncation, reason = "clamped to the height")]
    fn eighths(&self, value: f64) -> i64 {
        let whole = f64::from(self.area.height) * 8.0;
        (value / self.high * whole).round().clamp(0.0, whole) as i64
    }
}
