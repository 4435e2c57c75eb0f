//! The section below the table of several clusters: fields in which HPAs of one name differ.

use hpa_lint::in_words;
use hpa_words::{amount::count, wrap::wrap_indented};

use super::ListView;
use crate::{Style, style::Role, styled::StyledText};

/// A line for each field that differs, grouped by HPA; empty: nothing differs.
pub fn drift(view: &ListView, style: Style) -> String {
    if view.drift.is_empty() {
        return String::new();
    }
    let mut text = StyledText::default();
    text.push_blank();
    let number = view.drift.len();
    let verb = if number == 1 { "differs" } else { "differ" };
    text.push_line(
        Role::Text,
        format!("{} {verb} between contexts:", count(number, "HPA")),
    );
    for hpa in view.drift.iter().take(MOST_HPAS) {
        let name = format!("  {}/{}", hpa.namespace, hpa.name);
        text.push_line(Role::Strong, style.clean(&name));
        let mut lines: Vec<String> = hpa
            .fields
            .iter()
            .map(|field| format!("{}: {}", field.short_path(), field.in_words()))
            .collect();
        if !hpa.verdicts.is_empty() {
            lines.push(format!("verdict: {}", in_words(&hpa.verdicts)));
        }
        for line in lines {
            for line in wrap_indented(&style.clean(&line), style.width, "    ", "      ") {
                text.push_line(Role::Text, line);
            }
        }
    }
    let more = number.saturating_sub(MOST_HPAS);
    if 0 < more {
        text.push_line(
            Role::Dim,
            format!("  {more} more: -o json has all, and so has lint --select HPA709"),
        );
    }
    text.paint(style)
}

/// At most this many HPAs are named: the section is only an addendum to the table.
const MOST_HPAS: usize = 10;
