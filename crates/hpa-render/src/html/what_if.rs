//! Counterfactuals (what would be decided if one thing were different), folded.

use hpa_explain::WhatIfView;
use maud::{Markup, html};

use super::text::text;

/// All counterfactuals; those that change the decision come first.
pub(super) fn what_ifs(views: &[WhatIfView]) -> Markup {
    let (changing, others): (Vec<_>, Vec<_>) = views.iter().partition(|view| view.differs);
    html! {
        @if !views.is_empty() {
            details.card {
                summary {
                    h3 { "What if one thing were different" }
                    " "
                    span.dim { (changing.len()) " of " (views.len()) " would change the decision" }
                }
                dl.lines.results {
                    @for view in changing { (row(view, "")) }
                    @for view in others { (row(view, "dim")) }
                }
            }
        }
    }
}

fn row(view: &WhatIfView, class: &str) -> Markup {
    let (outcome, more) = view.in_list();
    let more = more.map_or_else(String::new, |more| format!(" ({more})"));
    html! {
        div class=[(!class.is_empty()).then_some(class)] {
            dt { (text(&outcome)) }
            dd { (view.title) " " (text(&view.change)) (text(&more)) }
        }
    }
}
