//! A snapshot of an HPA before its pods and metrics are added.

use hpa_engine::model::Neighbors;
use hpa_objects::recording::{
    Snapshot,
    wire::{Autoscaler, Hpa, KubernetesEvent, NotRead, Surroundings},
};

use crate::{
    client::Client,
    control_plane::ControlPlane,
    hpa_resource::namespace_of,
    target::{self, TargetReads},
    written_hpa::HpaWrites,
};

/// The data known so far.
pub(crate) struct Known<'a> {
    /// Provides the clock.
    pub(crate) client: &'a Client,
    /// Version, leader, flags.
    pub(crate) plane: &'a ControlPlane,
    /// What else could not be read, for any HPA.
    pub(crate) not_read: &'a [NotRead],
    /// The HPA.
    pub(crate) hpa: &'a Hpa,
    /// When it was written.
    pub(crate) writes: Option<&'a HpaWrites>,
    /// The other HPAs with the same target.
    pub(crate) rivals: Neighbors<Autoscaler>,
    /// Its events, oldest first.
    pub(crate) events: Vec<KubernetesEvent>,
    /// Its target; none: its `apiVersion` cannot be parsed.
    pub(crate) target: Option<TargetReads>,
}

impl Known<'_> {
    /// The current snapshot.
    pub(crate) fn snapshot(self) -> Snapshot {
        let Self { plane, hpa, .. } = self;
        let mut snapshot = Snapshot::new(
            format!("{}/{}", namespace_of(hpa), hpa.metadata.name),
            self.client.now(),
            (&plane.controller).into(),
            hpa.clone(),
        );
        snapshot.server_version = plane
            .server
            .as_ref()
            .map(|server| server.git_version.clone());
        snapshot.leader_since = plane.leader_since();
        if let Some(writes) = self.writes {
            snapshot.hpa_edited_by.clone_from(&writes.edited_by);
            snapshot.hpa_status_written = writes.status;
        }
        snapshot.surroundings = (!self.rivals.is_empty()).then(|| Surroundings {
            autoscalers: self.rivals,
            ..Surroundings::default()
        });
        snapshot.not_read.clone_from(&plane.not_read);
        snapshot.not_read.extend_from_slice(self.not_read);
        snapshot.kubernetes_events = self.events;
        match self.target {
            Some(reads) => {
                snapshot.scale = reads.scale;
                snapshot.scale_error = reads.scale_error;
                snapshot.target = reads.target;
                snapshot.not_read.extend(reads.not_read);
            }
            None => snapshot.scale_error = target::group(&hpa.spec.scale_target_ref).err(),
        }
        snapshot
    }
}

/// Notes the clock error in a snapshot, if it is significant.
pub(crate) fn note_skew(client: &Client, snapshot: &mut Snapshot) {
    let skew = client.skew();
    snapshot.clock_skew_seconds = (1 <= skew.as_secs().abs()).then(|| skew.as_secs_f64());
}
