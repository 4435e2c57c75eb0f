//! Whether another writer has set the replicas since the HPA last did.

use hpa_engine::model::{Context, FieldManager, Observation};
use jiff::{SignedDuration, Timestamp};

use super::replica_history::ReplicaHistory;

/// A write of `spec.replicas` by another writer than the HPA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignWrite {
    /// Who wrote.
    pub by: FieldManager,
    /// Latest possible time: the writer may have written other fields since. None: API servers keep no time for writes
    /// of the scale.
    pub at: Option<Timestamp>,
    /// The replicas that were set.
    pub replicas: i32,
    /// The replicas that the HPA had set, or decided on if it never scaled, if known.
    pub hpa_set: Option<i32>,
    /// When the HPA had scaled. None: it never has, and only decided to keep what there was.
    pub hpa_scaled: Option<Timestamp>,
    /// Whether a sync since then kept that number.
    pub is_accepted: bool,
}

impl ForeignWrite {
    /// The latest time that is known for it. None: it is not older than the HPA's last sync.
    pub fn latest(&self) -> Option<Timestamp> {
        self.at.or(self.hpa_scaled)
    }
}

/// The replicas of the HPA's last decision; none: it has made none yet, or not under these bounds.
pub(super) fn last_decided(observation: &Observation) -> Option<i32> {
    let status = &observation.hpa.status;
    // desiredReplicas is 0 until the first decision; that is not a recommendation, even with minReplicas 0.
    let has_decided = observation.hpa.spec.min_replicas() <= status.desired_replicas
        && (status.desired_replicas != 0 || status.last_scale_time.is_some());
    has_decided.then_some(status.desired_replicas)
}

/// Finds who set the replicas, if another writer did after the HPA had scaled, or decided for the first time.
///
/// `managedFields` names the last writer that changed a field, and writers that set the same value since. So the HPA's
/// entry disappears exactly when another writer changes the number.
pub fn foreign_write(
    observation: &Observation,
    context: &Context,
    history: &ReplicaHistory,
) -> Option<ForeignWrite> {
    let target = context.target.as_ref()?;
    let status = &observation.hpa.status;
    let hpa_scaled = status.last_scale_time;
    let replicas = observation.scale.read()?.spec_replicas;
    let is_undecided = || last_decided(observation).is_none_or(|decided| decided == replicas);
    if hpa_scaled.is_none() && is_undecided() {
        return None;
    }
    // A target that was created again has the replicas that its manifest says.
    let synced = hpa_scaled.or_else(|| {
        let able = status.condition("AbleToScale")?;
        able.last_transition_time
    });
    let is_new = target
        .created
        .zip(synced)
        .is_some_and(|(created, synced)| synced < created);
    if is_new || target.replicas_written_by.iter().any(is_hpa) {
        return None;
    }
    let by = target.replicas_written_by.first()?.clone();
    let is_before = by
        .time
        .is_some_and(|at| hpa_scaled.is_some_and(|scaled| at < scaled));
    let reported = history
        .rescales
        .last()
        .filter(|rescale| hpa_scaled.is_some_and(|at| rescale.at.duration_since(at).abs() <= CUT))
        .map(|rescale| rescale.size);
    let desired = Some(status.desired_replicas).filter(|desired| *desired != replicas);
    let hpa_set = reported.or(desired);
    // A controller may write the scale under an unknown name.
    let is_likely_hpa = is_scale(&by)
        && !by.manager.starts_with("kubectl")
        && hpa_set.is_none_or(|set| set == replicas);
    if is_before || is_likely_hpa {
        return None;
    }
    Some(ForeignWrite {
        at: by.time,
        by,
        replicas,
        hpa_set,
        hpa_scaled,
        is_accepted: status.desired_replicas == replicas,
    })
}

/// Whether a writer is the HPA controller, which writes the scale.
pub fn is_hpa(manager: &FieldManager) -> bool {
    is_scale(manager)
        && (manager.manager.ends_with("kube-controller-manager")
            || manager.manager.contains("horizontal-pod-autoscaler")
            || manager.manager == "hpa-controller")
}

fn is_scale(manager: &FieldManager) -> bool {
    manager.subresource.as_deref() == Some("scale")
}

/// Times of status and Events are truncated to seconds separately.
const CUT: SignedDuration = SignedDuration::from_secs(1);
