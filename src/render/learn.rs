//! The pages about the algorithm in a terminal.

use super::{Style, manual, style::Role, wrap::wrap_indented};
use crate::learn::{self, Chapter, Topic};

/// One page.
pub fn page(topic: &Topic, style: Style) -> String {
    manual::page(&learn::page(topic), style)
}

/// All pages: id and what each answers, in the order of a pass.
pub fn list(style: Style) -> String {
    let widest = learn::topics().map(|topic| topic.id.len()).max();
    let indent = widest.unwrap_or_default() + 4;
    let rest = " ".repeat(indent);
    let mut out = String::new();
    for chapter in Chapter::ALL {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&style.paint(Role::Strong, chapter.title()));
        out.push('\n');
        for topic in learn::topics().filter(|topic| topic.chapter == chapter) {
            let first = format!("  {:<1$}", topic.id, indent - 2);
            let lines = wrap_indented(&style.clean(topic.answers), style.width, &first, &rest);
            out.push_str(&lines.join("\n"));
            out.push('\n');
        }
    }
    out
}
