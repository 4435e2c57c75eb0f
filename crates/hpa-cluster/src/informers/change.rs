//! What an informer tells.

use crate::model::{HpaKey, Source};

/// Something is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InformerChange {
    /// An HPA, its spec or its status; also one that is new.
    Hpa(HpaKey),
    /// The target of an HPA has another number of replicas. What the informers know is of just that moment, so that a number that
    /// does not last is seen, too.
    Scaled(HpaKey),
    /// An HPA is there no more, or no longer selected.
    Deleted(HpaKey),
    /// What stands around an HPA: its pods, target or events, or the other HPAs of its target.
    Around(HpaKey),
    /// Something cannot be read at present. What was known of it stays.
    Failing {
        /// What.
        source: Source,
        /// Why, in one sentence fragment.
        why: String,
    },
    /// It can be read again.
    Recovered {
        /// What.
        source: Source,
    },
}
