//! What the controller remembers, followed through one recording.

use jiff::Timestamp;

use crate::{
    engine,
    inference::memory_from_outside,
    model::{Context, Memory, Observation, Reading, Scale},
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
    scale: Reading<Scale>,
    status: HpaStatus,
    decided: Decided,
}

/// A reconcile with each memory that there may be.
struct Decided {
    trace: Trace,
    memories_after: Vec<Memory>,
}

impl Followed {
    /// Begins with the first line.
    pub(super) fn begin(snapshot: &Snapshot, observation: &Observation, context: &Context) -> Self {
        let period = observation.controller.sync_period.value;
        let is_from_inside = snapshot.controller_started;
        Self {
            is_from_inside,
            memories: if is_from_inside {
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
        let decided = decide(observation, &before, snapshot.time);
        let trace = decided.trace.clone();
        if self.is_from_inside {
            self.memories = decided.memories_after;
        } else {
            self.pending = Some(Capture {
                time: snapshot.time,
                scale: observation.scale.clone(),
                status: snapshot.hpa.status.clone(),
                decided,
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
                self.memories = pending.decided.memories_after;
            }
            return;
        }
        self.last_pass = next.time;
        if saw(&pending.decided.trace, &next.hpa.status) {
            self.memories = pending.decided.memories_after;
            return;
        }
        // The samples may have changed before the reconcile: then it saw those of this capture, at the scale of before.
        let late = Observation {
            scale: pending.scale,
            ..observation.clone()
        };
        let decided = decide(&late, &self.memories, next.time);
        self.memories = if saw(&decided.trace, &next.hpa.status) {
            decided.memories_after
        } else {
            from_outside(observation, context, next.time)
        };
    }
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

fn decide(observation: &Observation, memories: &[Memory], now: Timestamp) -> Decided {
    let mut memories_after = memories.to_vec();
    let mut traces = memories_after
        .iter_mut()
        .map(|memory| engine::decide(observation, memory, now));
    let trace = traces
        .next()
        .expect("there is a most probable memory at all times");
    traces.for_each(drop);
    Decided {
        trace,
        memories_after,
    }
}

/// Whether a reconcile with these samples leads to the metrics of this status.
fn saw(trace: &Trace, status: &HpaStatus) -> bool {
    let outcome = trace.outcome.as_ref().map(Outcome::from);
    outcome.is_some_and(|outcome| outcome.status.current_metrics == status.current_metrics)
}
