//! Changes of the replicas that were seen, each with its writer.

use jiff::{SignedDuration, Timestamp};

use crate::model::FieldManager;

/// The changes of an HPA's replicas that were seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenWrites {
    /// The changes, oldest first.
    pub writes: Vec<ReplicaWrite>,
}

/// A change of the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaWrite {
    /// When it was first seen.
    pub at: Timestamp,
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
    /// Who made it.
    pub by: ReplicaWriter,
}

/// Who changed the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplicaWriter {
    /// The HPA.
    Hpa {
        /// The controller's reason, as in its Event, if the recomputed sync comes to the same replicas.
        reason: Option<String>,
    },
    /// Another writer, if known which.
    Other(Option<FieldManager>),
}

impl SeenWrites {
    /// Adds the next change, and drops those that are too old.
    pub fn push(&mut self, write: ReplicaWrite) {
        let is_kept = |one: &ReplicaWrite| write.at.duration_since(one.at) <= Self::KEPT;
        self.writes.retain(is_kept);
        if self.writes.len() == Self::MOST {
            self.writes.remove(0);
        }
        self.writes.push(write);
    }

    /// Those of other writers.
    pub fn of_others(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&ReplicaWrite, Option<&FieldManager>)> {
        self.writes.iter().filter_map(|write| match &write.by {
            ReplicaWriter::Other(by) => Some((write, by.as_ref())),
            ReplicaWriter::Hpa { .. } => None,
        })
    }

    /// Changes are kept for as long as an API server keeps Events.
    const KEPT: SignedDuration = SignedDuration::from_mins(60);

    /// More are useless: at a sync period of fifteen seconds this is a quarter of an hour of changes in every sync.
    const MOST: usize = 64;
}
