//! Today's decision compared with the one under a changed spec.

use hpa_explain::{ChangedView, Page};
use maud::{Markup, html};

use super::text::text;
use crate::comparison::{ComparedRow, comparison};

/// The edits of the spec, and the differences in the decision.
pub(super) fn changed(view: &ChangedView, page: &Page) -> Markup {
    let comparison = comparison(view, page);
    html! {
        section.card {
            h3 { "With a changed spec" }
            ul {
                @for change in &comparison.changes { li { (text(change)) } }
                @if let Some(filled_in) = &comparison.filled_in {
                    li.dim { "filled in: " (text(filled_in)) }
                }
                @for note in &view.edit.notes {
                    li.warning { span.sign aria-label="warning" { "!" } " " (text(note)) }
                }
            }
            table {
                thead {
                    tr {
                        th scope="col" { "" }
                        th scope="col" { "today" }
                        th scope="col" { "changed" }
                    }
                }
                tbody {
                    @for row in &comparison.rows { (line(row)) }
                }
            }
            p.dim { (text(&view.when)) }
        }
    }
}

fn line(row: &ComparedRow) -> Markup {
    html! {
        tr {
            th scope="row" { (text(&row.title)) }
            @for (label, side) in [("today", &row.today), ("changed", &row.changed)] {
                td data-label=(label) {
                    @if row.is_verdict { b { (text(side)) } } @else { (text(side)) }
                }
            }
        }
    }
}
