//! Today's decision compared with the one under a changed spec.

use hpa_explain::{ChangedView, Page};
use maud::{Markup, html};

use super::{
    blocks::{card, sign, table},
    text::text,
};
use crate::comparison::comparison;

/// The edits of the spec, and the differences in the decision.
pub(super) fn changed(view: &ChangedView, page: &Page) -> Markup {
    let comparison = comparison(view, page);
    let body = html! {
        ul {
            @for change in &comparison.changes { li { (text(change)) } }
            @if let Some(filled_in) = &comparison.filled_in {
                li.dim { "filled in: " (text(filled_in)) }
            }
            @for note in &view.edit.notes { li.warning { (sign()) (text(note)) } }
        }
        (table(&comparison.table))
        p.dim { (text(&view.when)) }
    };
    card("With a changed spec", &body)
}
