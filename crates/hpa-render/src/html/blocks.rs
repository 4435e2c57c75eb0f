//! Blocks of a report: headers, cards, titled lines, tables.

use maud::{Markup, html};

use super::text::{MOST_WHOLE, plain, text};
use crate::{
    blocks::{ColumnKind, Headline, TableBlock, used_columns},
    style::Role,
};

/// The first card of a report: what it is about, the headline, the answer, and the rest.
pub(crate) fn header(
    (hpa, target): (&str, &str),
    headline: &Headline,
    answer: &str,
    rest: &Markup,
) -> Markup {
    html! {
        header.card {
            p.object {
                b { (text(hpa)) }
                " → "
                span { (text(target)) }
            }
            h2 { (badge(headline)) }
            p.answer { (text(answer)) }
            (rest)
        }
    }
}

/// `STAYS AT 8`, with a symbol.
pub(crate) fn badge(headline: &Headline) -> Markup {
    html! {
        span class=(format!("badge {}", tone(headline.role))) {
            span.mark aria-hidden="true" { (headline.mark) }
            (text(&headline.text))
        }
    }
}

/// The class of the color of a role.
pub(crate) fn tone(role: Role) -> &'static str {
    match role {
        Role::Dim => "quiet",
        Role::Error => "bad",
        Role::Good => "up",
        Role::Strong => "hold",
        Role::Text => "plain",
        Role::Warning => "down",
    }
}

/// A part of a report.
pub(crate) fn card(heading: &str, body: &Markup) -> Markup {
    html! {
        section.card {
            h3 { (heading) }
            (body)
        }
    }
}

/// A part of a report that opens.
pub(crate) fn folded(heading: &str, about: &str, is_open: bool, body: &Markup) -> Markup {
    html! {
        details.card open[is_open] {
            summary {
                h3 { (heading) }
                @if !about.is_empty() { " " span.dim { (about) } }
            }
            (body)
        }
    }
}

/// The sign of a warning.
pub(crate) fn sign() -> Markup {
    html! { span.sign aria-label="warning" { "!" } " " }
}

/// Titles with texts.
pub(crate) fn lines<'t>(rows: impl IntoIterator<Item = (Role, &'t str, &'t str)>) -> Markup {
    html! {
        @for (role, title, sentence) in rows {
            @let class = match role {
                Role::Warning => Some("warning"),
                Role::Dim => Some("dim"),
                _ => None,
            };
            div class=[class] {
                dt {
                    @if role == Role::Warning { (sign()) }
                    (text(title))
                }
                dd { (text(sentence)) }
            }
        }
    }
}

/// Sentences, one below the other.
pub(crate) fn sentences(sentences: impl Iterator<Item = String>) -> Markup {
    html! {
        ul.sentences {
            @for one in sentences { li { (text(&one)) } }
        }
    }
}

/// A table of texts without the columns that are empty in all rows.
pub(super) fn table(block: &TableBlock) -> Markup {
    let rows = block.rows.iter().map(|(_, cells)| cells);
    let used = used_columns(block.columns.len(), &rows);
    let columns = used.iter().map(|column| match block.columns[*column] {
        (title, ColumnKind::Number) => (title, "number"),
        (title, ColumnKind::Name | ColumnKind::Text) => (title, ""),
    });
    let mut table = HtmlTable::new("", columns);
    for (role, cells) in &block.rows {
        let class = match role {
            Role::Warning => "uncounted",
            Role::Dim => "dim",
            _ => "",
        };
        let cell = |&column: &usize| {
            let Some(cell) = cells.get(column) else {
                return html! {};
            };
            match block.columns[column].1 {
                ColumnKind::Name if cell.len() <= MOST_WHOLE => {
                    html! { span.whole { (plain(cell)) } }
                }
                ColumnKind::Name => html! { span.long { (plain(cell)) } },
                _ if 0 < column && *role == Role::Strong => html! { b { (text(cell)) } },
                _ if 0 < column && cell.is_empty() => html! { "-" },
                _ => html! { (text(cell)) },
            }
        };
        table.push(class, None, used.iter().map(cell).collect());
    }
    table.html()
}

/// A table whose rows are named by their first cell. On a narrow screen each row becomes a block, so that nothing scrolls
/// sideways.
pub(crate) struct HtmlTable {
    class: &'static str,
    /// Titles and CSS classes.
    columns: Vec<(String, &'static str)>,
    rows: Vec<Markup>,
}

impl HtmlTable {
    /// An empty table.
    pub(crate) fn new<T: Into<String>>(
        class: &'static str,
        columns: impl IntoIterator<Item = (T, &'static str)>,
    ) -> Self {
        let columns = columns.into_iter();
        Self {
            class,
            columns: columns
                .map(|(title, class)| (title.into(), class))
                .collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row with a CSS class and an id.
    pub(crate) fn push(&mut self, class: &str, id: Option<String>, cells: Vec<Markup>) {
        self.rows.push(html! {
            tr id=[id] class=[some(class)] {
                @for (number, ((title, class), cell)) in self.columns.iter().zip(cells).enumerate() {
                    @if number == 0 {
                        th class=[some(class)] scope="row" { (cell) }
                    } @else {
                        td class=[some(class)] data-label=(title) { (cell) }
                    }
                }
            }
        });
    }

    /// Adds a heading of the rows below it.
    pub(crate) fn push_heading(&mut self, class: &str, heading: &str) {
        let columns = self.columns.len();
        self.rows
            .push(html! { tr class=(class) { th colspan=(columns) { (heading) } } });
    }

    /// The table.
    pub(crate) fn html(&self) -> Markup {
        html! {
            table class=[some(self.class)] {
                thead {
                    tr {
                        @for (title, class) in &self.columns {
                            th class=[some(class)] scope="col" { (title) }
                        }
                    }
                }
                tbody { @for row in &self.rows { (row) } }
            }
        }
    }
}

fn some(class: &str) -> Option<&str> {
    Some(class).filter(|class| !class.is_empty())
}
