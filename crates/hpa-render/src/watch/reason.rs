//! The reason of a decision in a few words.

use hpa_watch::{HistoryEntry, MetricPoint};
use hpa_words::clock::Clock;
use jiff::tz::TimeZone;

/// The answer in the words of `list`, and the metric that leads to it: `+3 per min; cpu 92% (target 60%) asks for 12`.
pub(super) fn reason(entry: &HistoryEntry, zone: &TimeZone) -> String {
    let clock = Clock::new(zone.clone(), entry.at);
    let words = entry.answer.at(&clock);
    let metrics = || entry.metrics.iter();
    if let Some(metric) = metrics().find(|metric| metric.is_winner)
        && let Some(value) = value(metric)
    {
        let asks = entry.proposal.filter(|asked| entry.desired != Some(*asked));
        let asks = asks.map_or_else(String::new, |asked| format!(" asks for {asked}"));
        let name = &metric.name;
        return if words.ends_with(&format!(" by {name}")) {
            format!("{words} at {value}{asks}")
        } else {
            format!("{words}; {name} {value}{asks}")
        };
    }
    match metrics().find_map(|metric| metric.failure.as_ref()) {
        Some(failure) => format!("{words} ({failure})"),
        None => words,
    }
}

/// `92% (target 60%)`.
fn value(metric: &MetricPoint) -> Option<String> {
    let value = metric.value.as_ref()?;
    let target = metric.target.as_ref();
    let target = target.map_or_else(String::new, |target| format!(" (target {target})"));
    Some(format!("{value}{target}"))
}
