//! What an event makes of the state.

use jiff::{SignedDuration, Timestamp};

use crate::watch::{
    Agreement, Alarm, AlarmKind, Change, Event, History, HpaKey, HpaState, Mark, Moment, PodCounts,
    Seen, Source, State, Trouble, Update, alarm,
    changes::{changes, late_changes},
    log::{ForeignWrite, Log, Rescaling},
    moment_of::moment,
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
            is_silent,
        } => {
            if is_silent {
                state.freshness.lost(source.clone());
            }
            fail(state, source, why, now)
        }
        Event::Recovered { source } => recover(state, source, now),
        Event::Marked { note } => mark(state, note, now),
        Event::Tick => tick(state, now),
    }
}

/// An HPA as it was looked at. The time of a look is the one that it was recomputed for.
fn take(state: &mut State, seen: Seen, now: Timestamp, is_reconcile: bool) -> Vec<Update> {
    let hpa = seen.hpa.clone();
    let id = state.next_moment;
    let at = seen.look.trace.at;
    let moment = moment(&seen, id, at, is_reconcile);
    let most = state.most_moments();
    let known = state.hpas.get(&hpa);
    let mut updates = Vec::new();
    let is_new = known.is_none_or(|known| known.gone_at.is_some());
    // A reconcile is told once the write of its status was seen; something may have been seen in between.
    let is_late = known.is_some_and(|known| at < known.seen_at) && !is_new;
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
            changes(known, &seen, &moment, is_reconcile)
        };
    }
    let is_kept = is_reconcile || is_new || !changed.is_empty();
    if is_reconcile {
        known.reconciled_at = Some(at);
    }
    known.log_changes(&changed, at);
    if is_reconcile {
        known.log.judged(at, &seen.agreement);
    }
    if !is_late {
        let before = (!is_new).then_some(&known.latest.observation.hpa.status);
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
    updates.extend(alarm::evaluate(state, &hpa, now));
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
    updates.extend(alarm::evaluate(state, hpa, now));
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

fn fail(state: &mut State, source: Source, why: String, now: Timestamp) -> Vec<Update> {
    let known = state.troubles.get_mut(&source);
    match known {
        Some(known) if known.why == why => return Vec::new(),
        Some(known) => known.why.clone_from(&why),
        None => {
            let trouble = Trouble {
                since: now,
                why: why.clone(),
            };
            state.troubles.insert(source.clone(), trouble);
        }
    }
    vec![Update::Failing { source, why }]
}

fn recover(state: &mut State, source: Source, now: Timestamp) -> Vec<Update> {
    let Some(trouble) = state.troubles.remove(&source) else {
        return Vec::new();
    };
    if state.freshness.again(&source, now) {
        state.hpas.values_mut().for_each(HpaState::forget_overdue);
    }
    vec![Update::Recovered {
        source,
        lasted: now.duration_since(trouble.since).max(SignedDuration::ZERO),
    }]
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
    state.hpas.retain(|_, known| {
        known
            .gone_at
            .is_none_or(|gone| now.duration_since(gone) < State::GONE_IS_KEPT)
    });
    let hpas: Vec<HpaKey> = state.hpas.keys().cloned().collect();
    hpas.iter()
        .flat_map(|hpa| alarm::evaluate(state, hpa, now))
        .collect()
}

impl HpaState {
    fn new(latest: Seen, at: Timestamp) -> Self {
        Self {
            latest,
            seen_at: at,
            reconciled_at: None,
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
        self.scaled_at = seen.observation.hpa.status.last_scale_time;
        self.changed_at = self.scaled_at;
        self.conditions = alarm::Conditions::default();
    }
}
