//! Everything that is known of one sync.

use jiff::Timestamp;

use crate::model::{Context, Memory, Observation};

/// What the controller reads in one sync, with what is known besides.
#[derive(Clone, Debug)]
pub struct SyncInput {
    /// What the controller reads.
    pub observation: Observation,
    /// The objects around it: Events, target, writers, other autoscalers, quotas.
    pub context: Context,
    /// The controller's recommendation history, if it was recorded.
    pub memory: Option<Memory>,
    /// The time of the sync.
    pub now: Timestamp,
}
