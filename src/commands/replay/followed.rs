//! What the controller remembers, followed through one recording.

use jiff::Timestamp;

use super::evidence::decision;
use crate::{
    engine,
    inference::memory_from_outside,
    model::{Context, Memory, Observation, Reading},
    recording::{Outcome, Snapshot, wire::HpaStatus},
    trace::Trace,
};

/// One recording up to some line.
pub(super) struct Followed {
    is_from_inside: bool,
    /// What the controller may remember, the most probable first. From inside it is known.
    memories: Vec<Memory>,
    /// From outside: the capture before, of which it is not known yet whether the controller saw it like that.
    pending: Option<Capture>,
    /// About when the controller reconciled last.
    last_pass: Timestamp,
    leader_since: Option<Timestamp>,
}

/// One line, recomputed.
pub(super) struct Step {
    /// What the controller may remember before it, the most probable first.
    pub(super) memories: Vec<Memory>,
    /// The reconcile with the most probable memory.
    pub(super) trace: Trace,
}

struct Capture {
    time: Timestamp,
    observation: Observation,
    status: HpaStatus,
    memories_after: Vec<Memory>,
}

impl Followed {
    /// Begins with the first line.
    pub(super) fn begin(snapshot: &Snapshot, observation: &Observation, context: &Context) -> Self {
        let period = observation.controller.sync_period.value;
        Self {
            is_from_inside: snapshot.controller_started && !snapshot.is_captured(),
            memories: if snapshot.controller_started {
                vec![Memory::default()]
            } else {
                from_outside(observation, context, snapshot.time)
            },
            pending: None,
            last_pass: snapshot.time.checked_sub(period).unwrap_or(snapshot.time),
            leader_since: context.leader_since,
        }
    }

    /// Whether the lines are the controller's own reconciles.
    pub(super) fn is_from_inside(&self) -> bool {
        self.is_from_inside
    }

    /// Follows one line.
    pub(super) fn step(
        &mut self,
        snapshot: &Snapshot,
        observation: &Observation,
        context: &Context,
    ) -> Step {
        if snapshot.controller_started {
            self.memories = vec![Memory::default()];
            self.pending = None;
        }
        if let Some(pending) = self.pending.take() {
            self.commit(pending, snapshot, observation, context);
        }
        let before = self.memories.clone();
        let (trace, memories_after) = decide(observation, &before, snapshot.time);
        if self.is_from_inside {
            self.memories = memories_after;
        } else {
            self.pending = Some(Capture {
                time: snapshot.time,
                observation: observation.clone(),
                status: snapshot.hpa.status.clone(),
                memories_after,
            });
        }
        Step {
            memories: before,
            trace,
        }
    }

    /// Takes over what the controller remembers if it has reconciled since the capture before. Captures between its
    /// reconciles leave no trace in its memory: it never saw them.
    fn commit(
        &mut self,
        pending: Capture,
        next: &Snapshot,
        observation: &Observation,
        context: &Context,
    ) {
        if context.leader_since != self.leader_since {
            self.leader_since = context.leader_since;
            self.memories = from_outside(observation, context, next.time);
            return;
        }
        let period = observation.controller.sync_period.value;
        let is_due = period * 9 <= pending.time.duration_since(self.last_pass) * 10;
        if pending.status == next.hpa.status {
            if is_due {
                self.last_pass = pending.time;
                self.memories = pending.memories_after;
            }
            return;
        }
        self.last_pass = next.time;
        // It may have looked at the time of either capture, and seen the samples of either.
        let looks = [
            (&pending.observation, pending.time),
            (&pending.observation, next.time),
            (observation, next.time),
        ];
        let fitting = looks.into_iter().find_map(|(observation, at)| {
            let mut seen = observation.clone();
            // The scale may have been read before or after the write; the status tells what the controller read.
            if let Reading::Read(scale) = &mut seen.scale {
                scale.spec_replicas = next.hpa.status.current_replicas;
            }
            let memories = memories_that_lead_to(&next.hpa.status, &seen, &self.memories, at);
            (!memories.is_empty()).then_some(memories)
        });
        self.memories = fitting.unwrap_or_else(|| from_outside(observation, context, next.time));
    }
}

/// What is remembered after a reconcile that comes to `status`, with every memory with which it does.
fn memories_that_lead_to(
    status: &HpaStatus,
    observation: &Observation,
    memories: &[Memory],
    at: Timestamp,
) -> Vec<Memory> {
    let mut fitting = Vec::new();
    for memory in memories {
        let mut after = memory.clone();
        let trace = engine::decide(observation, &mut after, at);
        let leads_there = trace.outcome.as_ref().is_some_and(|outcome| {
            let predicted = Outcome::from(outcome).status;
            predicted.current_metrics == status.current_metrics
                && decision(&predicted) == decision(status)
        });
        if leads_there && !fitting.contains(&after) {
            fitting.push(after);
        }
    }
    fitting
}

/// What may be remembered, as far as it can be told from outside.
fn from_outside(observation: &Observation, context: &Context, now: Timestamp) -> Vec<Memory> {
    let outside = memory_from_outside(observation, context, now);
    let mut memories = vec![outside.likely];
    for memory in [outside.least, outside.most] {
        if !memories.contains(&memory) {
            memories.push(memory);
        }
    }
    memories
}

/// The reconcile with the most probable memory, and what is remembered after it with each.
fn decide(observation: &Observation, memories: &[Memory], now: Timestamp) -> (Trace, Vec<Memory>) {
    let mut after = memories.to_vec();
    let traces: Vec<Trace> = after
        .iter_mut()
        .map(|memory| engine::decide(observation, memory, now))
        .collect();
    let first = traces.into_iter().next();
    (
        first.expect("there is a most probable memory at all times"),
        after,
    )
}
