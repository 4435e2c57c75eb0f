//! The page of a rule in a terminal.

use crate::{
    lint::Rule,
    render::{Style, manual},
    rules,
};

/// The page of a rule: its Markdown, with headings painted, paragraphs wrapped and code indented.
pub fn page(rule: &Rule, style: Style) -> String {
    manual::page(&rules::page(rule), style)
}
