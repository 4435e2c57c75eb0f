//! Events, headline and charts in words.

use super::super::{VariantReport, clock, span};
use crate::simulation::{Event, Millis, TimedEvent};

/// When and what: `2:00: 3 pods are deleted`.
pub(super) fn event(event: &TimedEvent) -> String {
    format!("{}: {}", clock(event.at), happening(event.event))
}

fn happening(event: Event) -> String {
    let pods = |count: u32, verb: (&str, &str)| match count {
        1 => format!("1 pod {}", verb.0),
        count => format!("{count} pods {}", verb.1),
    };
    let during = |length: Option<Millis>| {
        length.map_or_else(String::new, |length| format!(" for {}", seconds(length)))
    };
    match event {
        Event::Kill(count) => pods(count, ("is deleted", "are deleted")),
        Event::Crash(count, length) => pods(count, ("crashes", "crash")) + &during(length),
        Event::Unready(count, length) => {
            pods(count, ("is not ready", "are not ready")) + &during(length)
        }
        Event::Rollout => "a rollout begins".to_owned(),
        Event::MetricFails(length) => format!("metrics fail for {}", seconds(length)),
        Event::Scale(replicas) => format!("another writer sets {replicas} replicas"),
        Event::ControllerRestart => "the controller restarts".to_owned(),
    }
}

fn seconds(length: Millis) -> String {
    span(length as f64 / 1000.0)
}

/// The headline, how it looks, and its mark.
pub(super) fn headline(variant: &VariantReport) -> (String, &'static str, &'static str) {
    match variant.summary.met_after {
        None => ("NOT MET".to_owned(), "bad", "✗"),
        Some(met) if met.high < 1.0 => ("MET ALL THE TIME".to_owned(), "up", "●"),
        Some(met) => {
            let time = span(met.median);
            (format!("MET AFTER {time}"), "down", "▲")
        }
    }
}

/// Replicas of the first run at its start and end, `6 → 20 replicas`.
pub(super) fn replicas(variant: &VariantReport) -> String {
    let points = variant.runs.first().map_or(&[][..], |run| &run.points);
    match (points.first(), points.last()) {
        (Some(first), Some(last)) if first.replicas != last.replicas => {
            format!("{} → {} replicas", first.replicas, last.replicas)
        }
        (Some(first), _) => format!("{} replicas at the start and at the end", first.replicas),
        (None, _) => String::new(),
    }
}
