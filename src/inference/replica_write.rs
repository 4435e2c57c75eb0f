//! Whether the replicas were set by somebody else than the HPA since it set them last.

use jiff::{SignedDuration, Timestamp};

use super::replica_history::ReplicaHistory;
use crate::model::{Context, FieldManager, Observation};

/// A write of `spec.replicas` that was not the HPA's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignWrite {
    /// Who wrote.
    pub by: FieldManager,
    /// When; the latest possible time if the writer may have written other fields since.
    pub at: Timestamp,
    /// Whether the time is that of this very write, to the second.
    pub is_exact: bool,
    /// The replicas that were set.
    pub replicas: i32,
    /// The replicas that the HPA had set, if they are known.
    pub hpa_set: Option<i32>,
    /// When the HPA had scaled.
    pub hpa_scaled: Timestamp,
    /// Whether the controller has looked since and was content with that number.
    pub is_accepted: bool,
}

/// Finds who set the replicas, if that was not the HPA although the HPA had scaled before.
///
/// `managedFields` name as owner of a field whoever changed it last, and whoever set the same value since. So the HPA's
/// own write is gone from them exactly if somebody else changed the number afterwards.
pub fn foreign_write(
    observation: &Observation,
    context: &Context,
    history: &ReplicaHistory,
) -> Option<ForeignWrite> {
    let target = context.target.as_ref()?;
    let status = &observation.hpa.status;
    let hpa_scaled = status.last_scale_time?;
    let replicas = observation.scale.read()?.spec_replicas;
    if target.created.is_some_and(|created| hpa_scaled < created) {
        return None;
    }
    if target
        .replicas_written_by
        .iter()
        .any(|manager| is_hpa(manager, hpa_scaled))
    {
        return None;
    }
    let by = target.replicas_written_by.first()?.clone();
    let at = by.time.filter(|at| hpa_scaled <= *at)?;
    let told = history
        .rescales
        .last()
        .filter(|rescale| rescale.at.duration_since(hpa_scaled).abs() <= CUT)
        .map(|rescale| rescale.size);
    let wanted = Some(status.desired_replicas).filter(|wanted| *wanted != replicas);
    Some(ForeignWrite {
        is_exact: by.subresource.as_deref() == Some("scale"),
        by,
        at,
        replicas,
        hpa_set: told.or(wanted),
        hpa_scaled,
        is_accepted: status.desired_replicas == replicas,
    })
}

/// Whether a writer is the HPA controller. It writes the scale, and on most servers under its own name.
pub fn is_hpa(manager: &FieldManager, hpa_scaled: Timestamp) -> bool {
    manager.subresource.as_deref() == Some("scale")
        && (manager.manager.ends_with("kube-controller-manager")
            || manager.manager.contains("horizontal-pod-autoscaler")
            || manager.manager == "hpa-controller"
            || (!manager.manager.starts_with("kubectl")
                && manager
                    .time
                    .is_some_and(|time| time.duration_since(hpa_scaled).abs() <= CUT)))
}

/// Times of `managedFields`, status and Events are cut to the second, each on its own.
const CUT: SignedDuration = SignedDuration::from_secs(1);
