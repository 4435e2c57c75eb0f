//! The counterfactuals as a list.

use super::rows::{RowWidths, TerminalRow, write_row};
use crate::{
    explain::WhatIfView,
    render::{
        style::{Role, Style},
        styled::StyledText,
    },
};

/// Writes all counterfactuals, the result before the change: first those that change the next decision, then those
/// that change a later one, then those that change nothing.
pub(super) fn write_what_ifs(views: &[WhatIfView], style: Style, out: &mut StyledText) {
    let mut rows: Vec<TerminalRow> = Vec::new();
    let mut push = |outcome: &str, how: &str, role| {
        rows.push(TerminalRow {
            title: if rows.is_empty() { "what if" } else { "" }.to_owned(),
            outcome: style.clean(outcome),
            how: style.clean(how),
            below: Vec::new(),
            mark: None,
            role,
        });
    };
    for view in views.iter().filter(|view| view.differs) {
        push(&view.result, &how(view, view.more().as_deref()), Role::Text);
    }
    for view in views.iter().filter(|view| view.differs_later) {
        let outcome = match view.in_the_end {
            Some(end) => format!("{end} later"),
            None => view.result.clone(),
        };
        push(&outcome, &how(view, view.why), Role::Text);
    }
    let mut outcome = "no change";
    let is_unchanged = |view: &&WhatIfView| !view.differs && !view.differs_later;
    for view in views.iter().filter(is_unchanged) {
        push(
            std::mem::take(&mut outcome),
            &how(view, view.why),
            Role::Dim,
        );
    }
    let columns = RowWidths::of(&rows);
    if !rows.is_empty() {
        out.push_blank();
    }
    for row in &rows {
        write_row(row, columns, style, out);
    }
}

/// `if cpu is at 48% or less (held by the window)`.
fn how(view: &WhatIfView, more: Option<&str>) -> String {
    let more = more.map_or_else(String::new, |more| format!(" ({more})"));
    format!("{} {}{more}", view.title, view.change)
}
