//! Turns conditions into alarms: when an alarm is raised, when it ends, and when its text is reported again.

use std::sync::Arc;

use hpa_analysis::condition_since;
use hpa_engine::model::{self, HpaKey};
use hpa_explain::Facts;
use jiff::{SignedDuration, Timestamp};

use super::{
    Alarm, AlarmKind, blocked, cause::AlarmCause, disagreement, flapping, foreign_writer,
    invalid_metric, not_reconciled, outlier_sample, pods_not_running, target_not_found,
    unmet_demand, unready_pods,
};
use crate::{HpaState, State, Update, next_change::sync_period};

/// The inputs of the checks.
pub(super) struct AlarmContext<'a> {
    /// The whole state.
    pub(super) state: &'a State,
    /// The HPA.
    pub(super) hpa: &'a HpaState,
    /// The trace of the HPA's latest assessment, with its observation.
    pub(super) facts: Facts<'a>,
    /// The current time.
    pub(super) now: Timestamp,
    /// The sync period.
    pub(super) period: SignedDuration,
}

/// A condition of an alarm that holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AlarmCondition {
    /// The alarm.
    pub(super) kind: AlarmKind,
    /// Its subject, such as a metric; distinguishes alarms of one kind.
    pub(super) subject: String,
    /// The alarm's text.
    pub(super) text: String,
    /// Since when it holds, if known from another source.
    pub(super) since: Option<Timestamp>,
    /// The part of the text whose change is reported.
    pub(super) gist: String,
    /// A cause that may affect other HPAs as well.
    pub(super) cause: Option<AlarmCause>,
    /// The severity; an increase is reported, at most once per sync.
    pub(super) level: u32,
    /// How long another gist must hold before it is reported.
    pub(super) settles: SignedDuration,
    /// How long it must hold before the alarm is raised.
    pub(super) waits: SignedDuration,
    /// How long it must not hold before the alarm ends. A single better sync is not a recovery.
    pub(super) lingers: SignedDuration,
}

impl AlarmContext<'_> {
    /// A condition with this text that is reported immediately, once, until it has not held for two syncs.
    pub(super) fn condition_of(&self, kind: AlarmKind, text: String) -> AlarmCondition {
        AlarmCondition {
            kind,
            subject: String::new(),
            text,
            since: None,
            gist: String::new(),
            cause: None,
            level: 0,
            settles: SignedDuration::ZERO,
            waits: SignedDuration::ZERO,
            lingers: self.period * LINGERING_SYNCS,
        }
    }

    /// A condition on the current decision. It is reported immediately if the controller decides so or has written it;
    /// otherwise only if it lasts for one sync.
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

    /// Since when a condition has its status, if known. A condition that did not change while the HPA was off at zero
    /// replicas counts only from then on.
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

    /// Whether an alarm of this kind is on.
    pub(super) fn is_on(&self, kind: AlarmKind) -> bool {
        self.hpa.alarms.iter().any(|alarm| alarm.kind == kind)
    }
}

/// `1 pod`, `4 pods`.
pub(super) fn pods(number: i32) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} pod{plural}")
}

/// The most frequent text; the first of equally frequent ones.
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

/// A text without words that contain digits: names of pods, amounts and counts change from sync to sync.
pub(super) fn without_numbers(text: &str) -> String {
    let has_digit = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !has_digit(word))
        .collect();
    words.join(" ")
}

/// Gists that are remembered, besides the latest.
const MOST_GISTS: usize = 15;

/// How many syncs an alarm stays on after its condition last held.
const LINGERING_SYNCS: i32 = 2;

/// The conditions of one HPA that hold, or held recently.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions(Vec<HeldCondition>);

#[derive(Clone, Debug)]
struct HeldCondition {
    condition: AlarmCondition,
    first: Timestamp,
    last: Timestamp,
    /// Since when the gist is this one.
    gist_since: Timestamp,
    /// What was reported, if the alarm is on.
    reported: Option<Reported>,
}

/// What was reported of an alarm that is on.
#[derive(Clone, Debug)]
struct Reported {
    /// Every gist. One that returns is not news.
    gists: Vec<String>,
    /// The highest level.
    level: u32,
    /// When it was last reported.
    at: Timestamp,
}

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

impl Conditions {
    /// Whether an alarm that holds has this cause.
    pub(super) fn has_cause(&self, key: &str) -> bool {
        let causes = self
            .0
            .iter()
            .filter_map(|held| held.condition.cause.as_ref());
        causes.into_iter().any(|cause| cause.key == key)
    }
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

impl HeldCondition {
    /// Whether there is something to report now. It then counts as reported.
    fn report(&mut self, now: Timestamp, period: SignedDuration) -> bool {
        let AlarmCondition {
            gist,
            level,
            settles,
            waits,
            ..
        } = &self.condition;
        let Some(reported) = &mut self.reported else {
            let is_due = *waits <= now.duration_since(self.first);
            if is_due {
                self.reported = Some(Reported {
                    gists: vec![gist.clone()],
                    level: *level,
                    at: now,
                });
            }
            return is_due;
        };
        let is_other =
            !reported.gists.contains(gist) && *settles <= now.duration_since(self.gist_since);
        let is_higher = reported.level < *level && period <= now.duration_since(reported.at);
        if is_other {
            reported.gists.truncate(MOST_GISTS);
            reported.gists.insert(0, gist.clone());
        }
        if is_other || is_higher {
            reported.level = reported.level.max(*level);
            reported.at = now;
        }
        is_other || is_higher
    }

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
