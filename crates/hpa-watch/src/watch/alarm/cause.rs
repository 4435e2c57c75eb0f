//! Alarms with one cause are one alarm: six HPAs whose metrics API answers 503 are one piece of news.

use std::{collections::BTreeSet, mem};

use jiff::{SignedDuration, Timestamp};

use super::Alarm;
use crate::{
    explain::amount::count,
    model::HpaKey,
    watch::{State, Update},
};

/// What may stop several HPAs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlarmCause {
    /// What makes two causes the same one.
    pub(super) key: String,
    /// The cause in words: `metrics.k8s.io of shop answers 503`.
    pub(super) text: String,
}

impl AlarmCause {
    /// What makes two causes the same one.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The cause in words: `metrics.k8s.io of shop answers 503`.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The alarm of a cause that was reported, for all HPAs that it stops.
#[derive(Clone, Debug)]
pub(in crate::watch) struct AlarmGroup {
    cause: AlarmCause,
    alarm: Alarm,
    /// All HPAs that it stopped so far.
    hpas: BTreeSet<HpaKey>,
}

impl AlarmGroup {
    /// `metrics.k8s.io of shop answers 503: 6 HPAs`, or the words of the one HPA that it stops.
    fn text(&self) -> String {
        match self.hpas.len() {
            1 => self.alarm.text.clone(),
            all => format!("{}: {}", self.cause.text, count(all, "HPA")),
        }
    }

    fn reported(&self) -> (Vec<HpaKey>, Alarm) {
        let alarm = Alarm {
            text: self.text(),
            ..self.alarm.clone()
        };
        (self.hpas.iter().cloned().collect(), alarm)
    }
}

impl State {
    /// Replaces the alarms of single HPAs that have a common cause by one alarm of that cause: it goes on with the first
    /// of them, and off once the last of them is off.
    pub(in crate::watch) fn by_cause(
        &mut self,
        updates: Vec<Update>,
        now: Timestamp,
    ) -> Vec<Update> {
        let mut reported = Vec::new();
        for update in updates {
            match update {
                Update::AlarmOn { hpas, alarm } if alarm.cause.is_some() => {
                    reported.extend(self.join(hpas, alarm));
                }
                Update::AlarmOff { alarm, .. } if alarm.cause.is_some() => {}
                other => reported.push(other),
            }
        }
        reported.extend(self.end_causes(now));
        reported
    }

    /// Adds HPAs to the alarm of their cause. The first of them takes in all that the cause is about to stop.
    fn join(&mut self, hpas: Vec<HpaKey>, alarm: Alarm) -> Option<Update> {
        let cause = alarm.cause.clone()?;
        if let Some(group) = self
            .groups
            .iter_mut()
            .find(|one| one.cause.key == cause.key)
        {
            group.hpas.extend(hpas);
            return None;
        }
        let stopped = self
            .hpas
            .iter()
            .filter(|(_, hpa)| hpa.deleted_at.is_none() && hpa.conditions.has_cause(&cause.key));
        let hpas = stopped.map(|(key, _)| key.clone()).chain(hpas).collect();
        let group = AlarmGroup { cause, alarm, hpas };
        let (hpas, alarm) = group.reported();
        self.groups.push(group);
        Some(Update::AlarmOn { hpas, alarm })
    }

    fn end_causes(&mut self, now: Timestamp) -> Vec<Update> {
        let hpas = &self.hpas;
        let is_on = |group: &AlarmGroup| {
            let mut alarms = hpas.values().flat_map(|hpa| &hpa.alarms);
            alarms.any(|alarm| alarm.cause.as_ref().map(|one| &one.key) == Some(&group.cause.key))
        };
        let (on, over): (Vec<_>, Vec<_>) = mem::take(&mut self.groups).into_iter().partition(is_on);
        self.groups = on;
        let ended = over.iter().map(|group| {
            let (hpas, alarm) = group.reported();
            Update::AlarmOff {
                hpas,
                lasted: now.duration_since(alarm.since).max(SignedDuration::ZERO),
                alarm,
            }
        });
        ended.collect()
    }
}
