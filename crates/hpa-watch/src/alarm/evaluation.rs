//! Turns conditions into alarms, and ends them.

use std::sync::Arc;

use hpa_engine::model::HpaKey;
use hpa_explain::Facts;
use jiff::{SignedDuration, Timestamp};

use super::{
    Alarm, AlarmKind, Conditions, blocked, condition::AlarmCondition, conditions::AlarmContext,
    disagreement, flapping, foreign_writer, held::HeldCondition, invalid_metric, not_reconciled,
    outlier_sample, pods_not_running, target_not_found, unmet_demand, unready_pods,
};
use crate::{HpaState, State, Update, next_change::sync_period};

/// Evaluates the conditions of an HPA, and returns the alarms that are raised, end, or change their text.
pub(crate) fn evaluate(state: &mut State, key: &HpaKey, now: Timestamp) -> Vec<Update> {
    let Some(hpa) = state.hpas.get(key).filter(|hpa| hpa.deleted_at.is_none()) else {
        return Vec::new();
    };
    let cx = AlarmContext {
        state,
        hpa,
        facts: Facts::new(
            &hpa.latest.assessment.observation,
            &hpa.latest.assessment.analysis.trace,
        ),
        now,
        period: sync_period(&hpa.latest),
    };
    let mut holding = check(&cx);
    // With stale data no alarm is raised and none ends: conditions that depend on it do not count as holding, and
    // active alarms stay on.
    let is_stale = |kind| state.freshness.is_stale(hpa, kind);
    holding.retain(|one| !is_stale(one.kind));
    let unknown = unmet_demand::is_unknown(&cx);
    let unjudged: Vec<AlarmKind> = hpa
        .alarms
        .iter()
        .map(|alarm| alarm.kind)
        .filter(|kind| is_stale(*kind) || unknown && *kind == AlarmKind::UnmetDemand)
        .collect();
    let Some(hpa) = state.hpas.get_mut(key) else {
        return Vec::new();
    };
    let updates = hpa.take_conditions(holding, &unjudged, now);
    state.by_cause(updates, now)
}

/// Ends all alarms of an HPA.
pub(crate) fn all_off(hpa: &mut HpaState, now: Timestamp) -> Vec<Update> {
    hpa.conditions = Conditions::default();
    let key = &hpa.latest.hpa;
    hpa.alarms
        .drain(..)
        .map(|alarm| off(key, alarm, now))
        .collect()
}

/// All conditions that hold.
fn check(cx: &AlarmContext<'_>) -> Vec<AlarmCondition> {
    let mut holding: Vec<_> = target_not_found::check(cx).into_iter().collect();
    holding.extend(blocked::check(cx));
    // While the controller does not sync, its status is outdated: a difference is not a disagreement.
    let not_reconciled = not_reconciled::check(cx);
    if not_reconciled.is_none() {
        holding.extend(disagreement::check(cx));
    }
    holding.extend(unmet_demand::check(cx));
    holding.extend(invalid_metric::check(cx));
    holding.extend(pods_not_running::check(cx));
    holding.extend(not_reconciled);
    holding.extend(unready_pods::check(cx));
    holding.extend(flapping::check(cx));
    holding.extend(foreign_writer::check(cx));
    holding.extend(outlier_sample::check(cx));
    holding
}

impl HpaState {
    fn take_conditions(
        &mut self,
        holding: Vec<AlarmCondition>,
        unjudged: &[AlarmKind],
        now: Timestamp,
    ) -> Vec<Update> {
        let key = self.latest.hpa.clone();
        let period = sync_period(&self.latest);
        let all = &mut self.conditions.0;
        for condition in holding {
            let is_same = |held: &&mut HeldCondition| {
                held.condition.kind == condition.kind && held.condition.subject == condition.subject
            };
            match all.iter_mut().find(is_same) {
                Some(held) => {
                    if held.condition.gist != condition.gist {
                        held.gist_since = now;
                    }
                    // An API that starts again fails otherwise for a moment: that is not the end of the cause.
                    let cause = held.condition.cause.take();
                    held.condition = condition;
                    if held.reported.is_some() && held.condition.cause.is_none() {
                        held.condition.cause = cause;
                    }
                    held.last = now;
                }
                None => all.push(HeldCondition {
                    condition,
                    first: now,
                    last: now,
                    gist_since: now,
                    reported: None,
                }),
            }
        }
        // A condition that cannot be evaluated stays as it is until it is seen to be over.
        let reported = all.iter_mut().filter(|held| held.reported.is_some());
        for held in reported.filter(|held| unjudged.contains(&held.condition.kind)) {
            held.last = now;
        }
        let mut updates = Vec::new();
        // A condition that was never reported ends silently and immediately: if it returns, its wait starts again.
        all.retain(|held| {
            let is_over = held.last < now
                && (held.reported.is_none()
                    || held.condition.lingers <= now.duration_since(held.last));
            if is_over && held.reported.is_some() {
                updates.push(off(&key, held.alarm(), now));
            }
            !is_over
        });
        for held in all.iter_mut() {
            if held.report(now, period) {
                updates.push(Update::AlarmOn {
                    hpas: vec![key.clone()],
                    alarm: held.alarm(),
                });
            }
        }
        self.alarms = all
            .iter()
            .filter(|held| held.reported.is_some())
            .map(HeldCondition::alarm)
            .collect();
        self.alarms.sort_by_key(|alarm| (alarm.kind, alarm.since));
        // Most entries have the same alarms as the previous one, and share them, as there may be thousands.
        let before = self.history.entries().rev().nth(1);
        let before = before.map(|before| Arc::clone(&before.alarms));
        if let Some(entry) = self.history.last_mut() {
            entry.alarms = before
                .filter(|before| **before == *self.alarms)
                .unwrap_or_else(|| self.alarms.as_slice().into());
        }
        updates
    }
}

fn off(hpa: &HpaKey, alarm: Alarm, now: Timestamp) -> Update {
    Update::AlarmOff {
        hpas: vec![hpa.clone()],
        lasted: now.duration_since(alarm.since).max(SignedDuration::ZERO),
        alarm,
    }
}
