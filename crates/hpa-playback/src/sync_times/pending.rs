//! Snapshots that wait for the controller's next write, so that each gets the time of the sync that it precedes.

use std::collections::BTreeMap;

use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, HpaStatus},
};
use jiff::{SignedDuration, Timestamp};

use super::Starts;

/// The latest unwritten snapshot of each HPA, and the last observed state of the HPA.
#[derive(Default)]
pub struct PendingSnapshots {
    snapshots: BTreeMap<String, Snapshot>,
    /// The latest snapshots, written or not, of HPAs that the controller syncs as soon as they are edited.
    latest: BTreeMap<String, Snapshot>,
    hpas: BTreeMap<String, Hpa>,
    starts: Starts,
}

/// The meaning of a new state of an HPA.
#[derive(Debug, PartialEq)]
pub enum HpaUpdate {
    /// The controller wrote a status.
    Written {
        /// The snapshot before that sync, if there is one: it is complete now.
        settled: Option<Box<Snapshot>>,
        /// Whether an edit of the spec caused the sync, so that the next one comes when it was due anyway.
        is_out_of_turn: bool,
    },
    /// The spec was edited, and the controller syncs that immediately: the state that this sync finds. Pods and
    /// metrics come from the latest snapshot, so it is marked as torn.
    Edited(Box<Snapshot>),
}

impl PendingSnapshots {
    /// Records a state of an HPA, observed at `at`.
    pub fn change(&mut self, hpa: &Hpa, at: Timestamp) -> Option<HpaUpdate> {
        let recording = recording_of(hpa);
        let before = self.hpas.insert(recording.clone(), hpa.clone())?;
        if before.status == hpa.status {
            return self.edit(&recording, &before, hpa, at);
        }
        let settled = self.snapshots.remove(&recording).map(|mut snapshot| {
            snapshot.time = sync_time(&snapshot.hpa.status, &hpa.status, at);
            Box::new(snapshot)
        });
        Some(HpaUpdate::Written {
            settled,
            is_out_of_turn: is_out_of_turn(&before.status, &hpa.status),
        })
    }

    /// The state that an immediate sync after an edit finds; `None` if the HPA was not edited, or the controller waits
    /// for its regular sync.
    fn edit(&self, recording: &str, before: &Hpa, hpa: &Hpa, at: Timestamp) -> Option<HpaUpdate> {
        if before.metadata.generation == hpa.metadata.generation {
            return None;
        }
        let latest = self.latest.get(recording)?;
        if !is_synced_at_once(hpa, latest) {
            return None;
        }
        // Nothing is read for an edit: its sync is over before an answer could be here.
        let (mut edited, missing) = latest.with_spec(hpa.spec.clone());
        edited.note_missing(&missing, "the HPA was edited after everything was read");
        edited.hpa = hpa.clone();
        edited.time = at;
        edited.torn = true;
        Some(HpaUpdate::Edited(Box::new(edited)))
    }

    /// Takes the next snapshot of an HPA and returns the previous one, if it is not written yet. A snapshot that no
    /// sync has found is dropped: it would count as an additional sync.
    pub fn push(&mut self, mut snapshot: Snapshot, is_after_a_sync: bool) -> Option<Snapshot> {
        let recording = snapshot.metadata.name.clone();
        let settled = match self.change(&snapshot.hpa, snapshot.time) {
            Some(HpaUpdate::Written { settled, .. }) => settled.map(|settled| *settled),
            Some(HpaUpdate::Edited(_)) | None => None,
        };
        self.starts.mark(&mut snapshot);
        if is_synced_at_once(&snapshot.hpa, &snapshot) {
            self.latest.insert(recording.clone(), snapshot.clone());
        }
        let before = self.snapshots.remove(&recording);
        let entry = self.snapshots.entry(recording).or_insert(snapshot);
        // The controller may have started before the dropped one; the next sync is still its first.
        if let Some(before) = &before
            && !is_after_a_sync
        {
            entry.controller_started |= before.controller_started;
            return settled;
        }
        settled.or(before)
    }

    /// The snapshots after which no write was observed.
    pub fn finish(self) -> impl Iterator<Item = Snapshot> {
        self.snapshots.into_values()
    }
}

/// Whether the controller in a snapshot syncs an HPA as soon as it is edited.
fn is_synced_at_once(hpa: &Hpa, snapshot: &Snapshot) -> bool {
    let (hpa, controller) = (hpa.to_model(), snapshot.controller.to_model());
    hpa.is_ok_and(|hpa| controller.is_ok_and(|controller| hpa.is_synced_at_once(&controller)))
}

fn recording_of(hpa: &Hpa) -> String {
    let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
    format!("{namespace}/{}", hpa.metadata.name)
}

/// The time of the sync that wrote `after`, which was observed at `heard`: slightly earlier, and in the second of the
/// new times in the status.
pub fn sync_time(before: &HpaStatus, after: &HpaStatus, heard: Timestamp) -> Timestamp {
    let time = heard.saturating_sub(WRITE_DELAY).unwrap_or(heard);
    // Times of a status have whole seconds. One that was there before is of an earlier sync, even if it is newer than another.
    let known: Vec<Timestamp> = times(before).collect();
    let Some(second) = times(after).filter(|time| !known.contains(time)).max() else {
        return time;
    };
    let end = second
        .saturating_add(SignedDuration::from_millis(999))
        .unwrap_or(second);
    time.clamp(second, end)
}

/// Whether an edit of the spec caused the sync that wrote `after`: the next regular sync comes when it was due anyway.
pub fn is_out_of_turn(before: &HpaStatus, after: &HpaStatus) -> bool {
    before.observed_generation.is_some() && before.observed_generation < after.observed_generation
}

fn times(status: &HpaStatus) -> impl Iterator<Item = Timestamp> {
    status
        .conditions
        .iter()
        .filter_map(|condition| condition.last_transition_time)
        .chain(status.last_scale_time)
}

/// From the controller's reading of its clock to our observation of its write.
const WRITE_DELAY: SignedDuration = SignedDuration::from_millis(10);

#[cfg(test)]
mod tests {
    use hpa_objects::recording::wire::{Condition, Controller};

    use super::*;

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
        let mut pending = PendingSnapshots::default();
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
        let mut pending = PendingSnapshots::default();
        let first = snapshot("2026-01-01T10:00:14.8Z", hpa(2, "2026-01-01T09:00:00Z"));
        assert_eq!(pending.push(first, true), None);
        // The write is observed after the second in which the controller stamped it.
        let after = hpa(4, "2026-01-01T10:00:14Z");
        let Some(HpaUpdate::Written { settled, .. }) =
            pending.change(&after, at("2026-01-01T10:00:15.02Z"))
        else {
            panic!("the status is another one");
        };
        assert_eq!(settled.unwrap().time, at("2026-01-01T10:00:14.999Z"));
        let second = snapshot("2026-01-01T10:00:29.8Z", after);
        assert_eq!(pending.push(second, true), None);
        assert_eq!(pending.finish().count(), 1);
    }

    #[test]
    fn an_edit_that_is_synced_at_once_is_a_sync_of_its_own() {
        let of_generation = |generation, observed| {
            let mut hpa = hpa(2, "2026-01-01T09:00:00Z");
            hpa.metadata.generation = Some(generation);
            hpa.status.observed_generation = Some(observed);
            hpa
        };
        let mut pending = PendingSnapshots::default();
        pending.push(
            snapshot("2026-01-01T10:00:14.8Z", of_generation(1, 1)),
            true,
        );
        let mut edited = of_generation(2, 1);
        edited.spec.max_replicas = 20;
        let Some(HpaUpdate::Edited(found)) = pending.change(&edited, at("2026-01-01T10:00:20Z"))
        else {
            panic!("it was edited");
        };
        assert_eq!((&found.hpa, found.torn), (&edited, true));
        let before = pending.push(*found, true).unwrap();
        assert_eq!(
            before.time,
            at("2026-01-01T10:00:14.8Z"),
            "the sync before wrote nothing"
        );
        let mut synced = edited.clone();
        synced.status.observed_generation = Some(2);
        let change = pending.change(&synced, at("2026-01-01T10:00:20.1Z"));
        let Some(HpaUpdate::Written {
            settled: Some(settled),
            is_out_of_turn: true,
        }) = change
        else {
            panic!("the edit was synced: {change:?}");
        };
        assert_eq!(settled.hpa, edited);
        assert_eq!(settled.time, at("2026-01-01T10:00:20.09Z"));
    }

    #[test]
    fn snapshot_after_which_nothing_was_written_keeps_its_time() {
        let mut pending = PendingSnapshots::default();
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
        let mut pending = PendingSnapshots::default();
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
