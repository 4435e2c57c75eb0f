//! An HPA at one time, with everything that follows from it.

use hpa_engine::{
    model::{Condition, Context, NotRead, Observation, SnapshotField, SyncInput},
    trace::Decision,
};
use jiff::{SignedDuration, Timestamp};

use super::{Analysis, StatusSpec};

/// An HPA at one time: what the controller reads, the objects around it, and everything that follows.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// What the controller reads.
    pub observation: Observation,
    /// The objects around it: Events, target, writers, other autoscalers, quotas.
    pub context: Context,
    /// The recomputed sync and everything that follows from it.
    pub analysis: Analysis,
    /// The time of the sync.
    pub now: Timestamp,
}

impl Assessment {
    /// Recomputes the sync.
    pub fn new(input: SyncInput) -> Self {
        let analysis = Analysis::new(&input);
        Self::with(input, analysis)
    }

    /// Like [`new`](Self::new), with an existing analysis.
    pub fn with(input: SyncInput, analysis: Analysis) -> Self {
        let SyncInput {
            observation,
            context,
            now,
            ..
        } = input;
        Self {
            observation,
            context,
            analysis,
            now,
        }
    }

    /// Drops what the controller writes and emits. If thousands of HPAs have one target, each of its messages names all of
    /// them.
    pub fn drop_outcome(&mut self) {
        self.analysis.trace.outcome = None;
    }

    /// The condition of this type, if its status is `status`.
    pub fn condition(&self, condition_type: &str, status: &str) -> Option<&Condition> {
        let found = self.observation.hpa.status.condition(condition_type);
        found.filter(|condition| condition.status == status)
    }

    /// The spec that the last status was written for.
    pub fn status_spec(&self) -> StatusSpec {
        StatusSpec::of(&self.observation, &self.context, self.now)
    }

    /// Time since `at`; zero if `at` is in the future.
    pub fn since(&self, at: Timestamp) -> SignedDuration {
        self.now.duration_since(at).max(SignedDuration::ZERO)
    }

    /// What the metrics recommend, before stabilization and rate limits. None if all of them failed or the HPA is
    /// disabled. Fails with the missing reads that the recommendation needs.
    pub fn proposal(&self) -> Result<Option<i32>, &[NotRead]> {
        let trace = &self.analysis.trace;
        match (trace.stabilize(), &trace.decision) {
            (Some(stabilize), _) => Ok(Some(stabilize.recommendation)),
            (None, Decision::Unknown { missing, .. }) => Err(missing),
            (None, _) => Ok(None),
        }
    }

    /// Fails if `what` could not be read.
    pub fn require(&self, what: &SnapshotField) -> Result<(), &NotRead> {
        let mut not_read = self.context.not_read.iter();
        match not_read.find(|one| one.what == *what) {
            Some(reason) => Err(reason),
            None => Ok(()),
        }
    }
}
