//! The pages on the algorithm: the files of the book, and the same pages for a terminal.

use hpa_explain::learn::{self, Chapter, Topic};
use hpa_render::{Style, manual, style::Role, wrap::wrap_indented};

/// The page that lists all others, in Markdown.
pub const INDEX: &str = include_str!("../../../docs/algorithm/README.md");

/// One page in Markdown.
pub fn markdown(topic: &Topic) -> &'static str {
    let mut pages = PAGES.iter();
    let page = pages.find(|(id, _)| *id == topic.id);
    page.map_or("", |(_, text)| text)
}

/// One page.
pub fn page(topic: &Topic, style: Style) -> String {
    manual::page(markdown(topic), style)
}

/// All pages: id and what each answers, in the order of a sync.
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

macro_rules! pages {
    ($($id:literal)*) => {
        &[$(($id, include_str!(concat!("../../../docs/algorithm/", $id, ".md")))),*]
    };
}

/// Each id with its page.
const PAGES: &[(&str, &str)] = pages! {
    "sync" "read-scale" "first-recommendation" "bounds" "zero-replicas" "selector" "ambiguous-selector"
    "metric-proposal" "resource-metric" "container-resource-metric" "pods-metric" "object-metric"
    "external-metric" "read-resource-metrics" "group-pods" "sum-requests" "pod-level-requests" "ready-pods"
    "usage-ratio" "average-ratio" "tolerance-of-hpa" "tolerance" "utilization-replicas" "average-value-replicas"
    "adjusted-average" "value-replicas" "average-per-replica" "choose-proposal" "stabilize-recommendation"
    "stabilize-with-behavior" "limit-without-behavior" "limit-with-behavior" "replicas-in-period" "scale-up-limit"
    "scale-down-limit" "rescale" "scale-events" "status"
};
