//! Plans the agenda according to the needs of the HPAs.

use std::mem;

use hpa_engine::model::HpaKey;
use hpa_playback::feed::{AgendaItem, Beat, FollowedHpa, later};
use jiff::{SignedDuration, Timestamp};

use crate::live::feed::follow::{Feed, TICK};

impl Feed<'_> {
    /// When the next item is due.
    pub(crate) fn due(&self) -> Timestamp {
        let tick = later(self.ticked, TICK);
        if self.pulse.is_silent() {
            return tick;
        }
        self.agenda.first().map_or(tick, |(at, _)| tick.min(*at))
    }

    /// Updates the agenda.
    pub(crate) fn reschedule(&mut self, now: Timestamp) {
        for hpa in mem::take(&mut self.stale) {
            let next = self.hpas.get(&hpa).and_then(|hpa| hpa.next());
            self.unplanned.insert(hpa.namespace.clone());
            self.agenda
                .set(AgendaItem::Hpa(hpa), next.map(|(at, _)| at));
        }
        for namespace in mem::take(&mut self.unplanned) {
            let until = self.planned_until.get(&namespace).copied();
            if let Some(until) = until.filter(|until| now < *until) {
                self.agenda.set(AgendaItem::Plan(namespace), Some(until));
                continue;
            }
            let next = self.next_poll(&namespace);
            let number = self.in_namespace(&namespace).count();
            let pause = PLAN_PAUSE * i32::try_from(number).unwrap_or(i32::MAX);
            let until = later(now, pause);
            self.planned_until.insert(namespace.clone(), until);
            self.agenda.set(AgendaItem::Poll(namespace), next);
        }
    }

    pub(crate) fn next_poll(&self, namespace: &str) -> Option<Timestamp> {
        self.in_namespace(namespace).next()?;
        let beats: Vec<Beat> = self
            .in_namespace(namespace)
            .filter_map(|(_, following)| following.beat())
            .collect();
        self.namespaces
            .get(namespace)?
            .next(&beats, self.period(namespace))
    }

    /// The shortest sync period of a namespace's HPAs; they have one controller, but its period is not known equally
    /// well for each.
    pub(crate) fn period(&self, namespace: &str) -> SignedDuration {
        self.in_namespace(namespace)
            .map(|(_, following)| following.period())
            .min()
            .unwrap_or(TICK)
    }

    pub(crate) fn in_namespace(
        &self,
        namespace: &str,
    ) -> impl Iterator<Item = (&HpaKey, &FollowedHpa)> {
        let first = HpaKey {
            namespace: namespace.to_owned(),
            name: String::new(),
        };
        self.hpas
            .range(first..)
            .take_while(move |(hpa, _)| hpa.namespace == namespace)
            .map(|(hpa, following)| (hpa, following.as_ref()))
    }
}

/// The polls of a namespace are planned again after this time for each of its HPAs: with many of them a few sync times
/// matter little, and with few of them planning is cheap.
const PLAN_PAUSE: SignedDuration = SignedDuration::from_micros(100);
