//! From conditions to alarms: when one goes on, when off, and when its words are told again.

use jiff::{SignedDuration, Timestamp};

use super::{Alarm, AlarmKind, unmet_demand};
use crate::{
    explain::Facts,
    watch::{HpaKey, HpaState, State, Update, next_change::sync_period},
};

/// What the checks look at.
pub(super) struct Cx<'a> {
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
pub(super) struct Condition {
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
}

/// The conditions of one HPA that hold, or held until a moment ago.
#[derive(Clone, Debug, Default)]
pub(in crate::watch) struct Conditions(Vec<Held>);

#[derive(Clone, Debug)]
struct Held {
    condition: Condition,
    first: Timestamp,
    last: Timestamp,
    /// The gist that was told, if the alarm is on.
    told: Option<String>,
}

/// Looks at what holds for an HPA now, and gives the alarms that go on or off, or have other words.
pub(in crate::watch) fn evaluate(state: &mut State, key: &HpaKey, now: Timestamp) -> Vec<Update> {
    let Some(hpa) = state.hpas.get(key).filter(|hpa| hpa.gone_at.is_none()) else {
        return Vec::new();
    };
    let cx = Cx {
        state,
        hpa,
        facts: Facts::new(&hpa.latest.observation, &hpa.latest.look.trace),
        now,
        period: sync_period(&hpa.latest),
    };
    let (holding, period) = (check(&cx), cx.period);
    match state.hpas.get_mut(key) {
        Some(hpa) => hpa.take_conditions(holding, period, now),
        None => Vec::new(),
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
fn check(cx: &Cx<'_>) -> Vec<Condition> {
    let mut holding = Vec::new();
    holding.extend(unmet_demand::check(cx));
    holding
}

impl HpaState {
    fn take_conditions(
        &mut self,
        holding: Vec<Condition>,
        period: SignedDuration,
        now: Timestamp,
    ) -> Vec<Update> {
        let key = self.latest.hpa.clone();
        let all = &mut self.conditions.0;
        for condition in holding {
            let is_same = |held: &&mut Held| {
                held.condition.kind == condition.kind && held.condition.subject == condition.subject
            };
            match all.iter_mut().find(is_same) {
                Some(held) => {
                    held.condition = condition;
                    held.last = now;
                }
                None => all.push(Held {
                    condition,
                    first: now,
                    last: now,
                    told: None,
                }),
            }
        }
        let mut updates = Vec::new();
        all.retain(|held| {
            let is_over = held.last < now
                && (held.told.is_none()
                    || held.condition.kind.lingers(period) <= now.duration_since(held.last));
            if is_over && held.told.is_some() {
                updates.push(off(&key, held.alarm(), now));
            }
            !is_over
        });
        for held in all.iter_mut() {
            let is_due = held.condition.kind.waits(period) <= now.duration_since(held.first);
            let is_news = held.told.as_ref() != Some(&held.condition.gist);
            if is_news && (is_due || held.told.is_some()) {
                held.told = Some(held.condition.gist.clone());
                updates.push(Update::AlarmOn {
                    hpa: key.clone(),
                    alarm: held.alarm(),
                });
            }
        }
        self.alarms = all
            .iter()
            .filter(|held| held.told.is_some())
            .map(Held::alarm)
            .collect();
        self.alarms.sort_by_key(|alarm| (alarm.kind, alarm.since));
        let mut kinds: Vec<AlarmKind> = self.alarms.iter().map(|alarm| alarm.kind).collect();
        kinds.dedup();
        if let Some(moment) = self.history.last_mut() {
            moment.alarms = kinds;
        }
        updates
    }
}

impl Held {
    fn alarm(&self) -> Alarm {
        Alarm {
            kind: self.condition.kind,
            since: self.condition.since.unwrap_or(self.first),
            text: self.condition.text.clone(),
            subject: self.condition.subject.clone(),
        }
    }
}

fn off(hpa: &HpaKey, alarm: Alarm, now: Timestamp) -> Update {
    Update::AlarmOff {
        hpa: hpa.clone(),
        lasted: now.duration_since(alarm.since).max(SignedDuration::ZERO),
        alarm,
    }
}

impl AlarmKind {
    /// How long a condition must hold before its alarm goes on.
    fn waits(self, _period: SignedDuration) -> SignedDuration {
        SignedDuration::ZERO
    }

    /// How long a condition must not hold before its alarm goes off. One sync that looks better is no recovery.
    fn lingers(self, period: SignedDuration) -> SignedDuration {
        period * 2
    }
}
