//! One HPA that is to be explained, wherever it comes from.

use jiff::{Timestamp, tz::TimeZone};

use crate::{
    explain::{Clock, Page, Story},
    inference::{CrossCheck, Look, LookInput},
    model::{Context, Memory, Observation},
    recording::{InvalidField, Outcome, Snapshot, differences},
};

/// One HPA that is to be explained, wherever it comes from.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Subject {
    /// What the controller reads.
    pub(in crate::commands) observation: Observation,
    /// What is known beside it.
    pub(in crate::commands) context: Context,
    /// What the controller remembers, if that was recorded.
    pub(in crate::commands) memory: Option<Memory>,
    /// What the controller did in this very reconcile, if that was recorded.
    pub(in crate::commands) outcome: Option<Outcome>,
    /// The moment.
    pub(in crate::commands) now: Timestamp,
}

impl Subject {
    /// A single snapshot: what the controller remembers is not known.
    pub(in crate::commands) fn of_snapshot(snapshot: &Snapshot) -> Result<Self, InvalidField> {
        Ok(Self {
            observation: snapshot.observation()?,
            context: snapshot.context(),
            memory: snapshot.controller_started.then(Memory::default),
            outcome: snapshot.outcome.clone(),
            now: snapshot.time(),
        })
    }

    /// Recomputes, and hands the story and its page to `tell`.
    pub(in crate::commands) fn tell<T>(
        &self,
        zone: &TimeZone,
        tell: impl FnOnce(&Page, &Story<'_>) -> T,
    ) -> T {
        let mut look = Look::new(&LookInput {
            observation: &self.observation,
            context: &self.context,
            memory: self.memory.as_ref(),
            now: self.now,
        });
        if let (Some(recorded), Some(predicted)) = (&self.outcome, &look.trace.outcome) {
            let found = differences(&predicted.into(), recorded);
            look.cross_check = CrossCheck::with_outcome(found.into_iter().map(|difference| {
                (
                    difference.path,
                    difference.recorded.to_string(),
                    difference.predicted.to_string(),
                )
            }));
        }
        let clock = Clock {
            zone: zone.clone(),
            now: self.now,
        };
        let story = Story::new(&self.observation, &self.context, &look, &clock);
        tell(&Page::new(&story), &story)
    }
}
