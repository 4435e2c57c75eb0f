//! Follows the controller's history (memory) through one recording.

use std::sync::Arc;

use hpa_engine::{
    engine,
    model::{Context, Memory, Observation},
    trace::{Decision, Trace},
};
use hpa_objects::recording::Snapshot;
use jiff::Timestamp;

use super::{
    guess::{
        Capture, Guess, SyncBound, fitting, fitting_other_values, from_outside, nothing_left,
        with_clocks,
    },
    joined::{Joined, Settled, reaches},
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
    /// What the history from before `watched_since` was inferred from.
    joined: Option<Joined>,
    /// The latest time at which the history may have got something that no inference finds: an Event comes after the
    /// write that it reports, and of two syncs between two captures only the second leaves its status.
    unseen: Option<Timestamp>,
    /// The last sync whose outcome is known.
    last: Option<Settled>,
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
            joined: None,
            unseen: None,
            last: None,
        };
        if !begin.has_started() {
            followed.infer(observation, context, snapshot.time);
        }
        if begin.may_inherit() {
            followed.unseen = followed.unseen.max(observation.hpa.created);
        }
        followed
    }

    /// The time of the last line.
    pub(crate) fn seen(&self) -> Timestamp {
        self.seen
    }

    /// Infers the controller's history from outside.
    fn infer(&mut self, observation: &Observation, context: &Context, now: Timestamp) {
        self.guesses = from_outside(observation, context, now);
        self.watched_since = Some(now);
        self.last = None;
        self.joined = Some(Joined::of(observation, context, now));
        // The first sync of a new HPA stores replicas that no status shows.
        let hpa = &observation.hpa;
        self.unseen = self.unseen.max(hpa.status.last_scale_time).max(hpa.created);
    }

    /// What was inferred from a status holds only for the spec that it was written for: under another one, more
    /// histories from before are possible. What was observed since is the same in all of them.
    fn heed_edit(&mut self, observation: &Observation, now: Timestamp) {
        self.joined = self
            .joined
            .take()
            .filter(|joined| joined.may_matter(observation, now));
        let Some(joined) = &mut self.joined else {
            self.last = None;
            return;
        };
        let mut possible = joined.after_edit(&self.guesses, observation, now);
        if possible.is_empty() {
            return;
        }
        // Those of an earlier edit are replaced.
        self.guesses.retain(|one| !one.is_of_edit);
        possible.retain(|one| !self.guesses.iter().any(|known| known.is_same(one)));
        let last = self.last.as_ref();
        let fits = |one: &Guess| last.is_none_or(|last| last.fits(&one.memory));
        if possible.iter().any(fits) {
            possible.retain(fits);
        }
        self.guesses.extend(possible);
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
            self.joined = None;
            self.unseen = None;
            self.last = None;
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
        if !self.is_from_inside {
            self.note_refusals(context);
            self.heed_edit(observation, snapshot.time);
        }
        self.seen = snapshot.time;
        let watched = self.watched(observation, snapshot.time);
        let mut memories: Vec<Memory> = Vec::new();
        for guess in &self.guesses {
            if !memories.contains(&guess.memory) {
                memories.push(guess.memory.clone());
            }
        }
        // The inferred history may lack a recommendation that expires unobserved; until the window is over, an empty
        // history is as possible as the whole one.
        if self.is_inferred(observation, snapshot.time) {
            memories.push(nothing_left());
        }
        let mut after = self.guesses[0].memory.clone();
        let trace = engine::decide(observation, &mut after, snapshot.time);
        if self.is_from_inside {
            self.guesses = vec![Guess {
                memory: after,
                clock: SyncBound::Early,
                is_of_edit: false,
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
            has_unseen: watched != MemoryCoverage::Whole,
            is_from_inside: self.is_from_inside,
            has_new_leader,
            watched,
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
            self.unseen = self.unseen.max(Some(to));
        }
    }

    /// A sync whose status is refused leaves an Event only. What it recommended is not known.
    fn note_refusals(&mut self, context: &Context) {
        let events = context.events.iter();
        let refused = events.filter(|event| event.reason == "FailedUpdateStatus");
        self.unseen = self
            .unseen
            .max(refused.filter_map(|event| event.last).max());
    }

    /// Whether a part of the history that matters now was inferred.
    fn is_inferred(&self, observation: &Observation, now: Timestamp) -> bool {
        let since = self.watched_since;
        since.is_some_and(|since| reaches(since, observation, now))
    }

    fn watched(&self, observation: &Observation, now: Timestamp) -> MemoryCoverage {
        // A gap ends once everything that may have been missed has expired.
        let unseen = self.unseen;
        let has_gap = unseen.is_some_and(|unseen| reaches(unseen, observation, now));
        match self.watched_since {
            since if has_gap => MemoryCoverage::WithGaps(since.unwrap_or(self.began)),
            Some(since) if self.is_inferred(observation, now) => MemoryCoverage::Since(since),
            _ => MemoryCoverage::Whole,
        }
    }

    /// Updates the history if the controller has synced since the previous capture. Captures between its syncs leave
    /// no trace in the history: the controller never saw them.
    fn commit(
        &mut self,
        pending: &Arc<Capture>,
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
        if self.joined.is_some() {
            self.last = Some(Settled {
                capture: Arc::clone(pending),
                status: Arc::new(next.hpa.status.clone()),
            });
        }
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
            self.commit_unchanged(pending, next);
        } else if pending.observation.is_out_of_turn() && self.guesses.len() <= MOST_DOUBLED {
            // It may have synced immediately, and its status was refused.
            self.unseen = self.unseen.max(Some(pending.time));
            for mut guess in self.guesses.clone() {
                engine::decide(&pending.observation, &mut guess.memory, pending.time);
                if !self.guesses.contains(&guess) {
                    self.guesses.push(guess);
                }
            }
        }
    }

    /// A regular sync that left the status as it was.
    fn commit_unchanged(&mut self, pending: &Capture, next: &Snapshot) {
        let period = pending.observation.sync_period().value;
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

/// With more histories than this, none are added for a sync that nothing shows.
const MOST_DOUBLED: usize = 16;
