//! One HPA between two syncs of the controller: what the next sync will find, and when to read that.

use crate::sync_times::{Schedule, is_out_of_turn, sync_time};
use hpa_engine::model::Input;
use hpa_objects::recording::{
    Outcome, Snapshot, differences,
    wire::{Condition, HpaStatus},
};
use jiff::{SignedDuration, Timestamp};

use super::polling::{Beat, SHORTEST_LEAD, earlier, later};

/// One HPA between two syncs. Most of the time only `pending` holds a snapshot; the others are boxed, since each would
/// take kilobytes of every HPA.
pub struct FollowedHpa {
    schedule: Schedule,
    /// The last observed status.
    pub status: HpaStatus,
    /// When the HPA was created.
    created: Option<Timestamp>,
    /// The last observed `metadata.generation`.
    generation: Option<i64>,
    /// The HPA at its creation, if the controller syncs it immediately, before its metrics can be read here.
    made: Option<Box<Snapshot>>,
    /// When it was edited, until the immediate sync is settled.
    edited: Option<Timestamp>,
    /// The latest settled sync, or the start.
    since: Timestamp,
    /// What the next sync will find, as far as known; none: the metrics were never read.
    pub pending: Option<Snapshot>,
    /// The same before the scale got other replicas: if the sync itself changed them, this is what it found.
    earlier: Option<Box<Earlier>>,
    /// What a sync found that was due and unexpectedly wrote nothing: it counts as a sync only if the controller turns
    /// out to be running.
    missed: Option<Box<Snapshot>>,
    /// Whether something could not be watched since the latest sync, so that it is not known what syncs found.
    is_blind: bool,
    phase: Phase,
    /// A sync that read other samples than those in the snapshot.
    pub doubtful: Option<Box<Doubtful>>,
    refreshed: Timestamp,
    refresh: Option<Timestamp>,
    sent_at: Timestamp,
    has_changed: bool,
}

/// The state before the scale got other replicas.
struct Earlier {
    found: Snapshot,
    /// When the other replicas were first observed.
    until: Timestamp,
}

/// A sync that read other samples than those in the snapshot.
pub struct Doubtful {
    /// The snapshot, with the time of the sync.
    pub before: Snapshot,
    /// The status that the sync wrote.
    pub written: HpaStatus,
    /// When to accept the snapshot anyway.
    until: Timestamp,
}

/// The phase of an HPA between two syncs. It becomes `Predicted` shortly before a sync, and `BetweenSyncs` once that
/// sync is settled: by its write, or by the time after which no write comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The next sync is not near, and its outcome is not predicted yet.
    BetweenSyncs,
    /// The next sync is near or running, and its outcome was predicted.
    Predicted(Expected),
}

/// What a sync should write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Nothing: the status stays as it is.
    Nothing,
    /// Another decision.
    Decision,
    /// Other replicas or metrics than those in the status: any sync would write them, whatever it decides.
    Inputs,
}

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The next sync is near: read what it will find.
    Preview,
    /// Something changed before the sync: read again what it will find.
    Refresh,
    /// The sync is over, and no write was observed: the status is unchanged.
    Settle,
    /// Something changed between two syncs: show it.
    Show,
    /// The samples of a doubtful sync did not come in time.
    GiveUp,
}

impl FollowedHpa {
    /// An HPA seen for the first time.
    pub fn new(
        snapshot: Snapshot,
        period: Input<SignedDuration>,
        is_synced_at_once: bool,
        now: Timestamp,
    ) -> Self {
        Self {
            schedule: Schedule::new(None, period),
            status: snapshot.hpa.status.clone(),
            created: snapshot.hpa.metadata.creation_timestamp,
            generation: snapshot.hpa.metadata.generation,
            made: is_synced_at_once.then(|| Box::new(snapshot)),
            edited: None,
            since: now,
            pending: None,
            earlier: None,
            missed: None,
            is_blind: false,
            phase: Phase::BetweenSyncs,
            doubtful: None,
            refreshed: now,
            refresh: None,
            sent_at: Timestamp::MIN,
            has_changed: false,
        }
    }

    /// Whether an HPA of the same name that was created at `created` is a later one.
    pub fn is_before(&self, created: Option<Timestamp>) -> bool {
        self.created.is_some_and(|own| Some(own) < created)
    }

    /// What is known of it last; `None` if its metrics were never read.
    pub fn last_state(self) -> Option<Snapshot> {
        let mut last = self.pending?;
        last.hpa.status = self.status;
        Some(last)
    }

    /// The sync period.
    pub fn period(&self) -> SignedDuration {
        self.schedule.period()
    }

    /// The period that the writes show, if it was only assumed and differs.
    pub fn learned_period(&self) -> Option<SignedDuration> {
        self.schedule.learned()
    }

    /// When the controller syncs; `None` if no write was observed yet.
    pub fn beat(&self) -> Option<Beat> {
        Some(Beat {
            sync: self.schedule.last_write()?,
            period: self.schedule.period(),
        })
    }

    /// What is due next, and when.
    pub fn next(&self) -> Option<(Timestamp, Due)> {
        let give_up = self
            .doubtful
            .as_ref()
            .map(|doubtful| (doubtful.until, Due::GiveUp));
        if self.pending.is_none() {
            return give_up;
        }
        let sync = self.sync();
        let is_between = self.phase == Phase::BetweenSyncs;
        let preview = is_between.then(|| (earlier(sync, SHORTEST_LEAD), Due::Preview));
        let refresh = self
            .refresh
            .filter(|at| *at < sync)
            .map(|at| (at, Due::Refresh));
        let show = (self.has_changed && is_between)
            .then(|| (later(self.sent_at, SHORTEST_SHOW), Due::Show));
        [
            give_up,
            preview,
            refresh,
            show,
            Some((later(sync, self.grace()), Due::Settle)),
        ]
        .into_iter()
        .flatten()
        .min_by_key(|(at, _)| *at)
    }

    /// Whether to report nothing yet, if a poll has no data for it: for one period the next poll may have some.
    pub fn waits(&self, now: Timestamp) -> bool {
        self.pending.is_none() && now < later(self.since, self.period())
    }

    /// Whether a sync may be over whose write was not observed yet, so that changes may be its effect.
    pub fn may_be_over(&self, now: Timestamp) -> bool {
        self.sync() <= now
    }

    /// Whether the spec differs from the last observed one.
    pub fn has_other_spec(&self, snapshot: &Snapshot) -> bool {
        self.generation != snapshot.hpa.metadata.generation
    }

    /// Handles an edit of the spec, as in `snapshot`, that the controller syncs immediately. Returns what an earlier
    /// regular sync found; `None` if there was none, or if it should have written something and so did not happen.
    pub fn edit(&mut self, snapshot: Snapshot, now: Timestamp) -> Option<Snapshot> {
        // A regular sync that was due by now came before the edit. If it had nothing to write, that settles it.
        // Otherwise its write was not observed and may still come: it is neither reported nor awaited.
        let is_due = self.pending.is_some() && self.edited.is_none() && self.may_be_over(now);
        let before = if is_due && self.expected() == Expected::Nothing {
            self.note_no_write(snapshot.clone(), now)
        } else {
            if is_due {
                self.since = self.sync();
            }
            None
        };
        self.generation = snapshot.hpa.metadata.generation;
        self.edited = Some(now);
        if self.pending.is_some() {
            self.refresh(snapshot);
        }
        before
    }

    /// Records a change that an HPA's decision or a reader may depend on.
    pub fn note_change(&mut self, now: Timestamp) {
        self.has_changed = true;
        let pause = match self.phase {
            Phase::BetweenSyncs => LONG,
            Phase::Predicted(_) => SHORT,
        };
        self.refresh
            .get_or_insert(later(self.refreshed, pause).max(now));
    }

    /// Records that something cannot be watched, or can be again. What the next sync finds is not known.
    pub fn note_blindness(&mut self) {
        self.is_blind = true;
        self.missed = None;
    }

    /// Whether the target got other replicas so recently that the status of the sync that set them may still come.
    pub fn has_just_scaled(&self, now: Timestamp) -> bool {
        let earlier = self.earlier.as_ref();
        earlier.is_some_and(|earlier| now < later(earlier.until, self.period()))
    }

    /// Takes a newer snapshot of what the next sync will find.
    pub fn refresh(&mut self, snapshot: Snapshot) {
        self.refreshed = snapshot.time;
        self.refresh = None;
        if let Some(pending) = self.pending.take()
            && replicas(&pending) != replicas(&snapshot)
        {
            self.earlier = Some(Box::new(Earlier {
                found: pending,
                until: snapshot.time,
            }));
        }
        self.pending = Some(snapshot);
    }

    /// Takes a snapshot from when the target got other replicas, unless it was never read before.
    pub fn refresh_scaled(&mut self, snapshot: Snapshot) {
        if self.pending.is_some() {
            self.refresh(snapshot);
            self.has_changed = true;
        }
    }

    /// The next sync is near. `predicted` is its predicted outcome.
    pub fn previewed(&mut self, predicted: Option<&Outcome>) {
        let expected = match predicted.map(|predicted| &predicted.status) {
            Some(new)
                if new.current_replicas != self.status.current_replicas
                    || new.current_metrics != self.status.current_metrics =>
            {
                Expected::Inputs
            }
            Some(new) if differences(&essence(new), &essence(&self.status)).is_empty() => {
                Expected::Nothing
            }
            _ => Expected::Decision,
        };
        self.phase = Phase::Predicted(expected);
    }

    /// Records that the reader has seen the current state.
    pub fn note_displayed(&mut self, now: Timestamp) {
        self.sent_at = now;
        self.has_changed = false;
    }

    /// Returns what was found by a sync that was due before the one that has written now: it did happen, and found
    /// something else.
    pub fn take_missed(&mut self, now: Timestamp) -> Option<Snapshot> {
        let period = self.period();
        let missed = self.missed.take().map(|missed| *missed);
        missed.filter(|missed| now < later(missed.time, period * 2))
    }

    /// The controller wrote the status in `after`, observed at `now`. Returns what that sync found, with its time;
    /// `None` if that is not known, because the write was observed much later, or something could not be watched.
    pub fn note_write(&mut self, after: Snapshot, now: Timestamp) -> Option<Snapshot> {
        let made = self.made.take().map(|made| *made);
        let is_out_of_turn = is_out_of_turn(&self.status, &after.hpa.status);
        let heard = after
            .hpa_status_written
            .map(|second| later(second, HALF_A_SECOND))
            .filter(|written| later(*written, LONGEST_WAY) < now);
        // Only regular syncs predict the next regular one: the queue keeps its rhythm through an edit.
        match heard {
            _ if is_out_of_turn => {}
            Some(about) => self.schedule.note_write_about(about),
            None => self.schedule.note_write(now),
        }
        let heard = heard.unwrap_or(now);
        let sync = sync_time(&self.status, &after.hpa.status, heard);
        self.status = after.hpa.status.clone();
        self.generation = after.hpa.metadata.generation;
        // What a regular sync found before is settled with that sync.
        let since = if is_out_of_turn { self.since } else { sync };
        let is_edit_unseen = is_out_of_turn
            && self.pending.as_ref().is_some_and(|pending| {
                pending.hpa.metadata.generation < self.status.observed_generation
            });
        // The edit and the resulting write were observed together: what that sync found was never read.
        if is_edit_unseen {
            self.begin_anew(since, after, now);
            return None;
        }
        // Other syncs may have come in between, and only the last one left its status.
        if self.is_blind || later(heard, self.period().max(LONGEST_GRACE)) < now {
            self.begin_anew(heard, after, now);
            return None;
        }
        // The scale is written before the status, which contains the replicas that were read.
        let read = Some(self.status.current_replicas);
        let pending = self.pending.take();
        let is_after = pending.as_ref().is_some_and(|one| replicas(one) != read);
        let earlier = self.earlier.take();
        let earlier = earlier.filter(|earlier| is_after && replicas(&earlier.found) == read);
        // A slow status write does not make the sync later than its own write of the scale.
        let sync = match &earlier {
            Some(earlier) => sync.min(just_before(earlier.until)),
            None => sync,
        };
        let found = earlier.map(|earlier| earlier.found);
        let mut before = found.or(pending).or(made)?;
        before.time = before.time.max(sync);
        self.begin_anew(since, after, now);
        Some(before)
    }

    /// A sync is over and nothing was written. Returns what it found; `None` if it should have written what it read,
    /// and so did not happen, or if something could not be watched.
    pub fn note_no_write(&mut self, after: Snapshot, now: Timestamp) -> Option<Snapshot> {
        if self.edited.take().is_some() {
            // It was not synced immediately, so it waits for the regular sync.
            self.refresh(after);
            self.phase = Phase::BetweenSyncs;
            return None;
        }
        let sync = self.sync();
        // After whole periods without activity it is not known what the syncs in between found.
        let since = if later(sync, self.period()) < now {
            now
        } else {
            sync
        };
        if self.is_blind {
            self.begin_anew(since, after, now);
            return None;
        }
        let is_missing = self.expected() == Expected::Inputs;
        let pending = self.pending.take();
        // Other replicas that came after the sync was due are not what it found.
        let is_later = pending.as_ref().is_some_and(|one| sync < one.time);
        let earlier = self.earlier.take_if(|_| is_later);
        let before = earlier.map(|earlier| earlier.found).or(pending);
        let has_other_scale = before
            .as_ref()
            .is_some_and(|before| replicas(before) != replicas(&after));
        let earlier = if has_other_scale {
            let until = after.time;
            before
                .clone()
                .map(|found| Box::new(Earlier { found, until }))
        } else {
            self.earlier.take()
        };
        self.begin_anew(since, after, now);
        // A sync that is later than expected may be running now.
        self.earlier = earlier;
        if is_missing {
            // From Kubernetes 1.37 on a sync is skipped until the controller has seen its own last write.
            self.missed = before
                .filter(|before| !may_be_skipped(before))
                .map(Box::new);
            None
        } else {
            before
        }
    }

    /// Samples are read once more for a sync that is over.
    pub fn doubt(&mut self, before: Snapshot, now: Timestamp) {
        self.doubtful = Some(Box::new(Doubtful {
            before,
            written: self.status.clone(),
            until: later(now, self.period() / 2),
        }));
    }

    fn begin_anew(&mut self, since: Timestamp, after: Snapshot, now: Timestamp) {
        self.since = since;
        self.refreshed = now;
        self.refresh = None;
        self.pending = Some(after);
        self.earlier = None;
        self.is_blind = false;
        self.edited = None;
        self.phase = Phase::BetweenSyncs;
        self.has_changed = true;
        self.sent_at = now;
    }

    /// The next sync, or one period after the last if sync times are not known.
    fn sync(&self) -> Timestamp {
        if let Some(edited) = self.edited {
            return edited;
        }
        let period = self.period();
        // Each sync is slightly later than the period says, so the latest one is not quite a period ago when the next
        // is due. After half a period it can no longer be mistaken for the next.
        self.schedule
            .next_sync(later(self.since, period / 2))
            .unwrap_or_else(|| later(self.since, period))
    }

    /// What the next sync should write, as far as predicted.
    fn expected(&self) -> Expected {
        match self.phase {
            Phase::BetweenSyncs => Expected::Nothing,
            Phase::Predicted(expected) => expected,
        }
    }

    /// How long after a sync its write may come.
    fn grace(&self) -> SignedDuration {
        let period = self.period();
        // A write that must come is awaited nearly until the next sync: giving up earlier would report a slow
        // controller as silent.
        match self.expected() {
            Expected::Nothing => (period / 3).min(LONGEST_GRACE),
            Expected::Decision | Expected::Inputs => period.mul_f64(0.7),
        }
    }
}

/// Whether the controller may skip a sync of the HPA.
fn may_be_skipped(snapshot: &Snapshot) -> bool {
    let controller = snapshot.controller.to_model();
    controller.is_ok_and(|controller| {
        let gates = controller.feature_gates;
        gates.stale_controller_consistency_hpa.value
    })
}

fn replicas(snapshot: &Snapshot) -> Option<i32> {
    snapshot.scale.as_ref().map(|scale| scale.spec.replicas)
}

/// A time slightly before `time`: an observed write happened before it was observed.
fn just_before(time: Timestamp) -> Timestamp {
    earlier(time, SignedDuration::from_millis(1))
}

/// The content of a status, without its times.
fn essence(status: &HpaStatus) -> Outcome {
    let conditions = status.conditions.iter().map(|condition| Condition {
        last_transition_time: None,
        ..condition.clone()
    });
    let status = HpaStatus {
        conditions: conditions.collect(),
        last_scale_time: None,
        ..status.clone()
    };
    Outcome {
        status,
        ..Outcome::default()
    }
}

/// Interval between snapshots while things change shortly before a sync.
const SHORT: SignedDuration = SignedDuration::from_millis(10);

/// The same at other times.
const LONG: SignedDuration = SignedDuration::from_millis(500);

/// Interval between displayed reads.
const SHORTEST_SHOW: SignedDuration = SignedDuration::from_secs(1);

/// Longest time from the controller's write to its observation; if it takes longer, the second recorded by the API
/// server is more accurate.
const LONGEST_WAY: SignedDuration = SignedDuration::from_secs(2);

const HALF_A_SECOND: SignedDuration = SignedDuration::from_millis(500);

/// No write was expected, so there is no need to wait long for one.
const LONGEST_GRACE: SignedDuration = SignedDuration::from_secs(3);

#[cfg(test)]
mod tests;
