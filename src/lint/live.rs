//! What a cluster, or a snapshot of one, says of an HPA.

use jiff::{SignedDuration, Timestamp};

use super::Missing;
use crate::{
    explain::clock::rough,
    inference::{Look, LookInput, expect_refusal},
    model::{ApiService, Condition, Context, NotRead, Observation, SnapshotField},
    recording::{Converted, InvalidField, Snapshot},
    trace::Decision,
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
        Self::among(snapshot, &mut Converted::default())
    }

    /// The same of one of many snapshots, which may share pods.
    pub fn among(snapshot: &Snapshot, converted: &mut Converted) -> Result<Self, InvalidField> {
        let mut observation = snapshot.observation_among(converted)?;
        if snapshot.outcome.is_none() {
            expect_refusal(&mut observation);
        }
        let context = snapshot.context_among(converted);
        Ok(Self::of(observation, context, snapshot.time()))
    }

    /// Recomputes a reconcile of which nobody knows what the controller remembered.
    pub fn of(observation: Observation, context: Context, now: Timestamp) -> Self {
        let look = Look::new(&LookInput {
            observation: &observation,
            context: &context,
            memory: None,
            now,
        });
        Self {
            observation,
            context,
            look,
            now,
        }
    }

    /// The condition of this type, if it has this status.
    pub fn condition(&self, condition_type: &str, status: &str) -> Option<&Condition> {
        let found = self.observation.hpa.status.condition(condition_type);
        found.filter(|condition| condition.status == status)
    }

    /// How long ago something was; nothing that lies ahead is ago.
    pub fn since(&self, at: Timestamp) -> SignedDuration {
        self.now.duration_since(at).max(SignedDuration::ZERO)
    }

    /// `for at least 14 m`, by the condition's last transition.
    pub(crate) fn held_for(&self, condition: &Condition) -> String {
        match condition.last_transition_time {
            Some(at) => format!("for {}, by lastTransitionTime", rough(self.since(at))),
            None => "nobody knows since when".to_owned(),
        }
    }

    /// What the metrics ask for, before stabilization and limits. None: they were not asked, or all of them failed.
    pub fn proposal(&self) -> Result<Option<i32>, Missing> {
        let trace = &self.look.trace;
        if let Some(stabilize) = trace.stabilize() {
            return Ok(Some(stabilize.recommendation));
        }
        match &trace.decision {
            Decision::Unknown { missing, .. } => Err(missing
                .first()
                .map_or_else(|| Self::unknown("what decides"), Missing::from)),
            _ => Ok(None),
        }
    }

    /// The API services of the metrics APIs.
    pub(crate) fn api_services(&self) -> Result<&[ApiService], Missing> {
        self.require(&SnapshotField::ApiServices)?;
        let services = self.context.surroundings.api_services.as_deref();
        services.ok_or_else(|| Self::unknown("which metrics APIs the cluster has"))
    }

    /// Says so if something could not be read here.
    pub(crate) fn require(&self, what: &SnapshotField) -> Result<(), Missing> {
        let mut not_read = self.context.not_read.iter();
        match not_read.find(|one| one.what == *what) {
            Some(reason) => Err(Missing::from(reason)),
            None => Ok(()),
        }
    }

    /// Something that nothing tells.
    pub(crate) fn unknown(what: &str) -> Missing {
        Missing::Because(format!("{what} is not known"))
    }
}

impl From<&NotRead> for Missing {
    fn from(reason: &NotRead) -> Self {
        Self::NotRead {
            what: reason.what.to_string(),
            why: match &reason.remedy {
                Some(remedy) => format!("{}; {remedy}", reason.why),
                None => reason.why.clone(),
            },
        }
    }
}
