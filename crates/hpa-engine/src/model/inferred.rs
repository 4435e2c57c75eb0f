//! Settings of the controller that follow from what it did.

use jiff::{SignedDuration, Timestamp};

use crate::model::{HpaKey, Setting};

/// A setting of the controller that follows from what it did, to one HPA or another: flags hold for the whole cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredSetting {
    /// Its probable value.
    pub value: SignedDuration,
    /// The most that it can be.
    pub most: SignedDuration,
    /// From what it follows.
    pub evidence: Evidence,
    /// The HPA that shows it.
    pub hpa: HpaKey,
}

impl InferredSetting {
    /// Which setting it is.
    pub fn setting(&self) -> Setting {
        match self.evidence {
            Evidence::RepeatedEvent { .. } => Setting::SyncPeriod,
            Evidence::WentDownAfter { .. } => Setting::DownscaleStabilization,
        }
    }
}

/// From what a setting follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Each sync emits an Event once at the most, and this one came so often.
    RepeatedEvent {
        /// Reason of the Event.
        reason: String,
        /// How often it came.
        count: i32,
        /// From its first to its last time.
        within: SignedDuration,
    },
    /// The metrics asked for many replicas, and soon after that the HPA went down: the window had ended.
    WentDownAfter {
        /// When the metrics asked for so many.
        up: Timestamp,
        /// The replicas that they asked for at least.
        up_to: i32,
        /// When it went down.
        down: Timestamp,
        /// The replicas then.
        down_to: i32,
    },
}
