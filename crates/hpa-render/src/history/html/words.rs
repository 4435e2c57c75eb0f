//! The headline, and times in words.

use hpa_history::{HistoryReport, IntervalKind, Millis, SHORT, shows_trouble};
use hpa_words::clock::span;

/// The headline of the page.
pub(super) struct Headline {
    pub(super) text: String,
    /// Its CSS class.
    pub(super) class: &'static str,
    pub(super) mark: &'static str,
}

/// The worst that happened.
pub(super) fn headline(report: &HistoryReport) -> Headline {
    let course = &report.course;
    let length = |kind: IntervalKind| {
        let is_there = course.intervals.iter().any(|one| one.kind == kind);
        is_there.then(|| course.time_of(kind))
    };
    let explanation =
        |text: &str, time: Millis| format!("{text} FOR {}", span(time as f64 / 1000.0));
    let failed = length(IntervalKind::MetricsFailed).filter(|time| SHORT < *time);
    let (text, class, mark) = if course.points.is_empty() {
        ("NO HISTORY".to_owned(), "bad", "?")
    } else if let Some(time) = failed {
        (explanation("NO METRICS", time), "bad", "✗")
    } else if let Some(time) = length(IntervalKind::NotAbleToScale) {
        (explanation("NOT ABLE TO SCALE", time), "bad", "✗")
    } else if let Some(time) = length(IntervalKind::AtMax) {
        (explanation("AT maxReplicas", time), "down", "▲")
    } else if let Some(time) = length(IntervalKind::Flapping) {
        (explanation("FLAPPING", time), "down", "↕")
    } else if !report.impossible.is_empty() {
        ("IMPOSSIBLE SAMPLES".to_owned(), "down", "?")
    } else if shows_trouble(course) {
        ("ALL WELL".to_owned(), "up", "●")
    } else {
        ("CONDITIONS UNKNOWN".to_owned(), "down", "?")
    };
    Headline { text, class, mark }
}
