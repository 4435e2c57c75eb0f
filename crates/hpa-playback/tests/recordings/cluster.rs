//! What a cluster shows of a recorded controller besides its HPA: Events, and since when the leader leads.

use std::collections::{BTreeMap, BTreeSet};

use hpa_objects::recording::{
    Snapshot,
    wire::{Event, KubernetesEvent},
};
use jiff::{SignedDuration, Timestamp};

/// A cluster with a recorded HPA. What only the controller knows is not in the snapshots that it gives.
#[derive(Debug, Default)]
pub(crate) struct Cluster {
    leader_since: Option<Timestamp>,
    recorder: Recorder,
    events: Vec<KubernetesEvent>,
}

impl Cluster {
    /// What a sync finds, as everybody can read it.
    pub(crate) fn before(&mut self, recorded: &Snapshot) -> Snapshot {
        if recorded.controller_started {
            self.leader_since = Some(recorded.time - SignedDuration::from_secs(1));
            self.recorder = Recorder::default();
        }
        Snapshot {
            outcome: None,
            controller_started: false,
            scale_write_error: None,
            status_write_error: None,
            leader_since: self.leader_since,
            kubernetes_events: self.events.clone(),
            ..recorded.clone()
        }
    }

    /// The same as soon as the sync is over.
    pub(crate) fn after(&mut self, recorded: &Snapshot) -> Snapshot {
        let outcome = recorded.outcome.clone().unwrap_or_default();
        for event in &outcome.events {
            self.recorder.record(event, recorded.time, &mut self.events);
        }
        let mut after = self.before(&Snapshot {
            controller_started: false,
            ..recorded.clone()
        });
        if recorded.status_write_error.is_none() && after.hpa.status != outcome.status {
            after.hpa.status = outcome.status;
            if after.hpa_status_written.is_some() {
                after.hpa_status_written = Some(recorded.time);
            }
        }
        if let (Some(scale), Some(to), None) = (
            &mut after.scale,
            outcome.scale_to,
            &recorded.scale_write_error,
        ) {
            scale.spec.replicas = to;
        }
        after.time = recorded.time + SignedDuration::from_millis(30);
        after
    }
}

/// What the recorder of Events (`EventCorrelator` of client-go) makes of them.
#[derive(Debug, Default)]
struct Recorder {
    /// For each reason the messages so far, and when the last one came.
    similar: BTreeMap<String, (BTreeSet<String>, Timestamp)>,
    /// The place of each Event that may be counted again.
    places: BTreeMap<(String, String), usize>,
    /// How many were sent, and since when.
    sent: (i64, Option<Timestamp>),
}

impl Recorder {
    fn record(&mut self, event: &Event, at: Timestamp, events: &mut Vec<KubernetesEvent>) {
        let (messages, last) = self
            .similar
            .entry(event.reason.clone())
            .or_insert((BTreeSet::new(), at));
        if SIMILAR < at.duration_since(*last) {
            messages.clear();
        }
        *last = at;
        messages.insert(event.message.clone());
        let is_combined = MOST_SIMILAR <= messages.len();
        let (key, message) = if is_combined {
            let combined = format!("(combined from similar events): {}", event.message);
            (String::new(), combined)
        } else {
            (event.message.clone(), event.message.clone())
        };
        let since = *self.sent.1.get_or_insert(at);
        let refilled = at.duration_since(since).as_secs() / REFILL;
        if BURST + refilled <= self.sent.0 {
            return;
        }
        self.sent.0 += 1;
        let place = self.places.entry((event.reason.clone(), key));
        let place = *place.or_insert_with(|| {
            events.push(KubernetesEvent {
                event_type: event.event_type.clone(),
                reason: event.reason.clone(),
                first_timestamp: Some(at),
                ..KubernetesEvent::default()
            });
            events.len() - 1
        });
        let kept = &mut events[place];
        kept.message = message;
        kept.count = Some(kept.count.unwrap_or(0) + 1);
        kept.last_timestamp = Some(at);
    }
}

/// After so long Events are no longer similar.
const SIMILAR: SignedDuration = SignedDuration::from_mins(10);

/// From so many on similar Events are combined.
const MOST_SIMILAR: usize = 10;

/// So many are sent in a row.
const BURST: i64 = 25;

/// After so many seconds one more.
const REFILL: i64 = 300;
