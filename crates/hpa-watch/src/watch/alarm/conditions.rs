//! From conditions to alarms: when one goes on, when off, and when its words are told again.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::{
    Alarm, AlarmKind, blocked, cause::AlarmCause, disagreement, flapping, foreign_writer,
    invalid_metric, not_reconciled, outlier_sample, pods_not_running, target_not_found,
    unmet_demand, unready_pods,
};
use crate::{
    explain::Facts,
    inference::condition_since,
    model::{self, HpaKey},
    watch::{HpaState, State, Update, next_change::sync_period},
};

/// What the checks look at.
pub(super) struct AlarmContext<'a> {
    /// Everything.
    pub(super) state: &'a State,
    /// The HPA.
    pub(super) hpa: &'a HpaState,
    /// The trace of its latest look beside the observation.
    pub(super) facts: Facts<'a>,
    /// The time.
    pub(super) now: Timestamp,
    /// The sync period.
    pub(super) period: SignedDuration,
}

/// The condition of an alarm that holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AlarmCondition {
    /// The alarm.
    pub(super) kind: AlarmKind,
    /// What it is about in particular.
    pub(super) subject: String,
    /// The words.
    pub(super) text: String,
    /// Since when it holds, if that is known from elsewhere.
    pub(super) since: Option<Timestamp>,
    /// What of the words is news when it changes.
    pub(super) gist: String,
    /// What may stop other HPAs as well.
    pub(super) cause: Option<AlarmCause>,
    /// How bad it is: news when it grows.
    pub(super) level: u32,
    /// How long it must hold before the alarm goes on.
    pub(super) waits: SignedDuration,
    /// How long it must not hold before the alarm goes off. One sync that looks better is no recovery.
    pub(super) lingers: SignedDuration,
}

impl AlarmContext<'_> {
    /// A condition with these words that is told at once, once, and until it has not held for two syncs.
    pub(super) fn condition_of(&self, kind: AlarmKind, text: String) -> AlarmCondition {
        AlarmCondition {
            kind,
            subject: String::new(),
            text,
            since: None,
            gist: String::new(),
            cause: None,
            level: 0,
            waits: SignedDuration::ZERO,
            lingers: self.period * LINGERING_SYNCS,
        }
    }

    /// The same for what would be decided now: told at once if the controller decides so or has written it, and if not,
    /// only if it stays like that for a sync.
    pub(super) fn of_decision(
        &self,
        kind: AlarmKind,
        text: String,
        is_written: bool,
    ) -> AlarmCondition {
        let is_decided = self.hpa.is_reconcile() || is_written;
        AlarmCondition {
            waits: if is_decided {
                SignedDuration::ZERO
            } else {
                self.period
            },
            ..self.condition_of(kind, text)
        }
    }

    /// A condition of the HPA's status.
    pub(super) fn condition(&self, condition_type: &str) -> Option<&model::Condition> {
        self.facts.observation.hpa.status.condition(condition_type)
    }

    /// Since when a condition is so, if that is known. One that stayed as it was while the HPA was off at zero replicas is
    /// no older than that.
    pub(super) fn since(&self, condition: &model::Condition) -> Option<Timestamp> {
        match self.hpa.log.disabled_at() {
            Some(off) => Some(condition.last_transition_time?.max(off)),
            None => condition_since(
                self.facts.observation,
                &self.hpa.latest.assessment.context,
                condition,
            ),
        }
    }

    /// Whether an alarm of a kind is on.
    pub(super) fn is_on(&self, kind: AlarmKind) -> bool {
        self.hpa.alarms.iter().any(|alarm| alarm.kind == kind)
    }
}

/// `1 pod`, `4 pods`.
pub(super) fn pods(number: i32) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} pod{plural}")
}

/// The text that comes most often, of equals the first.
pub(super) fn most_frequent<'t>(texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for text in texts {
        match counted.iter_mut().find(|(known, _)| *known == text) {
            Some((_, times)) => *times += 1,
            None => counted.push((text, 1)),
        }
    }
    let most = counted.iter().map(|(_, times)| *times).max()?;
    let mut most_often = counted.iter().filter(|(_, times)| *times == most);
    most_often.next().map(|(text, _)| *text)
}

/// A text without words that have digits in them: names of pods, amounts and counts change from sync to sync.
pub(super) fn without_numbers(text: &str) -> String {
    let has_digit = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !has_digit(word))
        .collect();
    words.join(" ")
}

/// How many syncs an alarm stays on after its condition held last.
const LINGERING_SYNCS: i32 = 2;

/// The conditions of one HPA that hold, or held until a moment ago.
#[derive(Clone, Debug, Default)]
pub(in crate::watch) struct Conditions(Vec<HeldCondition>);

#[derive(Clone, Debug)]
struct HeldCondition {
    condition: AlarmCondition,
    first: Timestamp,
    last: Timestamp,
    /// The gist and the level that were told, if the alarm is on.
    reported: Option<(String, u32)>,
}

/// Looks at what holds for an HPA now, and gives the alarms that go on or off, or have other words.
pub(in crate::watch) fn evaluate(state: &mut State, key: &HpaKey, now: Timestamp) -> Vec<Update> {
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
    // On old data no alarm begins and none ends: what rests on it does not count as holding, and what is on stays on.
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

impl Conditions {
    /// Whether one that holds has a cause.
    pub(super) fn has_cause(&self, key: &str) -> bool {
        let causes = self
            .0
            .iter()
            .filter_map(|held| held.condition.cause.as_ref());
        causes.into_iter().any(|cause| cause.key == key)
    }
}

/// Turns off all alarms of an HPA.
pub(in crate::watch) fn all_off(hpa: &mut HpaState, now: Timestamp) -> Vec<Update> {
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
    // While the controller does not sync, its status is old: that it differs is no disagreement.
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
        let all = &mut self.conditions.0;
        for condition in holding {
            let is_same = |held: &&mut HeldCondition| {
                held.condition.kind == condition.kind && held.condition.subject == condition.subject
            };
            match all.iter_mut().find(is_same) {
                Some(held) => {
                    held.condition = condition;
                    held.last = now;
                }
                None => all.push(HeldCondition {
                    condition,
                    first: now,
                    last: now,
                    reported: None,
                }),
            }
        }
        // What cannot be judged goes on as it is, and must be seen to be over.
        let reported = all.iter_mut().filter(|held| held.reported.is_some());
        for held in reported.filter(|held| unjudged.contains(&held.condition.kind)) {
            held.last = now;
        }
        let mut updates = Vec::new();
        // What was never reported ends without a word, and at once: a condition that comes back begins to wait anew.
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
            let is_due = held.condition.waits <= now.duration_since(held.first);
            let (gist, level) = (&held.condition.gist, held.condition.level);
            let is_news = match &held.reported {
                Some((reported, noted_level)) => reported != gist || *noted_level < level,
                None => is_due,
            };
            if is_news || held.reported.is_some() {
                held.reported = Some((gist.clone(), level));
            }
            if is_news {
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
        // Most entries have the alarms of the one before: they share them, as there may be thousands.
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

impl HeldCondition {
    fn alarm(&self) -> Alarm {
        Alarm {
            kind: self.condition.kind,
            since: self.condition.since.unwrap_or(self.first),
            text: self.condition.text.clone(),
            subject: self.condition.subject.clone(),
            cause: self.condition.cause.clone(),
        }
    }
}

fn off(hpa: &HpaKey, alarm: Alarm, now: Timestamp) -> Update {
    Update::AlarmOff {
        hpas: vec![hpa.clone()],
        lasted: now.duration_since(alarm.since).max(SignedDuration::ZERO),
        alarm,
    }
}
