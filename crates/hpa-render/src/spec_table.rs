//! The figures of specs that are compared, in a table that each format draws: variants of a simulation, or of a past.

use hpa_simulation::Band;
use maud::{Markup, html};

use crate::{
    html::{HtmlTable, text},
    style::{Role, Style},
    styled::StyledText,
    table::Table,
};

/// A row for each spec, a column for each figure.
pub(crate) struct SpecTable {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<SpecRow>,
    /// Whether lines of text have the ranges of the figures too.
    pub(crate) has_ranges: bool,
}

/// One spec.
pub(crate) struct SpecRow {
    pub(crate) name: String,
    /// Class and path of what a chart draws for it.
    pub(crate) legend: Option<(String, &'static str)>,
    pub(crate) figures: Vec<Figure>,
}

/// The median of the runs, and the range of 8 of 10 runs if they differ.
pub(crate) struct Figure {
    pub(crate) median: String,
    pub(crate) range: Option<String>,
}

impl Figure {
    /// The figure in words.
    pub(crate) fn of(band: &Band, amount: impl Fn(f64) -> String) -> Self {
        let (low, high) = (amount(band.low), amount(band.high));
        Self {
            median: amount(band.median),
            range: (low != high).then(|| format!("{low} to {high}")),
        }
    }

    /// The same in all runs.
    pub(crate) fn only(median: impl Into<String>) -> Self {
        let median = median.into();
        Self {
            median,
            range: None,
        }
    }
}

impl SpecTable {
    /// The table as lines. Where it is too wide, a long name takes a line of its own.
    pub(crate) fn write(&self, style: Style, out: &mut StyledText) {
        let figure = |figure: &Figure| match &figure.range {
            Some(range) if self.has_ranges => format!("{} ({range})", figure.median),
            _ => figure.median.clone(),
        };
        let table = |most: usize| {
            let mut table = Table::new(style).with_numbers(1..usize::MAX);
            let columns = self.columns.iter().map(String::as_str);
            table.push(Role::Dim, [""].into_iter().chain(columns));
            for row in &self.rows {
                let name = if row.name.len() <= most {
                    row.name.as_str()
                } else {
                    ""
                };
                let figures = row.figures.iter().map(figure);
                table.push(Role::Text, [name.to_owned()].into_iter().chain(figures));
            }
            table
        };
        let whole = table(usize::MAX);
        if whole.fits() {
            return whole.write(out);
        }
        let mut lines = table(SHORT_NAME).lines().into_iter();
        out.extend(lines.next().into_iter().flatten());
        for (row, lines) in self.rows.iter().zip(lines) {
            if SHORT_NAME < row.name.len() {
                out.push_line(Role::Text, style.clean(&row.name));
            }
            out.extend(lines);
        }
    }

    /// The table of an HTML page.
    pub(crate) fn html(&self) -> Markup {
        let columns = self
            .columns
            .iter()
            .map(|column| (column.as_str(), "number"));
        let mut table = HtmlTable::new("variants", [("spec", "")].into_iter().chain(columns));
        for row in &self.rows {
            let name = html! {
                span.spec {
                    @if let Some((class, path)) = &row.legend {
                        svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true" {
                            path class=(class) d=(path) {}
                        }
                    }
                    span { (text(&row.name)) }
                }
            };
            let figures = row.figures.iter().map(|figure| {
                html! {
                    (figure.median)
                    @if let Some(range) = &figure.range { " " span.range { (range) } }
                }
            });
            table.push("", None, [name].into_iter().chain(figures).collect());
        }
        table.html()
    }
}

/// How a legend draws a line.
pub(crate) const LINE: &str = "M1 6H25";

/// Bytes of `today`, a name that stays next to its figures.
const SHORT_NAME: usize = 5;
