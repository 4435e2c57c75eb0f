//! Controller settings inferred from what the controller did.

use jiff::{SignedDuration, Timestamp};

use crate::model::{HpaKey, Setting};

/// A controller setting inferred from what the controller did to one HPA. Flags hold for the whole cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredSetting {
    /// Its probable value.
    pub value: SignedDuration,
    /// Its upper bound.
    pub most: SignedDuration,
    /// The evidence for it.
    pub evidence: Evidence,
    /// The HPA that shows the evidence.
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

/// The evidence for a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A repeated Event: each sync emits it at most once, so its count bounds the sync period.
    RepeatedEvent {
        /// Reason of the Event.
        reason: String,
        /// How often it occurred.
        count: i32,
        /// From its first to its last time.
        within: SignedDuration,
    },
    /// The HPA scaled down some time after the metrics last recommended many replicas: by then the window had ended.
    WentDownAfter {
        /// When the metrics recommended that many.
        up: Timestamp,
        /// The lowest number that they can have recommended.
        up_to: i32,
        /// When it scaled down.
        down: Timestamp,
        /// The replicas after that.
        down_to: i32,
    },
}
