//! When the controller remembers nothing of an HPA.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::recording::Snapshot;

/// The HPAs that were seen, with the time since when the controller's leader was known to lead.
#[derive(Default)]
pub(in crate::commands) struct Starts {
    leaders: BTreeMap<String, Option<Timestamp>>,
}

impl Starts {
    /// Marks the snapshot if the controller has just started: it remembers nothing of an HPA that has no status yet, and nothing at all if
    /// another one leads.
    pub(in crate::commands) fn mark(&mut self, snapshot: &mut Snapshot) {
        let leader = snapshot.leader_since;
        let recording = snapshot.metadata.name.clone();
        snapshot.controller_started = match self.leaders.get(&recording) {
            None => snapshot.hpa.status.conditions.is_empty(),
            Some(before) => before.is_some() && *before < leader,
        };
        let known = self.leaders.entry(recording).or_default();
        *known = leader.max(*known);
    }

    /// Forgets an HPA that is gone: one of the same name is another.
    pub(in crate::commands) fn forget(&mut self, recording: &str) {
        self.leaders.remove(recording);
    }
}
