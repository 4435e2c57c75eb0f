//! What happens to the workload at a given time.

use crate::{Millis, ParseSpanError, parse_span};

/// Something that happens to the workload, the metrics or the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// This many ready pods are deleted.
    Kill(u32),
    /// This many ready pods start to crash, for this long. None: until the end.
    Crash(u32, Option<Millis>),
    /// This many ready pods fail their readiness probe, for this long. None: until the end.
    Unready(u32, Option<Millis>),
    /// A new template replaces all pods.
    Rollout,
    /// The metrics APIs return an error for this long.
    MetricFails(Millis),
    /// Another writer sets the replicas.
    Scale(i32),
    /// The controller restarts with an empty history.
    ControllerRestart,
}

/// An event and when it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedEvent {
    /// When, since the start.
    pub at: Millis,
    /// What happens.
    pub event: Event,
}

/// A text that is not an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseEventError {
    /// No time before the colon.
    #[error("invalid event {0:?}: use TIME: EVENT, such as '2m: kill 3'")]
    Form(String),
    /// Unknown event.
    #[error(
        "unknown event {0:?}: use kill N, crash N [FOR], unready N [FOR], rollout, metric-fails FOR, scale N, or controller-restart"
    )]
    Unknown(String),
    /// A missing or invalid number or time.
    #[error("invalid event {0:?}: use {1}")]
    Argument(String, &'static str),
    /// An invalid time.
    #[error("{0}")]
    Span(#[from] ParseSpanError),
}

impl TimedEvent {
    /// Parses `2m: kill 3`, `1:15: rollout`.
    pub fn parse(text: &str) -> Result<Self, ParseEventError> {
        let (at, event) = text
            .rsplit_once(':')
            .ok_or_else(|| ParseEventError::Form(text.to_owned()))?;
        Ok(Self {
            at: parse_span(at)?,
            event: Event::parse(event)?,
        })
    }
}

impl Event {
    fn parse(text: &str) -> Result<Self, ParseEventError> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let arguments: Vec<&str> = words.collect();
        let usage = |usage| ParseEventError::Argument(text.trim().to_owned(), usage);
        let number = |usage_text| match arguments.first().map(|text| text.parse()) {
            Some(Ok(number)) if 0 < number => Ok(number),
            _ => Err(usage(usage_text)),
        };
        let at_most = |count, usage_text| {
            if arguments.len() <= count {
                Ok(())
            } else {
                Err(usage(usage_text))
            }
        };
        let length = |index: usize| {
            arguments
                .get(index)
                .map(|text| parse_span(text))
                .transpose()
        };
        match name {
            "kill" => {
                const USAGE: &str = "kill N, such as kill 3";
                at_most(1, USAGE)?;
                Ok(Self::Kill(number(USAGE)?))
            }
            "crash" => {
                const USAGE: &str = "crash N [FOR], such as crash 2 or crash 2 5m";
                at_most(2, USAGE)?;
                Ok(Self::Crash(number(USAGE)?, length(1)?))
            }
            "unready" => {
                const USAGE: &str = "unready N [FOR], such as unready 2 or unready 2 5m";
                at_most(2, USAGE)?;
                Ok(Self::Unready(number(USAGE)?, length(1)?))
            }
            "rollout" => {
                at_most(0, "rollout, without arguments")?;
                Ok(Self::Rollout)
            }
            "metric-fails" => {
                const USAGE: &str = "metric-fails FOR, such as metric-fails 5m";
                at_most(1, USAGE)?;
                length(0)?
                    .map(Self::MetricFails)
                    .ok_or_else(|| usage(USAGE))
            }
            "scale" => {
                const USAGE: &str = "scale N, such as scale 4";
                at_most(1, USAGE)?;
                match arguments.first().map(|text| text.parse::<i32>()) {
                    Some(Ok(replicas)) if 0 <= replicas => Ok(Self::Scale(replicas)),
                    _ => Err(usage(USAGE)),
                }
            }
            "controller-restart" => {
                at_most(0, "controller-restart, without arguments")?;
                Ok(Self::ControllerRestart)
            }
            _ => Err(ParseEventError::Unknown(text.trim().to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_read() {
        for (text, at, event) in [
            ("2m: kill 3", 120_000, Event::Kill(3)),
            ("1:15: rollout", 75_000, Event::Rollout),
            ("0:metric-fails 5m", 0, Event::MetricFails(300_000)),
            ("30s: scale 0", 30_000, Event::Scale(0)),
            ("1m: crash 2", 60_000, Event::Crash(2, None)),
            ("1m: unready 2 90s", 60_000, Event::Unready(2, Some(90_000))),
            ("1m: controller-restart", 60_000, Event::ControllerRestart),
        ] {
            assert_eq!(
                TimedEvent::parse(text),
                Ok(TimedEvent { at, event }),
                "{text}"
            );
        }
        for text in [
            "kill 3",
            "2m: kill",
            "2m: kill 0",
            "2m: kill -1",
            "2m: dance",
            "x: kill 1",
            "2m: scale 1 2",
            "2m: metric-fails",
        ] {
            assert!(TimedEvent::parse(text).is_err(), "{text}");
        }
    }
}
