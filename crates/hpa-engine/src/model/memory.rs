//! What the controller remembers of one HPA between syncs.

use jiff::Timestamp;

use crate::model::Provenance;

/// What the controller remembers of one HPA. It is lost when kube-controller-manager restarts or the leader changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Recommendations before stabilization, unordered. None before the first sync. Upstream: `recommendations`.
    pub recommendations: Option<Vec<Recommendation>>,
    /// Scale-ups, unordered. Upstream: `scaleUpEvents`.
    pub scale_up_events: Vec<ScaleEvent>,
    /// Scale-downs, unordered. Upstream: `scaleDownEvents`.
    pub scale_down_events: Vec<ScaleEvent>,
}

/// What the metrics asked for in one sync. Upstream: `timestampedRecommendation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Replicas before stabilization and rate limits.
    pub replicas: i32,
    /// When it was made.
    pub at: Timestamp,
    /// Whether the sync was observed or the value was inferred later.
    pub provenance: Provenance,
}

/// One change of the replicas by the controller. Upstream: `timestampedScaleEvent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleEvent {
    /// Replicas added or removed, unsigned.
    pub replica_change: i32,
    /// When.
    pub at: Timestamp,
    /// Was older than the longest period of its direction when another event was stored: the slot may be reused.
    pub is_outdated: bool,
    /// Whether the change was observed or inferred later.
    pub provenance: Provenance,
}
