//! A snapshot of an HPA before its pods and metrics are added.

use hpa_engine::model::{HpaKey, SnapshotField};
use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, Surroundings},
};

use super::{cluster_state::ClusterState, unread::EVENTS};
use crate::{client::Client, target, written_hpa::WrittenHpa};

impl ClusterState {
    /// The HPA, its target and its rivals. `None` if it is not known.
    pub(crate) fn known(&self, client: &Client, key: &HpaKey) -> Option<Snapshot> {
        let WrittenHpa { hpa, writes, .. } = self.hpas.get(key)?;
        let plane = &self.plane;
        let mut snapshot = Snapshot::new(
            format!("{}/{}", key.namespace, key.name),
            client.now(),
            (&plane.controller).into(),
            Hpa::clone(hpa),
        );
        snapshot.server_version = plane
            .server
            .as_ref()
            .map(|server| server.git_version.clone());
        snapshot.leader_since = plane.leader_since();
        snapshot.hpa_edited_by.clone_from(&writes.edited_by);
        snapshot.hpa_status_written = writes.status;
        snapshot.not_read.clone_from(&plane.not_read);
        let events = self.unread.of(EVENTS, SnapshotField::Events);
        snapshot.not_read.extend(events);
        snapshot.not_read.extend(self.unlisted.clone());
        snapshot.kubernetes_events = self.events(key);
        let Some(target) = target::key(hpa) else {
            // Its `apiVersion` cannot be parsed.
            snapshot.scale_error = target::group(&hpa.spec.scale_target_ref).err();
            return Some(snapshot);
        };
        let rivals = self.hpas.rivals(key, &target);
        snapshot.surroundings = (!rivals.is_empty()).then(|| Surroundings {
            autoscalers: rivals,
            ..Surroundings::default()
        });
        let reads = self.targets.reads(&target, &self.unread);
        snapshot.scale = reads.scale;
        snapshot.scale_error = reads.scale_error;
        snapshot.target = reads.target;
        snapshot.not_read.extend(reads.not_read);
        Some(snapshot)
    }
}

/// Notes the clock error in a snapshot, if it is significant.
pub(crate) fn note_skew(client: &Client, snapshot: &mut Snapshot) {
    let skew = client.skew();
    snapshot.clock_skew_seconds = (1 <= skew.as_secs().abs()).then(|| skew.as_secs_f64());
}
