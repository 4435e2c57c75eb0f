//! Events in words.

use hpa_simulation::{Event, Millis, TimedEvent};
use hpa_words::clock::span;

use super::clock;

/// Time and event: `2:00: 3 pods are deleted`.
pub(super) fn timed(event: &TimedEvent) -> String {
    format!("{}: {}", clock(event.at), happening(event.event))
}

pub(super) fn happening(event: Event) -> String {
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
