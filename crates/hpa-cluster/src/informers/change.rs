//! The changes that informers report.

use hpa_engine::model::{HpaKey, Source};

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InformerChange {
    /// An HPA is new, or its spec or status changed.
    Hpa(HpaKey),
    /// The target of an HPA has another number of replicas. The informers' data is from this very instant, so that
    /// even a short-lived number is seen.
    Scaled(HpaKey),
    /// An HPA does not exist any more, or is no longer selected.
    Deleted(HpaKey),
    /// The context of an HPA changed: its pods, target or Events, or the other HPAs of its target.
    Around(HpaKey),
    /// A source cannot be read now. Its known data is kept.
    Failing {
        /// The source.
        source: Source,
        /// The reason, as a sentence fragment.
        why: String,
    },
    /// A source can be read again.
    Recovered {
        /// The source.
        source: Source,
    },
}
