//! The pages on the algorithm: the files of the book, and the same pages for a terminal.

use hpa_explain::learn::{self, Topic};
use hpa_render::{Style, manual, style::Role, styled::StyledText, table::Table};
use hpa_words::program::as_installed;

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
    manual::page(&as_installed(markdown(topic)), style)
}

/// All pages: id and what each answers, in the order of a sync.
pub fn list(style: Style) -> String {
    let mut table = Table::new(style);
    for topic in learn::topics() {
        table.push(Role::Text, [&format!("  {}", topic.id), topic.answers]);
    }
    let mut text = StyledText::default();
    let mut chapter = None;
    for (topic, lines) in learn::topics().zip(table.lines_with_text(LEAST_ANSWER, INDENT)) {
        if chapter != Some(topic.chapter) {
            if chapter.is_some() {
                text.push_blank();
            }
            text.push_line(Role::Strong, topic.chapter.title());
            chapter = Some(topic.chapter);
        }
        text.extend(lines);
    }
    text.paint(style)
}

/// Columns that an answer needs next to its topic.
const LEAST_ANSWER: usize = 20;

/// Indent of an answer below its topic.
const INDENT: usize = 4;

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
