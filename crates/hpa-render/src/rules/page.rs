//! The page of a rule in a terminal.

use hpa_lint::{Rule, rules};

use crate::{Style, manual};

/// The page of a rule: its Markdown with colored headings, wrapped paragraphs and indented code.
pub fn page(rule: &Rule, style: Style) -> String {
    manual::page(&rules::page(rule), style)
}
