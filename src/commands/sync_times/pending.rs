//! Snapshots that wait for what the controller does next, so that each gets the time of the sync that it precedes.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::Starts;
use crate::recording::{
    Snapshot,
    wire::{Hpa, HpaStatus},
};

/// The latest snapshot of each HPA, not yet written, and the latest status that was seen.
#[derive(Default)]
pub(in crate::commands) struct Pending {
    snapshots: BTreeMap<String, Snapshot>,
    statuses: BTreeMap<String, HpaStatus>,
    starts: Starts,
}

/// The controller wrote a status. The snapshot before that sync, if there is one, is complete now.
pub(in crate::commands) struct Written(pub(in crate::commands) Option<Snapshot>);

impl Pending {
    /// Takes note of a state of an HPA, seen at `at`. `None`: the status is the one that is known, so the controller did not write it.
    pub(in crate::commands) fn change(&mut self, hpa: &Hpa, at: Timestamp) -> Option<Written> {
        let recording = recording_of(hpa);
        let before = self
            .statuses
            .insert(recording.clone(), hpa.status.clone())?;
        if before == hpa.status {
            return None;
        }
        let settled = self.snapshots.remove(&recording).map(|mut snapshot| {
            snapshot.time = sync_time(&snapshot.hpa.status, &hpa.status, at);
            snapshot
        });
        Some(Written(settled))
    }

    /// Takes the next snapshot of an HPA and gives the one before, if that is not written yet. One that no sync has found, because none was
    /// between the two, is dropped: it would count as one more look of the controller.
    pub(in crate::commands) fn push(
        &mut self,
        mut snapshot: Snapshot,
        is_after_a_sync: bool,
    ) -> Option<Snapshot> {
        let recording = snapshot.metadata.name.clone();
        let settled = self
            .change(&snapshot.hpa, snapshot.time)
            .and_then(|Written(settled)| settled);
        self.starts.mark(&mut snapshot);
        let before = self.snapshots.remove(&recording);
        let entry = self.snapshots.entry(recording).or_insert(snapshot);
        if let Some(before) = &before
            && !is_after_a_sync
        {
            entry.controller_started |= before.controller_started;
            return settled;
        }
        settled.or(before)
    }

    /// The snapshots after which nothing was seen any more.
    pub(in crate::commands) fn finish(self) -> impl Iterator<Item = Snapshot> {
        self.snapshots.into_values()
    }
}

fn recording_of(hpa: &Hpa) -> String {
    let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
    format!("{namespace}/{}", hpa.metadata.name)
}

/// When the sync was that wrote `after`, of which we heard at `heard`: a moment before, and in the second that the new times in the status
/// name.
pub(in crate::commands) fn sync_time(
    before: &HpaStatus,
    after: &HpaStatus,
    heard: Timestamp,
) -> Timestamp {
    let time = heard.saturating_sub(WRITE_DELAY).unwrap_or(heard);
    let known: Vec<Timestamp> = times(before).collect();
    let Some(second) = times(after).filter(|time| !known.contains(time)).max() else {
        return time;
    };
    let end = second
        .saturating_add(SignedDuration::from_millis(999))
        .unwrap_or(second);
    time.clamp(second, end)
}

fn times(status: &HpaStatus) -> impl Iterator<Item = Timestamp> {
    status
        .conditions
        .iter()
        .filter_map(|condition| condition.last_transition_time)
        .chain(status.last_scale_time)
}

/// From the controller's look at its clock to our hearing of its write.
const WRITE_DELAY: SignedDuration = SignedDuration::from_millis(10);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::wire::{Condition, Controller};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn hpa(desired: i32, transition: &str) -> Hpa {
        let mut hpa: Hpa = serde_json::from_str(
            r#"{"metadata": {"name": "web", "namespace": "shop"},
                "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 9}}"#,
        )
        .unwrap();
        hpa.status.desired_replicas = desired;
        hpa.status.conditions = vec![Condition {
            last_transition_time: Some(at(transition)),
            ..Condition::default()
        }];
        hpa
    }

    fn snapshot(time: &str, hpa: Hpa) -> Snapshot {
        let controller = Controller {
            version: "1.36".to_owned(),
            ..Controller::default()
        };
        Snapshot::new("shop/web".to_owned(), at(time), controller, hpa)
    }

    #[test]
    fn snapshot_that_no_sync_found_is_dropped() {
        let mut pending = Pending::default();
        let mut fresh = hpa(0, "2026-01-01T09:00:00Z");
        fresh.status = HpaStatus::default();
        pending.push(snapshot("2026-01-01T10:00:00Z", fresh.clone()), true);
        let dropped = pending.push(snapshot("2026-01-01T10:00:05Z", fresh), false);
        assert_eq!(dropped, None);
        let kept: Vec<Snapshot> = pending.finish().collect();
        assert_eq!(kept[0].time, at("2026-01-01T10:00:05Z"));
        assert!(kept[0].controller_started);
    }

    #[test]
    fn snapshot_gets_the_time_of_the_sync_that_follows_it() {
        let mut pending = Pending::default();
        let first = snapshot("2026-01-01T10:00:14.8Z", hpa(2, "2026-01-01T09:00:00Z"));
        assert_eq!(pending.push(first, true), None);
        // The write is heard of after the turn of the second in which the controller stamped it.
        let after = hpa(4, "2026-01-01T10:00:14Z");
        let Written(settled) = pending
            .change(&after, at("2026-01-01T10:00:15.02Z"))
            .unwrap();
        assert_eq!(settled.unwrap().time, at("2026-01-01T10:00:14.999Z"));
        let second = snapshot("2026-01-01T10:00:29.8Z", after);
        assert_eq!(pending.push(second, true), None);
        assert_eq!(pending.finish().count(), 1);
    }

    #[test]
    fn snapshot_after_which_nothing_was_written_keeps_its_time() {
        let mut pending = Pending::default();
        let state = hpa(2, "2026-01-01T09:00:00Z");
        assert_eq!(
            pending.push(snapshot("2026-01-01T10:00:00Z", state.clone()), true),
            None
        );
        assert!(pending.change(&state, at("2026-01-01T10:00:01Z")).is_none());
        let written = pending
            .push(snapshot("2026-01-01T10:00:15Z", state), true)
            .unwrap();
        assert_eq!(written.time, at("2026-01-01T10:00:00Z"));
    }

    #[test]
    fn hpa_without_a_status_and_a_new_leader_are_marked() {
        let mut pending = Pending::default();
        let mut fresh = hpa(0, "2026-01-01T09:00:00Z");
        fresh.status = HpaStatus::default();
        pending.push(snapshot("2026-01-01T10:00:00Z", fresh.clone()), true);
        let first = pending
            .push(snapshot("2026-01-01T10:00:15Z", fresh.clone()), true)
            .unwrap();
        assert!(first.controller_started);
        let mut third = snapshot("2026-01-01T10:00:30Z", fresh.clone());
        third.leader_since = Some(at("2026-01-01T10:00:20Z"));
        let second = pending.push(third, true).unwrap();
        assert!(!second.controller_started);
        let third = pending
            .push(snapshot("2026-01-01T10:00:45Z", fresh), true)
            .unwrap();
        assert!(third.controller_started);
    }
}
