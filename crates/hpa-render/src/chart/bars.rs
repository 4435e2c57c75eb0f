//! A course as rows of bars, for a terminal.

use crate::{
    style::{Role, Style},
    styled::StyledText,
};

/// Rows of a name, a range and bars.
pub(crate) struct BarRows {
    style: Style,
    name: usize,
    range: usize,
    /// How many bars a row has.
    pub(crate) columns: usize,
}

impl BarRows {
    /// Rows with names and ranges of these widths, and at most `most` bars.
    pub(crate) fn new(style: Style, name: usize, range: usize, most: usize) -> Self {
        let rest = style.width.saturating_sub(name + range + 2);
        Self {
            style,
            name,
            range,
            columns: rest.max(10).min(most),
        }
    }

    /// Columns before the bars.
    pub(crate) fn indent(&self) -> usize {
        self.name + self.range + 2
    }

    /// Adds a row. Its bars are relative to `most`, and blank where nothing is known.
    pub(crate) fn push(
        &self,
        (name, range): (&str, &str),
        most: f64,
        values: impl IntoIterator<Item = Option<f64>>,
        out: &mut StyledText,
    ) {
        let bar = |value: Option<f64>| value.map_or(' ', |value| bar(value, most, self.style));
        let bars: String = values.into_iter().map(bar).collect();
        let (of_name, of_range) = (self.name, self.range);
        let row = format!("{name:<of_name$} {range:<of_range$} {bars}");
        out.push_line(Role::Text, self.style.clean(&row));
    }
}

/// The range of values in words, `2 … 8`, and the highest.
pub(crate) fn range(
    values: impl Iterator<Item = f64> + Clone,
    amount: impl Fn(f64) -> String,
) -> (String, f64) {
    let most = values.clone().fold(0.0, f64::max);
    let (low, high) = (amount(values.fold(f64::INFINITY, f64::min)), amount(most));
    let range = if low == high {
        high
    } else {
        format!("{low} … {high}")
    };
    (range, most)
}

fn bar(value: f64, most: f64, style: Style) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const PLAIN: [char; 8] = ['_', '.', '-', '-', '=', '=', '#', '#'];
    let bars = if style.has_unicode { BARS } else { PLAIN };
    if most <= 0.0 {
        return bars[0];
    }
    let level = (value / most * 7.0).round().clamp(0.0, 7.0) as usize;
    bars[level]
}
