//! The counterfactuals as a list.

use hpa_explain::WhatIfView;

use super::rows::{RowWidths, TerminalRow, write_row};
use crate::{
    sections::what_if,
    style::{Role, Style},
    styled::StyledText,
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
    let differing = views.iter().filter(|view| view.differs);
    let later = views.iter().filter(|view| view.differs_later);
    for view in differing.chain(later) {
        let [outcome, how] = what_if(view);
        push(&outcome, &how, Role::Text);
    }
    let is_unchanged = |view: &&WhatIfView| !view.differs && !view.differs_later;
    for (index, view) in views.iter().filter(is_unchanged).enumerate() {
        let [outcome, how] = what_if(view);
        push(if index == 0 { &outcome } else { "" }, &how, Role::Dim);
    }
    let columns = RowWidths::of(&rows);
    if !rows.is_empty() {
        out.push_blank();
    }
    for row in &rows {
        write_row(row, columns, style, out);
    }
}
