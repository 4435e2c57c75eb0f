//! When the controller has no recommendation history of an HPA.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::recording::Snapshot;

/// The observed HPAs: when last, and since when the leader of that time had led, if that could be read.
#[derive(Default)]
pub(in crate::commands) struct Starts {
    seen: BTreeMap<String, (Timestamp, Option<Timestamp>)>,
}

impl Starts {
    /// Marks the snapshot if the controller has just started, and records it.
    pub(in crate::commands) fn mark(&mut self, snapshot: &mut Snapshot) {
        snapshot.controller_started = self.is_start(snapshot);
        self.note(snapshot);
    }

    /// Whether the controller has just started: it has no history of an HPA without a status, and none at all after a
    /// change of the leader.
    pub(in crate::commands) fn is_start(&self, snapshot: &Snapshot) -> bool {
        match self.seen.get(&snapshot.metadata.name) {
            None => snapshot.hpa.status.conditions.is_empty(),
            Some((last, leader)) => snapshot
                .leader_since
                .is_some_and(|since| leader.unwrap_or(*last) < since),
        }
    }

    /// Records the HPA and its leader.
    pub(in crate::commands) fn note(&mut self, snapshot: &Snapshot) {
        let (last, leader) = self.seen.entry(snapshot.metadata.name.clone()).or_default();
        *last = snapshot.time;
        *leader = snapshot.leader_since.max(*leader);
    }

    /// Drops a deleted HPA: a new one with the same name is another.
    pub(in crate::commands) fn forget(&mut self, recording: &str) {
        self.seen.remove(recording);
    }
}
