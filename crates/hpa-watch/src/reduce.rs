//! Applies events to the state. What changed is decided in `changes.rs`.

use std::{
    cmp::Ordering,
    collections::{VecDeque, btree_map::Entry},
    mem,
};

use hpa_analysis::ReplicaTracker;
use hpa_engine::model::{HpaKey, Source};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Agreement, Alarm, AlarmKind, Change, Event, HistoryEntry, HpaHistory, HpaState, Mark,
    PodCounts, SeenHpa, SourceFailure, State, Update, alarm,
    changes::{changes, kind, late_changes, read_of},
    entry_of::entry,
    freshness::Sight,
    log::HpaLog,
};

/// The reducer: applies `event` to `state`, and returns the updates that a reader should get. `now` is the
/// controller's clock.
pub fn reduce(state: &mut State, event: Event, now: Timestamp) -> Vec<Update> {
    match event {
        Event::Seen(seen) => take(state, *seen, now, false),
        Event::Reconciled(seen) => take(state, *seen, now, true),
        Event::Compared { hpa, at, agreement } => compare(state, &hpa, at, &agreement, now),
        Event::Deleted { hpa } => go(state, hpa, now),
        Event::Failing {
            source,
            why,
            fresh_until,
        } => {
            if let Some(fresh_until) = fresh_until {
                state.freshness.lost(source.clone(), fresh_until);
            }
            fail(state, source, why, fresh_until.unwrap_or(now), now)
        }
        Event::Recovered { source } => recover(state, source, now),
        Event::Marked { note } => mark(state, note, now),
        Event::InformerInput => {
            state.freshness.heard(now);
            Vec::new()
        }
        Event::Tick => tick(state, now),
    }
}

/// Applies a read of an HPA. Its time is the one that it was recomputed for.
fn take(state: &mut State, mut seen: SeenHpa, now: Timestamp, is_reconcile: bool) -> Vec<Update> {
    let hpa = seen.hpa.clone();
    let id = state.next_entry;
    let at = seen.assessment.analysis.trace.at;
    let entry = entry(&seen, id, at, is_reconcile);
    let most = state.most_entries();
    let known = state.hpas.get(&hpa);
    let sight = known.map_or(Sight::Clear, |known| state.freshness.sight(known, at));
    let age = known.map_or(Ordering::Equal, |known| known.compare_age(&seen));
    // What is known late of an HPA that does not exist any more says nothing about the one that has its name now.
    if sight == Sight::CatchingUp || age == Ordering::Less {
        return Vec::new();
    }
    let mut updates = Vec::new();
    if age == Ordering::Greater {
        // The deletion of the earlier one was not observed.
        updates.extend(go(state, hpa.clone(), at));
    }
    let known = state.hpas.get(&hpa);
    let is_new = known.is_none_or(|known| known.deleted_at.is_some());
    // A sync is reported once the write of its status was observed; a newer read may have come in between.
    let is_late = known.is_some_and(|known| at < known.seen_at) && !is_new;
    let known = state
        .hpas
        .entry(hpa.clone())
        .or_insert_with(|| Box::new(HpaState::new(seen.clone(), at)));
    let mut changed = Vec::new();
    if is_new {
        known.appear(&seen, &entry);
        updates.push(Update::Appeared {
            hpa: hpa.clone(),
            entry: id,
        });
    } else {
        changed = if is_late {
            late_changes(known, &entry)
        } else {
            changes(known, &seen, &entry, is_reconcile, sight)
        };
    }
    // Reads without news come every few seconds; the history has room for what happened.
    let is_kept = is_reconcile || is_new || !changed.is_empty();
    if is_reconcile {
        known.reconciled_at = Some(at);
        if !seen.assessment.observation.is_out_of_turn() {
            known.in_turn_at = Some(at);
        }
    }
    known.note(&changed, at);
    if is_reconcile {
        known.log.compared(at, &seen.agreement);
    }
    if !is_late {
        let before = (!is_new).then_some(&known.latest.assessment.observation.hpa.status);
        known.log.note_preview(&seen, at, before);
        known.seen_at = at;
        known.pods = entry.pods;
        known.shown = Some(kind(&entry));
        if !is_new {
            let latest = &mut known.latest.assessment.context;
            seen.assessment.context.seen_writes = mem::take(&mut latest.seen_writes);
        }
        known.latest = seen;
    }
    let changed_at = known.log.status_changed_at();
    if is_kept {
        known.history.push(entry, most);
        state.next_entry += 1;
    }
    state.status_changed_at = state.status_changed_at.max(changed_at);
    updates.extend(reported_changes(&hpa, id, is_reconcile, is_new, changed));
    let clock = state.freshness.clock(now);
    updates.extend(alarm::evaluate(state, &hpa, clock));
    updates
}

fn reported_changes(
    hpa: &HpaKey,
    entry: u64,
    is_reconcile: bool,
    is_new: bool,
    changes: Vec<Change>,
) -> Option<Update> {
    let hpa = hpa.clone();
    if is_reconcile {
        Some(Update::Reconciled {
            hpa,
            entry,
            changes,
        })
    } else if is_new || changes.is_empty() {
        None
    } else {
        Some(Update::Changed {
            hpa,
            entry,
            changes,
        })
    }
}

fn compare(
    state: &mut State,
    hpa: &HpaKey,
    at: Timestamp,
    agreement: &Agreement,
    now: Timestamp,
) -> Vec<Update> {
    let Some(known) = state.hpas.get_mut(hpa) else {
        return Vec::new();
    };
    if let Some(entry) = known.history.at_mut(at) {
        entry.agreement = agreement.clone();
    }
    if known.is_reconcile() && known.seen_at == at {
        known.latest.agreement = agreement.clone();
    }
    // A sync of an earlier HPA of the same name says nothing about this one.
    let is_own = known.own_entries().next().is_none_or(|one| one.at <= at);
    if is_own {
        known.log.compared(at, agreement);
    }
    let mut updates = vec![Update::Compared {
        hpa: hpa.clone(),
        at,
        agreement: agreement.clone(),
    }];
    let clock = state.freshness.clock(now);
    updates.extend(alarm::evaluate(state, hpa, clock));
    updates
}

fn go(state: &mut State, hpa: HpaKey, now: Timestamp) -> Vec<Update> {
    let Some(known) = state
        .hpas
        .get_mut(&hpa)
        .filter(|known| known.deleted_at.is_none())
    else {
        return Vec::new();
    };
    // It stays for a while, so that the screen can say that it is gone.
    known.deleted_at = Some(now);
    let off = alarm::all_off(known, now);
    let mut updates = state.by_cause(off, now);
    updates.push(Update::Deleted { hpa });
    updates
}

fn fail(
    state: &mut State,
    source: Source,
    why: String,
    since: Timestamp,
    now: Timestamp,
) -> Vec<Update> {
    // An API server that has just started answers some requests with errors. What lasts is reported.
    let is_settled = state.lost().is_none()
        && state
            .returned_at
            .is_none_or(|at| State::NOT_CONNECTED_AFTER <= now.duration_since(at));
    let is_reported = source == Source::Server || is_settled;
    let failure = SourceFailure {
        since,
        why: why.clone(),
        noticed_at: now,
        is_reported,
    };
    let known = state.failures.entry(source.clone());
    match known {
        Entry::Occupied(known) if known.get().why == why => return Vec::new(),
        Entry::Occupied(known) => {
            let known = known.into_mut();
            known.why.clone_from(&why);
            known.is_reported |= is_reported;
        }
        Entry::Vacant(free) => {
            free.insert(failure);
        }
    }
    let failing = Update::Failing { source, why };
    is_reported.then_some(failing).into_iter().collect()
}

fn recover(state: &mut State, source: Source, now: Timestamp) -> Vec<Update> {
    let Some(failure) = state.failures.remove(&source) else {
        return Vec::new();
    };
    if state.freshness.again(&source, now) {
        state.hpas.values_mut().for_each(|hpa| hpa.forget_overdue());
    }
    let lasted = now.duration_since(failure.since).max(SignedDuration::ZERO);
    let mut updates = Vec::new();
    if source == Source::Server {
        state.returned_at = Some(now);
        // Other failures are reported if they last.
        for other in state.failures.values_mut() {
            other.noticed_at = now;
        }
        updates.extend(state.not_connected.take().map(|alarm| Update::AlarmOff {
            hpas: Vec::new(),
            alarm,
            lasted,
        }));
    }
    if failure.is_reported {
        updates.push(Update::Recovered { source, lasted });
    }
    updates
}

fn mark(state: &mut State, note: String, now: Timestamp) -> Vec<Update> {
    let mark = Mark { at: now, note };
    if state.marks.len() == State::MOST_MARKS {
        state.marks.remove(0);
    }
    state.marks.push(mark.clone());
    vec![Update::Marked(mark)]
}

/// Time raises and ends alarms, and drops deleted HPAs.
fn tick(state: &mut State, now: Timestamp) -> Vec<Update> {
    let clock = state.freshness.clock(now);
    state.hpas.retain(|_, known| {
        known
            .deleted_at
            .is_none_or(|deleted| now.duration_since(deleted) < State::DELETED_IS_KEPT)
    });
    let mut updates = match state.lost() {
        Some(_) => not_connected(state, now).into_iter().collect(),
        None => unreported(state, now),
    };
    let hpas: Vec<HpaKey> = state.hpas.keys().cloned().collect();
    for hpa in &hpas {
        updates.extend(alarm::evaluate(state, hpa, clock));
    }
    updates
}

/// The alarm that the API server does not answer, once that lasts.
fn not_connected(state: &mut State, now: Timestamp) -> Option<Update> {
    let lost = state.lost()?;
    let is_due = State::NOT_CONNECTED_AFTER <= now.duration_since(lost.noticed_at);
    if !is_due || state.not_connected.is_some() {
        return None;
    }
    let alarm = Alarm {
        kind: AlarmKind::NotConnected,
        since: lost.since,
        text: format!("not connected to the API server: {}", lost.why),
        subject: String::new(),
        cause: None,
    };
    state.not_connected = Some(alarm.clone());
    Some(Update::AlarmOn {
        hpas: Vec::new(),
        alarm,
    })
}

/// Sources that failed while the API server was silent, and still fail although it answers again.
fn unreported(state: &mut State, now: Timestamp) -> Vec<Update> {
    let is_due = |failure: &SourceFailure| {
        !failure.is_reported && State::NOT_CONNECTED_AFTER <= now.duration_since(failure.noticed_at)
    };
    let failures = state.failures.iter_mut();
    failures
        .filter(|(_, failure)| is_due(failure))
        .map(|(source, failure)| {
            failure.is_reported = true;
            Update::Failing {
                source: source.clone(),
                why: failure.why.clone(),
            }
        })
        .collect()
}

impl HpaState {
    /// Whether a read is of another HPA of the same name, created earlier or later.
    fn compare_age(&self, seen: &SeenHpa) -> Ordering {
        let created = |seen: &SeenHpa| seen.assessment.observation.hpa.created;
        match (created(&self.latest), created(seen)) {
            (Some(known), Some(seen)) => seen.cmp(&known),
            _ => Ordering::Equal,
        }
    }

    fn new(latest: SeenHpa, at: Timestamp) -> Self {
        let replicas = ReplicaTracker::begin(&read_of(&latest));
        Self {
            latest,
            seen_at: at,
            reconciled_at: None,
            in_turn_at: None,
            history: HpaHistory::default(),
            alarms: Vec::new(),
            deleted_at: None,
            pods: PodCounts::default(),
            replicas,
            notes: VecDeque::new(),
            edit: None,
            shown: None,
            first_entry: 0,
            log: HpaLog::default(),
            conditions: alarm::Conditions::default(),
        }
    }

    /// While a source was silent, syncs may have come unobserved: an alarm that is not on starts to count from here.
    fn forget_overdue(&mut self) {
        let is_on = |alarm: &Alarm| alarm.kind == AlarmKind::NotReconciled;
        if !self.alarms.iter().any(is_on) {
            self.log.forget_overdue();
        }
    }

    /// Starts anew. What was before stays visible, but it is the past of another HPA: nothing is concluded from it.
    fn appear(&mut self, seen: &SeenHpa, entry: &HistoryEntry) {
        *self = Self {
            history: mem::take(&mut self.history),
            first_entry: entry.id,
            ..Self::new(seen.clone(), entry.at)
        };
    }
}
