//! Follows the controller's history (memory) through one recording.

use std::sync::Arc;

use jiff::Timestamp;

use super::evidence::{as_recorded, decision};
use crate::{
    engine,
    inference::{RoundingEnd, longest_window, memory_from_outside, with_metric_values},
    model::{Context, Memory, Observation, Reading},
    recording::{Outcome, Snapshot, wire::HpaStatus},
    trace::{Decision, Trace},
};

/// One recording up to some line.
#[derive(Clone, Debug)]
pub(crate) struct FollowedRecording {
    is_from_inside: bool,
    /// Whether it has a line.
    has_stepped: bool,
    /// The possible histories, the most probable first. In a recording from inside the controller there is exactly
    /// one.
    guesses: Vec<Guess>,
    /// In a recording from outside: the previous capture, if it is not known yet whether the controller saw it.
    pending: Option<Arc<Capture>>,
    /// Whether that capture counts as a sync although none was observed.
    is_guessed: bool,
    /// The time of the last line.
    seen: Timestamp,
    /// The time of the first line.
    began: Timestamp,
    /// Since when it is watched; none: since the controller started its history.
    watched_since: Option<Timestamp>,
    /// The approximate time of the controller's last sync.
    last_pass: Timestamp,
    leader_since: Option<Timestamp>,
    /// Until then, history from before the last inference may matter.
    unsure_until: Option<Timestamp>,
    /// Until then, the history may contain something that no inference finds: an Event comes after the write that it
    /// reports, and of two syncs between two captures only the second leaves its status.
    unseen_until: Option<Timestamp>,
}

/// One line, recomputed.
pub(crate) struct FollowedStep {
    /// The possible histories before it, the most probable first.
    pub memories: Vec<Memory>,
    /// Whether the controller may have a history that is not among these.
    pub has_unseen: bool,
    /// Whether the lines are the controller's own syncs.
    pub is_from_inside: bool,
    /// Whether the leader changed since the previous line.
    pub has_new_leader: bool,
    /// How much of the history was observed.
    pub watched: MemoryCoverage,
    /// The sync with the most probable history.
    pub trace: Trace,
}

/// How much of the controller's history was observed without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryCoverage {
    /// Everything since then.
    Since(Timestamp),
    /// A part of what happened since then.
    WithGaps(Timestamp),
    /// All of it: it has been watched at least as long as the controller remembers anything.
    Whole,
}

/// The first line of an HPA.
#[derive(Clone, Copy)]
pub(crate) struct Begin<'a> {
    /// The line.
    pub snapshot: &'a Snapshot,
    /// What the controller read.
    pub observation: &'a Observation,
    /// The context of the HPA.
    pub context: &'a Context,
    /// When an earlier HPA of the same name was last seen, if there was one.
    pub predecessor: Option<Timestamp>,
}

impl Begin<'_> {
    /// Whether the controller has no history of the HPA: it has just started, or the HPA took the place of an earlier
    /// one and has no status yet.
    pub(crate) fn has_started(&self) -> bool {
        let is_new = self.observation.hpa.status.conditions.is_empty();
        self.snapshot.controller_started || self.predecessor.is_some() && is_new
    }

    /// Whether the controller may remember an earlier HPA of the same name: it drops its memory only in a sync that
    /// finds none.
    fn may_inherit(&self) -> bool {
        let (Some(last), Some(created)) = (self.predecessor, self.observation.hpa.created) else {
            return false;
        };
        let period = self.observation.sync_period().value;
        created.duration_since(last) < period * 2
    }
}

/// A possible history.
#[derive(Clone, Debug, PartialEq)]
struct Guess {
    memory: Memory,
    clock: SyncBound,
}

/// The bounds of the unknown time at which the controller synced between two captures, which determines when its
/// windows expire.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SyncBound {
    /// As early as possible: at the first capture, or, if that was a guess, a period before the second.
    Early,
    /// As late as possible: at the second capture.
    Late,
}

#[derive(Debug)]
struct Capture {
    time: Timestamp,
    observation: Observation,
    status: HpaStatus,
}

impl FollowedRecording {
    /// Starts with the first line.
    pub(crate) fn begin(begin: &Begin<'_>) -> Self {
        let Begin {
            snapshot,
            observation,
            context,
            ..
        } = *begin;
        let period = observation.sync_period().value;
        let mut followed = Self {
            is_from_inside: snapshot.controller_started && !snapshot.is_captured(),
            has_stepped: false,
            guesses: with_clocks(&[Memory::default()]),
            pending: None,
            is_guessed: false,
            seen: snapshot.time,
            began: snapshot.time,
            watched_since: None,
            last_pass: snapshot.time.checked_sub(period).unwrap_or(snapshot.time),
            leader_since: context.leader_since,
            unsure_until: None,
            unseen_until: None,
        };
        if !begin.has_started() {
            followed.infer(observation, context, snapshot.time);
        }
        if begin.may_inherit() {
            followed.doubt_since(observation.hpa.created, observation);
        }
        followed
    }

    /// The time of the last line.
    pub(crate) fn seen(&self) -> Timestamp {
        self.seen
    }

    /// What happened at a time may have left a history that is not known.
    fn doubt_since(&mut self, at: Option<Timestamp>, observation: &Observation) {
        let window = longest_window(observation);
        let until = at.and_then(|at| at.checked_add(window).ok());
        self.unseen_until = self.unseen_until.max(until);
    }

    /// Infers the controller's history from outside.
    fn infer(&mut self, observation: &Observation, context: &Context, now: Timestamp) {
        self.guesses = from_outside(observation, context, now);
        let window = longest_window(observation);
        self.unsure_until = now.checked_add(window).ok();
        self.watched_since = Some(now);
        self.doubt_since(observation.hpa.status.last_scale_time, observation);
        // The first sync of a new HPA stores replicas that no status shows.
        self.doubt_since(observation.hpa.created, observation);
    }

    /// Follows one line.
    pub(crate) fn step(
        &mut self,
        snapshot: &Snapshot,
        observation: &Observation,
        context: &Context,
    ) -> FollowedStep {
        if snapshot.controller_started && self.has_stepped {
            self.guesses = with_clocks(&[Memory::default()]);
            self.unsure_until = None;
            self.unseen_until = None;
            self.watched_since = None;
            self.pending = None;
        }
        self.has_stepped = true;
        let has_new_leader = context.leader_since != self.leader_since;
        // The previous sync comes first: this line is decided with the history that it left.
        if let Some(pending) = self.pending.take() {
            self.commit(&pending, snapshot, observation, context);
        } else if !self.is_from_inside {
            self.go_on(snapshot, observation, context);
        }
        self.seen = snapshot.time;
        let mut memories: Vec<Memory> = Vec::new();
        for guess in &self.guesses {
            if !memories.contains(&guess.memory) {
                memories.push(guess.memory.clone());
            }
        }
        // The inferred history may lack a recommendation that expires unobserved; until the window is over, an empty
        // history is as possible as the whole one.
        if Some(snapshot.time) < self.unsure_until {
            memories.push(nothing_left());
        }
        let mut after = self.guesses[0].memory.clone();
        let trace = engine::decide(observation, &mut after, snapshot.time);
        if self.is_from_inside {
            self.guesses = vec![Guess {
                memory: after,
                clock: SyncBound::Early,
            }];
        } else {
            self.is_guessed = false;
            self.pending = Some(Arc::new(Capture {
                time: snapshot.time,
                observation: observation.clone(),
                status: snapshot.hpa.status.clone(),
            }));
        }
        FollowedStep {
            memories,
            has_unseen: Some(snapshot.time) < self.unseen_until,
            is_from_inside: self.is_from_inside,
            has_new_leader,
            watched: self.watched(observation, snapshot.time),
            trace,
        }
    }

    /// Applies the previous sync to the history once the controller has written its status, as `after` shows it. If
    /// nothing was written by then, the time of the sync is not known.
    pub(crate) fn settle(
        &mut self,
        after: &Snapshot,
        observation: &Observation,
        context: &Context,
    ) {
        let is_written = |pending: &Arc<Capture>| pending.status != after.hpa.status;
        self.is_guessed = self.pending.as_ref().is_some_and(|one| !is_written(one));
        if let Some(pending) = self.pending.take_if(|pending| is_written(pending)) {
            self.commit(&pending, after, observation, context);
            // The next capture is due one period after this one, and not after the write.
            if !pending.observation.is_out_of_turn() {
                self.last_pass = pending.time;
            }
            self.seen = after.time;
        }
    }

    /// Like `commit` without a pending capture: the controller may have been unobserved for too long.
    fn go_on(&mut self, next: &Snapshot, observation: &Observation, context: &Context) {
        if context.leader_since == self.leader_since {
            self.note_gap(self.seen, next.time, observation);
        } else {
            self.leader_since = context.leader_since;
            self.infer(observation, context, next.time);
        }
    }

    /// Between captures that are further apart there may be two syncs, and only the second left its status.
    fn note_gap(&mut self, from: Timestamp, to: Timestamp, observation: &Observation) {
        let period = observation.sync_period().value;
        // A delay of up to a sixth of the period is a late sync, not two: syncs wait for the API server and for other
        // HPAs.
        if period * 6 < to.duration_since(from) * 5 {
            let until = to.checked_add(longest_window(observation)).ok();
            self.unseen_until = self.unseen_until.max(until);
        }
    }

    fn watched(&self, observation: &Observation, now: Timestamp) -> MemoryCoverage {
        let begins = now
            .checked_sub(longest_window(observation))
            .unwrap_or(Timestamp::MIN);
        // A gap ends once everything that may have been missed has expired.
        let has_gap = self.unseen_until.is_some_and(|until| now < until);
        match self.watched_since {
            since if has_gap => MemoryCoverage::WithGaps(since.unwrap_or(self.began)),
            Some(since) if begins < since => MemoryCoverage::Since(since),
            _ => MemoryCoverage::Whole,
        }
    }

    /// Updates the history if the controller has synced since the previous capture. Captures between its syncs leave
    /// no trace in the history: the controller never saw them.
    fn commit(
        &mut self,
        pending: &Capture,
        next: &Snapshot,
        observation: &Observation,
        context: &Context,
    ) {
        if context.leader_since != self.leader_since {
            self.leader_since = context.leader_since;
            self.infer(observation, context, next.time);
            return;
        }
        self.note_gap(pending.time, next.time, observation);
        let period = observation.sync_period().value;
        // Captures come shortly before the sync, so up to a tenth of the period may be missing.
        let is_due = period * 9 <= pending.time.duration_since(self.last_pass) * 10;
        if pending.status != next.hpa.status {
            if !pending.observation.is_out_of_turn() {
                self.last_pass = next.time;
            }
            let mut found = fitting(&self.guesses, pending, next, observation);
            if found.is_empty() {
                found = fitting_other_values(&self.guesses, pending, next, observation);
            }
            // No guess leads to what was written: from here on only the status and the Events are known.
            if found.is_empty() {
                self.infer(observation, context, next.time);
            } else {
                self.guesses = found;
            }
        } else if is_due {
            self.last_pass = pending.time;
            // The next sync comes a period after it.
            let a_period_before = next.time.checked_sub(period).unwrap_or(next.time);
            let early = if self.is_guessed {
                pending.time.min(a_period_before)
            } else {
                pending.time
            };
            for guess in &mut self.guesses {
                let at = match guess.clock {
                    SyncBound::Early => early,
                    SyncBound::Late => next.time,
                };
                let mut after = guess.memory.clone();
                let trace = engine::decide(&pending.observation, &mut after, at);
                if matches!(trace.decision, Decision::Rescale { .. }) {
                    // The status shows that the controller did not rescale, so it has no scale event: for it the
                    // window had not expired yet.
                    after
                        .scale_up_events
                        .clone_from(&guess.memory.scale_up_events);
                    after
                        .scale_down_events
                        .clone_from(&guess.memory.scale_down_events);
                }
                guess.memory = after;
            }
        }
    }
}

/// The guesses with which a sync between two captures results in the status of the second.
fn fitting(
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
        fitting.extend(after.map(|memory| Guess {
            memory,
            clock: guess.clock,
        }));
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
fn fitting_other_values(
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
        Some(Guess {
            memory,
            clock: guess.clock,
        })
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

/// How close the recomputed metric values must be to those of the status.
#[derive(Clone, Copy, PartialEq)]
enum Values {
    /// They are derived from the status, which rounds them.
    About,
    /// Equal.
    Equal,
}

/// The history after a sync, if the sync results in `status`.
fn memory_after(
    memory: &Memory,
    observation: &Observation,
    at: Timestamp,
    status: &HpaStatus,
    values: Values,
) -> Option<Memory> {
    let mut seen = observation.clone();
    // The scale may have been captured before or after its write; the status shows what the controller read.
    if let Reading::Read(scale) = &mut seen.scale {
        scale.spec_replicas = status.current_replicas;
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
fn from_outside(observation: &Observation, context: &Context, now: Timestamp) -> Vec<Guess> {
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
fn nothing_left() -> Memory {
    Memory {
        recommendations: Some(Vec::new()),
        ..Memory::default()
    }
}

/// At least one guess, if there is a history.
fn with_clocks<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> Vec<Guess> {
    let guess = |memory: &Memory, clock| Guess {
        memory: memory.clone(),
        clock,
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
