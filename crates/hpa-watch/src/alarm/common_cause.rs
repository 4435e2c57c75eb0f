//! Groups alarms with a common cause: six HPAs whose metrics API answers 503 are one alarm.

use std::mem;

use hpa_engine::{engine::after, model::HpaKey};
use jiff::{SignedDuration, Timestamp};

use super::{Alarm, AlarmGroup};
use crate::{State, Update, next_change::sync_period};

impl State {
    /// Replaces alarms of single HPAs with a common cause by one alarm of that cause. It is raised soon after the
    /// first of them, and ends when the last of them ends.
    pub(crate) fn by_cause(&mut self, updates: Vec<Update>, now: Timestamp) -> Vec<Update> {
        let mut reported = Vec::new();
        for update in updates {
            match update {
                Update::AlarmOn { hpas, alarm } if alarm.cause.is_some() => {
                    self.join(hpas, alarm, now);
                }
                Update::AlarmOff { alarm, .. } if alarm.cause.is_some() => {}
                other => reported.push(other),
            }
        }
        reported.extend(self.end_causes(now));
        reported.extend(self.report_causes(now));
        reported
    }

    /// Adds HPAs to the alarm of their cause.
    fn join(&mut self, hpas: Vec<HpaKey>, alarm: Alarm, now: Timestamp) {
        let Some(cause) = alarm.cause.clone() else {
            return;
        };
        let mut groups = self.groups.iter_mut();
        match groups.find(|group| group.cause.key == cause.key) {
            Some(group) => group.hpas.extend(hpas),
            None => self.groups.push(AlarmGroup {
                cause,
                alarm,
                due: after(now, self.gathering(&hpas)),
                hpas: hpas.into_iter().collect(),
                is_reported: false,
            }),
        }
    }

    /// How long the alarm of a cause waits for more HPAs of the namespace, which sync at other times.
    fn gathering(&self, hpas: &[HpaKey]) -> SignedDuration {
        let Some(first) = hpas.first() else {
            return SignedDuration::ZERO;
        };
        let others = self.hpas.iter().filter(|(key, hpa)| {
            key.namespace == first.namespace && *key != first && hpa.deleted_at.is_none()
        });
        let periods = others.map(|(_, hpa)| sync_period(&hpa.latest));
        periods.max().unwrap_or_default().min(MOST_GATHERING)
    }

    /// Reports the causes that are due, each with all HPAs that it affects.
    fn report_causes(&mut self, now: Timestamp) -> Vec<Update> {
        let mut updates = Vec::new();
        for group in &mut self.groups {
            if group.is_reported || now < group.due {
                continue;
            }
            group.is_reported = true;
            let stopped = self.hpas.iter().filter(|(_, hpa)| {
                hpa.deleted_at.is_none() && hpa.conditions.has_cause(&group.cause.key)
            });
            group.hpas.extend(stopped.map(|(key, _)| key.clone()));
            let (hpas, alarm) = group.reported();
            updates.push(Update::AlarmOn { hpas, alarm });
        }
        updates
    }

    fn end_causes(&mut self, now: Timestamp) -> Vec<Update> {
        let hpas = &self.hpas;
        let is_on = |group: &AlarmGroup| {
            let mut alarms = hpas.values().flat_map(|hpa| &hpa.alarms);
            alarms.any(|alarm| alarm.cause.as_ref().map(|one| &one.key) == Some(&group.cause.key))
        };
        let (on, over): (Vec<_>, Vec<_>) = mem::take(&mut self.groups).into_iter().partition(is_on);
        self.groups = on;
        let ended = over.iter().filter(|group| group.is_reported).map(|group| {
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

/// However long the sync period is, an alarm waits no longer than this.
const MOST_GATHERING: SignedDuration = SignedDuration::from_secs(5);
