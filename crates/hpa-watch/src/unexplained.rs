//! A change of the replicas whose writer is not known yet.

use hpa_engine::model::HpaStatus;
use jiff::Timestamp;

/// A change of the replicas whose writer is not known yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unexplained {
    /// Replicas before.
    pub(super) from: i32,
    /// Replicas afterwards.
    pub(super) to: i32,
    /// When it was observed.
    pub(super) at: Timestamp,
    /// Whether `managedFields` name the HPA.
    pub(super) is_by_hpa: bool,
    /// The status that was read together with the change. The sync that wrote it may be older than the change.
    pub(super) status: HpaStatus,
    /// Whether that status is new and has the new replicas: a sync found them.
    pub(super) is_found: bool,
}
