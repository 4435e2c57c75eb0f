//! Whether the followed data is current, and what to report while it is not.

use std::mem;

use futures::FutureExt as _;
use hpa_engine::model::Source;
use hpa_playback::feed::later;
use hpa_watch::{Event, State};
use jiff::{SignedDuration, Timestamp};

use crate::live::feed::follow::Feed;

impl Feed<'_> {
    /// Handles a source that cannot be read.
    pub(crate) fn fails(&mut self, source: Source, why: String, now: Timestamp) {
        self.is_deaf |= is_of_hpas(&source);
        self.note_blindness(&source);
        let event = Event::Failing {
            fresh_until: self.informers.is_silent(&source).then_some(now),
            source,
            why,
        };
        if self.pulse.is_lost() {
            self.report(event, now);
        } else {
            self.failing.push(event);
            self.pulse.ask();
        }
    }

    /// Handles a source that can be read again.
    pub(crate) fn recovers(&mut self, source: Source, now: Timestamp) {
        self.is_deaf &= !is_of_hpas(&source);
        self.report_failing(now);
        if matches!(source, Source::Watch { .. }) {
            self.caught_up_at = Some(later(now, State::CATCHING_UP));
        }
        self.note_blindness(&source);
        self.report(Event::Recovered { source }, now);
    }

    /// Measures how long answers of the API server take, if they seem to be late.
    pub(crate) fn measure(&mut self, namespace: &str) {
        let period = self.period(namespace);
        let fastest = self.informers.fastest_answer();
        if self.measuring.is_none() && self.lateness.is_suspected(fastest, period) {
            let client = self.client;
            let measuring = async move { (client.answer_time().await, period) };
            self.measuring = Some(measuring.boxed_local());
        }
    }

    /// Handles the passing of time.
    pub(crate) fn tick(&mut self, now: Timestamp) {
        self.ticked = now;
        let periods = self.hpas.values().map(|hpa| hpa.period());
        let period = periods.min().unwrap_or(SignedDuration::MAX);
        if let Some(event) = self.pulse.tick(period) {
            self.pulse_reports(Some(event));
        }
        self.report(Event::InformerInput, self.client.heard_at());
        self.report(Event::Tick, now);
    }

    /// Schedules a read of everything once missed changes are known. Returns whether that is the case now.
    pub(crate) fn catches_up(&mut self, now: Timestamp) -> bool {
        let is_due = self.caught_up_at.take_if(|at| *at <= now).is_some();
        if is_due {
            for (hpa, following) in &mut self.hpas {
                following.note_change(now);
                self.stale.insert(hpa.clone());
            }
        }
        is_due
    }

    /// Handles news of the pulse. Afterwards the state of all failures is known.
    pub(crate) fn pulse_reports(&mut self, news: Option<Event>) {
        let now = self.client.now();
        if let Some(event) = news {
            for (hpa, following) in &mut self.hpas {
                following.note_blindness();
                self.stale.insert(hpa.clone());
            }
            for (namespace, polling) in &mut self.namespaces {
                polling.want();
                self.unread.insert(namespace.clone());
                self.unplanned.insert(namespace.clone());
            }
            self.planned_until.clear();
            self.caught_up_at = Some(later(now, State::CATCHING_UP));
            self.report(event, now);
        }
        self.report_failing(now);
    }

    fn report_failing(&mut self, now: Timestamp) {
        for event in mem::take(&mut self.failing) {
            self.report(event, now);
        }
    }

    /// While something that decides cannot be watched, it is not known what syncs find.
    fn note_blindness(&mut self, source: &Source) {
        if decides(source) {
            for (hpa, following) in &mut self.hpas {
                following.note_blindness();
                self.stale.insert(hpa.clone());
            }
        }
    }
}

/// Whether the controller's decision depends on this source.
fn decides(source: &Source) -> bool {
    matches!(source, Source::Watch { resource } if resource != "events")
}

fn is_of_hpas(source: &Source) -> bool {
    matches!(source, Source::Watch { resource } if resource == "horizontalpodautoscalers")
}
