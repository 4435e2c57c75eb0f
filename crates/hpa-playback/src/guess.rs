//! Possible histories of the controller, and which of them lead to what it wrote.

use hpa_analysis::{RoundingEnd, memory_from_outside, with_metric_values};
use hpa_engine::{
    engine,
    model::{Context, Memory, Observation, Reading},
};
use hpa_objects::recording::{Outcome, Snapshot, wire::HpaStatus};
use jiff::Timestamp;

use super::evidence::{as_recorded, decision};

/// A possible history.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guess {
    pub(super) memory: Memory,
    pub(super) clock: SyncBound,
    /// Whether it is possible only because of an edit.
    pub(super) is_of_edit: bool,
}

/// The bounds of the unknown time at which the controller synced between two captures, which determines when its
/// windows expire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SyncBound {
    /// As early as possible: at the first capture, or, if that was a guess, a period before the second.
    Early,
    /// As late as possible: at the second capture.
    Late,
}

#[derive(Debug)]
pub(super) struct Capture {
    pub(super) time: Timestamp,
    pub(super) observation: Observation,
    pub(super) status: HpaStatus,
}

impl SyncBound {
    /// Both ends.
    pub(super) const BOTH: [Self; 2] = [Self::Early, Self::Late];
}

impl Guess {
    /// Whether it is the same history, wherever it comes from.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.memory == other.memory && self.clock == other.clock
    }
}

/// The guesses with which a sync between two captures results in the status of the second.
pub(super) fn fitting(
    guesses: &[Guess],
    pending: &Capture,
    next: &Snapshot,
    observation: &Observation,
) -> Vec<Guess> {
    // It may have synced at the time of either capture, and seen the samples of either.
    let early = (&pending.observation, pending.time);
    let late = (&pending.observation, next.time);
    let new = (observation, next.time);
    let mut fitting: Vec<Guess> = Vec::new();
    for guess in guesses {
        let looks = match guess.clock {
            SyncBound::Early => [early, late, new],
            SyncBound::Late => [new, late, early],
        };
        let after = looks.into_iter().find_map(|(observation, at)| {
            memory_after(
                &guess.memory,
                observation,
                at,
                &next.hpa.status,
                Values::Equal,
            )
        });
        fitting.extend(after.map(|memory| Guess { memory, ..*guess }));
    }
    // Which of the two ends was right for this sync says nothing about the next one, so both continue.
    let is_one_clock = fitting.iter().all(|one| one.clock == fitting[0].clock);
    if is_one_clock && let Some(first) = fitting.first() {
        let mut other = first.clone();
        other.clock = match other.clock {
            SyncBound::Early => SyncBound::Late,
            SyncBound::Late => SyncBound::Early,
        };
        fitting.push(other);
    }
    fitting
}

/// Like [`fitting`], with the metric values of the second capture, if the samples changed between capture and sync. A
/// sync without metrics leaves the history unchanged.
pub(super) fn fitting_other_values(
    guesses: &[Guess],
    pending: &Capture,
    next: &Snapshot,
    observation: &Observation,
) -> Vec<Guess> {
    let status = &next.hpa.status;
    if is_without_metrics(status) {
        return guesses.to_vec();
    }
    let mut scratch = guesses
        .first()
        .map(|guess| guess.memory.clone())
        .unwrap_or_default();
    let trace = engine::decide(&pending.observation, &mut scratch, pending.time);
    let values = &observation.hpa.status.current_metrics;
    let then = |end| with_metric_values(&pending.observation, &trace, values, end);
    let then: Vec<Observation> = RoundingEnd::BOTH.into_iter().filter_map(then).collect();
    let after = |guess: &Guess| {
        let at = match guess.clock {
            SyncBound::Early => pending.time,
            SyncBound::Late => next.time,
        };
        let memory = then
            .iter()
            .find_map(|then| memory_after(&guess.memory, then, at, status, Values::About))?;
        Some(Guess { memory, ..*guess })
    };
    guesses.iter().filter_map(after).collect()
}

/// Whether the sync failed because of its metrics.
fn is_without_metrics(status: &HpaStatus) -> bool {
    let mut conditions = status.conditions.iter();
    status.desired_replicas == status.current_replicas
        && conditions.any(|condition| {
            condition.condition_type == "ScalingActive"
                && condition.status == "False"
                && (condition.reason.starts_with("FailedGet")
                    || condition.reason == "InvalidMetricSourceType")
        })
}

/// Whether the write of the scale was refused.
fn is_refused(status: &HpaStatus) -> bool {
    let mut conditions = status.conditions.iter();
    conditions.any(|condition| {
        condition.condition_type == "AbleToScale" && condition.reason == "FailedUpdateScale"
    })
}

/// How close the recomputed metric values must be to those of the status.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Values {
    /// They are derived from the status, which rounds them.
    About,
    /// Equal.
    Equal,
}

/// The history after a sync, if the sync results in `status`.
pub(super) fn memory_after(
    memory: &Memory,
    observation: &Observation,
    at: Timestamp,
    status: &HpaStatus,
    values: Values,
) -> Option<Memory> {
    let mut seen = observation.clone();
    // The scale may have been captured before or after its write; the status shows what the controller read, and
    // whether the write was refused.
    if let Reading::Read(scale) = &mut seen.scale {
        scale.spec_replicas = status.current_replicas;
    }
    if !is_refused(status) {
        seen.scale_write_error = None;
    }
    let mut after = memory.clone();
    let trace = engine::decide(&seen, &mut after, at);
    let predicted = Outcome::from(trace.outcome.as_ref()?).status;
    let leads_there = (values == Values::About
        || predicted.current_metrics == status.current_metrics)
        && as_recorded(&predicted, status) == decision(status);
    leads_there.then_some(after)
}

/// The possible histories, as far as they can be inferred from outside.
pub(super) fn from_outside(
    observation: &Observation,
    context: &Context,
    now: Timestamp,
) -> Vec<Guess> {
    let outside = memory_from_outside(observation, context, now);
    let mut memories = vec![&outside.likely];
    for memory in outside.ends() {
        if !memories.contains(&memory) {
            memories.push(memory);
        }
    }
    with_clocks(memories)
}

/// The history if everything from before has expired.
pub(super) fn nothing_left() -> Memory {
    Memory {
        recommendations: Some(Vec::new()),
        ..Memory::default()
    }
}

/// At least one guess, if there is a history.
pub(super) fn with_clocks<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> Vec<Guess> {
    let guess = |memory: &Memory, clock| Guess {
        memory: memory.clone(),
        clock,
        is_of_edit: false,
    };
    memories
        .into_iter()
        .flat_map(|memory| {
            [
                guess(memory, SyncBound::Early),
                guess(memory, SyncBound::Late),
            ]
        })
        .collect()
}
