//! What an event makes of the state.

use std::collections::btree_map::Entry;

use jiff::{SignedDuration, Timestamp};

use crate::{
    model::{HpaKey, Source},
    watch::{
        Agreement, Alarm, AlarmKind, Change, Event, History, HpaState, Mark, Moment, PodCounts,
        Seen, State, Trouble, Update, alarm,
        changes::{changes, late_changes},
        freshness::Sight,
        log::{ForeignWrite, Log, Rescaling},
        moment_of::moment,
    },
};

/// Takes `event` into `state`, and says what a reader should learn of it. `now` is the controller's clock.
pub fn reduce(state: &mut State, event: Event, now: Timestamp) -> Vec<Update> {
    match event {
        Event::Seen(seen) => take(state, *seen, now, false),
        Event::Reconciled(seen) => take(state, *seen, now, true),
        Event::Judged { hpa, at, agreement } => judge(state, &hpa, at, &agreement, now),
        Event::Gone { hpa } => go(state, hpa, now),
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
        Event::Heard => {
            state.freshness.heard(now);
            Vec::new()
        }
        Event::Tick => tick(state, now),
    }
}

/// An HPA as it was looked at. The time of a look is the one that it was recomputed for.
fn take(state: &mut State, seen: Seen, now: Timestamp, is_reconcile: bool) -> Vec<Update> {
    let hpa = seen.hpa.clone();
    let id = state.next_moment;
    let at = seen.assessment.look.trace.at;
    let moment = moment(&seen, id, at, is_reconcile);
    let most = state.most_moments();
    let known = state.hpas.get(&hpa);
    let mut updates = Vec::new();
    let is_new = known.is_none_or(|known| known.gone_at.is_some());
    // A reconcile is told once the write of its status was seen; something may have been seen in between.
    let is_late = known.is_some_and(|known| at < known.seen_at) && !is_new;
    let sight = known.map_or(Sight::Clear, |known| state.freshness.sight(known, at));
    if sight == Sight::CatchingUp {
        return Vec::new();
    }
    let known = state
        .hpas
        .entry(hpa.clone())
        .or_insert_with(|| HpaState::new(seen.clone(), at));
    let mut changed = Vec::new();
    if is_new {
        known.appear(&seen, &moment);
        updates.push(Update::Appeared {
            hpa: hpa.clone(),
            moment: id,
        });
    } else {
        changed = if is_late {
            late_changes(known, &moment)
        } else {
            changes(known, &seen, &moment, is_reconcile, sight)
        };
    }
    let is_kept = is_reconcile || is_new || !changed.is_empty();
    if is_reconcile {
        known.reconciled_at = Some(at);
        if !seen.assessment.observation.is_out_of_turn() {
            known.in_turn_at = Some(at);
        }
    }
    known.log_changes(&changed, at);
    if is_reconcile {
        known.log.judged(at, &seen.agreement);
    }
    if !is_late {
        let before = (!is_new).then_some(&known.latest.assessment.observation.hpa.status);
        known.log.looked(&seen, at, before);
        known.seen_at = at;
        known.pods = moment.pods;
        known.latest = seen;
    }
    let changed_at = known.log.status_changed_at();
    if is_kept {
        known.history.push(moment, most);
        state.next_moment += 1;
    }
    state.status_changed_at = state.status_changed_at.max(changed_at);
    updates.extend(told(&hpa, id, is_reconcile, is_new, changed));
    let clock = state.freshness.clock(now);
    updates.extend(alarm::evaluate(state, &hpa, clock));
    updates
}

fn told(
    hpa: &HpaKey,
    moment: u64,
    is_reconcile: bool,
    is_new: bool,
    changes: Vec<Change>,
) -> Option<Update> {
    let hpa = hpa.clone();
    if is_reconcile {
        Some(Update::Reconciled {
            hpa,
            moment,
            changes,
        })
    } else if is_new || changes.is_empty() {
        None
    } else {
        Some(Update::Changed {
            hpa,
            moment,
            changes,
        })
    }
}

fn judge(
    state: &mut State,
    hpa: &HpaKey,
    at: Timestamp,
    agreement: &Agreement,
    now: Timestamp,
) -> Vec<Update> {
    let Some(known) = state.hpas.get_mut(hpa) else {
        return Vec::new();
    };
    if let Some(moment) = known.history.at_mut(at) {
        moment.agreement = agreement.clone();
    }
    if known.is_reconcile() && known.seen_at == at {
        known.latest.agreement = agreement.clone();
    }
    known.log.judged(at, agreement);
    let mut updates = vec![Update::Judged {
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
        .filter(|known| known.gone_at.is_none())
    else {
        return Vec::new();
    };
    known.gone_at = Some(now);
    let mut updates = alarm::all_off(known, now);
    updates.push(Update::Gone { hpa });
    updates
}

fn fail(
    state: &mut State,
    source: Source,
    why: String,
    since: Timestamp,
    now: Timestamp,
) -> Vec<Update> {
    let is_reported = source == Source::Server || state.lost().is_none();
    let trouble = Trouble {
        since,
        why: why.clone(),
        noticed_at: now,
        is_reported,
    };
    let known = state.troubles.entry(source.clone());
    match known {
        Entry::Occupied(known) if known.get().why == why => return Vec::new(),
        Entry::Occupied(known) => {
            let known = known.into_mut();
            known.why.clone_from(&why);
            known.is_reported |= is_reported;
        }
        Entry::Vacant(free) => {
            free.insert(trouble);
        }
    }
    let failing = Update::Failing { source, why };
    is_reported.then_some(failing).into_iter().collect()
}

fn recover(state: &mut State, source: Source, now: Timestamp) -> Vec<Update> {
    let Some(trouble) = state.troubles.remove(&source) else {
        return Vec::new();
    };
    if state.freshness.again(&source, now) {
        state.hpas.values_mut().for_each(HpaState::forget_overdue);
    }
    let lasted = now.duration_since(trouble.since).max(SignedDuration::ZERO);
    let mut updates = Vec::new();
    if source == Source::Server {
        // What else cannot be read is news if it stays so.
        for other in state.troubles.values_mut() {
            other.noticed_at = now;
        }
        updates.extend(state.not_connected.take().map(|alarm| Update::AlarmOff {
            hpa: None,
            alarm,
            lasted,
        }));
    }
    if trouble.is_reported {
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

/// Time brings alarms on and off, and lets go of what has gone.
fn tick(state: &mut State, now: Timestamp) -> Vec<Update> {
    let clock = state.freshness.clock(now);
    state.hpas.retain(|_, known| {
        known
            .gone_at
            .is_none_or(|gone| now.duration_since(gone) < State::GONE_IS_KEPT)
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

/// The alarm that nothing is heard of the API server, once that lasts.
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
    };
    state.not_connected = Some(alarm.clone());
    Some(Update::AlarmOn { hpa: None, alarm })
}

/// What failed while nothing was heard of the API server, and still does although that is heard of again.
fn unreported(state: &mut State, now: Timestamp) -> Vec<Update> {
    let is_due = |trouble: &Trouble| {
        !trouble.is_reported && State::NOT_CONNECTED_AFTER <= now.duration_since(trouble.noticed_at)
    };
    let troubles = state.troubles.iter_mut();
    troubles
        .filter(|(_, trouble)| is_due(trouble))
        .map(|(source, trouble)| {
            trouble.is_reported = true;
            Update::Failing {
                source: source.clone(),
                why: trouble.why.clone(),
            }
        })
        .collect()
}

impl HpaState {
    fn new(latest: Seen, at: Timestamp) -> Self {
        Self {
            latest,
            seen_at: at,
            reconciled_at: None,
            in_turn_at: None,
            changed_at: None,
            history: History::default(),
            alarms: Vec::new(),
            gone_at: None,
            pods: PodCounts::default(),
            replicas: None,
            unexplained: None,
            scaled_at: None,
            log: Log::default(),
            conditions: alarm::Conditions::default(),
        }
    }

    /// Nobody saw whether syncs came while a source was silent: an alarm that is not on begins to count from here.
    fn forget_overdue(&mut self) {
        let is_on = |alarm: &Alarm| alarm.kind == AlarmKind::NotReconciled;
        if !self.alarms.iter().any(is_on) {
            self.log.forget_overdue();
        }
    }

    /// Keeps what alarms ask for.
    fn log_changes(&mut self, changes: &[Change], at: Timestamp) {
        let mut reconciles = self.history.moments().rev().filter(|one| one.is_reconcile);
        let winner = reconciles.next().and_then(|decided| {
            let mut metrics = decided.metrics.iter();
            metrics.find(|metric| metric.is_winner)
        });
        let why = winner.map(|winner| winner.name.clone());
        for change in changes {
            match change {
                Change::Rescaled { from, to } => self.log.rescaled(Rescaling {
                    at,
                    from: *from,
                    to: *to,
                    why: why.clone(),
                }),
                Change::ReplicasWritten { from, to, by } => self.log.written(ForeignWrite {
                    at,
                    from: *from,
                    to: *to,
                    by: by.clone(),
                }),
                _ => {}
            }
        }
    }

    /// Begins anew, with the history that there is.
    fn appear(&mut self, seen: &Seen, moment: &Moment) {
        self.gone_at = None;
        self.replicas = moment.current;
        self.unexplained = None;
        self.scaled_at = seen.assessment.observation.hpa.status.last_scale_time;
        self.changed_at = self.scaled_at;
        self.conditions = alarm::Conditions::default();
    }
}
