//! What a cluster, or a snapshot of one, says of an HPA.

use jiff::Timestamp;

use crate::{
    inference::{Look, LookInput, expect_refusal},
    model::{Context, Observation},
    recording::{InvalidField, Snapshot},
};

/// What a cluster says of one HPA at one moment, and what the controller makes of it.
#[derive(Clone, Debug)]
pub struct Live {
    /// What the controller reads.
    pub observation: Observation,
    /// What is known beside it: events, target, writers, other autoscalers, quotas.
    pub context: Context,
    /// The recomputed reconcile and everything that follows from it.
    pub look: Look,
    /// The moment.
    pub now: Timestamp,
}

impl Live {
    /// Recomputes the reconcile of a snapshot.
    pub fn new(snapshot: &Snapshot) -> Result<Self, InvalidField> {
        let mut observation = snapshot.observation()?;
        if snapshot.outcome.is_none() {
            expect_refusal(&mut observation);
        }
        let context = snapshot.context();
        let now = snapshot.time();
        let look = Look::new(&LookInput {
            observation: &observation,
            context: &context,
            memory: None,
            now,
        });
        Ok(Self {
            observation,
            context,
            look,
            now,
        })
    }
}
