//! The headline, and times in words.

use hpa_history::IntervalKind;
use hpa_simulation::Millis;
use jiff::{Timestamp, Zoned, civil::Date};

use super::super::{
    HistoryReport,
    answer::{SHORT, shows_trouble},
};
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

impl HistoryReport {
    pub(super) fn zoned(&self, at: Millis) -> Zoned {
        let at = Timestamp::from_millisecond(at).unwrap_or_default();
        at.to_zoned(self.zone.clone())
    }

    /// The first and the last time with data.
    pub(super) fn edges(&self) -> Option<(Millis, Millis)> {
        let points = &self.course.points;
        Some((points.first()?.time, points.last()?.time))
    }

    /// `22:03:15`, with the date if it differs from `day`.
    pub(super) fn time_after(&self, at: Millis, day: Option<Date>) -> String {
        let zoned = self.zoned(at);
        let format = match day {
            Some(day) if day != zoned.date() => "%b %-d %H:%M:%S",
            _ => "%H:%M:%S",
        };
        zoned.strftime(format).to_string()
    }

    /// A time, or a time range.
    pub(super) fn times(&self, from: Millis, to: Option<Millis>) -> String {
        let first = self.time_after(from, None);
        match to.filter(|to| *to != from) {
            Some(to) => {
                let day = self.zoned(from).date();
                format!("{first} to {}", self.time_after(to, Some(day)))
            }
            None => first,
        }
    }
}
