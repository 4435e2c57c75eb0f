//! Combines a snapshot with the samples, or with all objects, of another one.

use hpa_objects::recording::Snapshot;

/// The snapshot `before` a sync with the samples of the one `after` it. They may have changed after the first was
/// taken and before the controller read them.
pub fn with_samples(before: &Snapshot, after: &Snapshot) -> Snapshot {
    Snapshot {
        pod_metrics: after.pod_metrics.clone(),
        custom_metrics: after.custom_metrics.clone(),
        external_metrics: after.external_metrics.clone(),
        ..before.clone()
    }
}

/// The HPA as a sync found it, with everything else as it is after the sync.
pub fn with_objects(before: &Snapshot, after: &Snapshot) -> Snapshot {
    Snapshot {
        hpa: before.hpa.clone(),
        time: before.time,
        controller_started: before.controller_started,
        ..after.clone()
    }
}
