//! What the controller remembers of one HPA between reconciles.

use jiff::Timestamp;

use crate::model::Provenance;

/// What the controller remembers of one HPA. It is lost when kube-controller-manager restarts or another one leads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Recommendations before stabilization, in no order; none before the first reconcile. Upstream: `recommendations`.
    pub recommendations: Option<Vec<Recommendation>>,
    /// Scale-ups, in no order. Upstream: `scaleUpEvents`.
    pub scale_up_events: Vec<ScaleEvent>,
    /// Scale-downs, in no order. Upstream: `scaleDownEvents`.
    pub scale_down_events: Vec<ScaleEvent>,
}

/// What the metrics asked for in one reconcile. Upstream: `timestampedRecommendation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Replicas before stabilization and limits.
    pub replicas: i32,
    /// When it was made.
    pub at: Timestamp,
    /// Whether it was seen being made, or worked out afterwards.
    pub provenance: Provenance,
}

/// One change of the replicas by the controller. Upstream: `timestampedScaleEvent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleEvent {
    /// Replicas added or removed, without a sign.
    pub replica_change: i32,
    /// When.
    pub at: Timestamp,
    /// Older than the longest period of its direction when another event was stored: the slot may be reused.
    pub is_outdated: bool,
    /// Whether it was seen happening, or worked out afterwards.
    pub provenance: Provenance,
}
