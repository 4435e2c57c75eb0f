//! When the controller has no recommendation history of an HPA.

use std::collections::BTreeMap;

use hpa_objects::recording::Snapshot;
use jiff::Timestamp;

/// The observed HPAs: when last, and since when the leader of that time had led, if that could be read.
#[derive(Default)]
pub struct Starts {
    seen: BTreeMap<String, SeenOnce>,
}

/// An observed HPA.
#[derive(Default)]
struct SeenOnce {
    last: Timestamp,
    leader_since: Option<Timestamp>,
    created: Option<Timestamp>,
}

impl Starts {
    /// Marks the snapshot if the controller has just started, and records it.
    pub fn mark(&mut self, snapshot: &mut Snapshot) {
        snapshot.controller_started = self.is_start(snapshot);
        self.note(snapshot);
    }

    /// Whether the controller has just started: it has no history of an HPA without a status, and none at all after a
    /// change of the leader.
    pub fn is_start(&self, snapshot: &Snapshot) -> bool {
        let created = snapshot.hpa.metadata.creation_timestamp;
        let known = self.seen.get(&snapshot.metadata.name);
        // A new HPA with the name of a deleted one is another.
        match known.filter(|known| known.created.is_none_or(|own| Some(own) >= created)) {
            None => snapshot.hpa.status.conditions.is_empty(),
            Some(known) => snapshot
                .leader_since
                .is_some_and(|since| known.leader_since.unwrap_or(known.last) < since),
        }
    }

    /// Records the HPA and its leader.
    pub fn note(&mut self, snapshot: &Snapshot) {
        let known = self.seen.entry(snapshot.metadata.name.clone()).or_default();
        known.last = snapshot.time;
        known.leader_since = snapshot.leader_since.max(known.leader_since);
        known.created = snapshot.hpa.metadata.creation_timestamp;
    }

    /// Drops a deleted HPA: a new one with the same name is another.
    pub fn forget(&mut self, recording: &str) {
        self.seen.remove(recording);
    }
}
