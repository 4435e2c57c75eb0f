//! One HPA that is to be explained, wherever it comes from.

use jiff::{Timestamp, tz::TimeZone};

use crate::{
    explain::{ChangedView, Clock, Edit, Page, Story},
    inference::{CrossCheck, Look, LookInput, apply_inferred, expect_refusal, infer_settings},
    model::{Context, Memory, Observation},
    playback::{Phase, Reconcile},
    recording::{Converted, InvalidField, Outcome, Snapshot, differences},
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
    /// The HPA as it is, if this is about a changed spec.
    pub(in crate::commands) changed_from: Option<Box<ChangedFrom>>,
}

/// The HPA as it is, and what is different in the spec that a subject is about.
#[derive(Clone, Debug)]
pub(in crate::commands) struct ChangedFrom {
    /// The HPA as it is.
    today: Subject,
    /// What is different.
    edit: Edit,
}

impl Subject {
    /// A single snapshot: what the controller remembers is not known. What it shares with others is in `converted` then.
    pub(in crate::commands) fn of_snapshot(
        snapshot: &Snapshot,
        converted: &mut Converted,
    ) -> Result<Self, InvalidField> {
        let mut observation = snapshot.observation_among(converted)?;
        if snapshot.outcome.is_none() {
            expect_refusal(&mut observation);
        }
        Ok(Self {
            observation,
            context: snapshot.context_among(converted),
            memory: snapshot.controller_started.then(Memory::default),
            outcome: snapshot.outcome.clone(),
            now: snapshot.time(),
            changed_from: None,
        })
    }

    /// A reconcile of a recording, with what the controller remembered before it.
    pub(in crate::commands) fn of_reconcile(reconcile: Reconcile) -> Self {
        Self {
            observation: reconcile.observation,
            context: reconcile.context,
            memory: match reconcile.phase {
                // The page says how sure it is of a memory that it works out itself.
                Phase::JoinedLate => None,
                _ => reconcile.memories.into_iter().next(),
            },
            outcome: reconcile.recorded,
            now: reconcile.time,
            changed_from: None,
        }
    }

    /// The same HPA at the same moment with another spec, and with what `snapshot` has read for that. What the controller
    /// remembers stays: an edit clears none of it.
    pub(in crate::commands) fn with_change(
        self,
        snapshot: &Snapshot,
        edit: Edit,
    ) -> Result<Self, InvalidField> {
        let mut observation = snapshot.observation()?;
        expect_refusal(&mut observation);
        Ok(Self {
            observation,
            context: snapshot.context(),
            memory: self.memory.clone(),
            outcome: None,
            now: self.now,
            changed_from: Some(Box::new(ChangedFrom { today: self, edit })),
        })
    }

    /// Takes settings of the controller from what it did to all of these HPAs, which are of one cluster.
    pub(in crate::commands) fn infer_settings(subjects: &mut [Self]) {
        let seen = subjects.iter().map(|one| {
            let one = one.changed_from.as_ref().map_or(one, |from| &from.today);
            (&one.observation, &one.context)
        });
        let settings = infer_settings(seen);
        for one in subjects {
            apply_inferred(&mut one.observation, &mut one.context, &settings);
            if let Some(from) = &mut one.changed_from {
                let today = &mut from.today;
                apply_inferred(&mut today.observation, &mut today.context, &settings);
            }
        }
    }

    /// Recomputes, and hands the story and its page to `tell`.
    pub(in crate::commands) fn tell<T>(
        &self,
        zone: &TimeZone,
        tell: impl FnOnce(&Page, &Story<'_>) -> T,
    ) -> T {
        let look = self.look();
        let clock = self.clock(zone);
        let story = Story::new(&self.observation, &self.context, &look, &clock);
        let mut page = Page::new(&story);
        if let Some(from) = &self.changed_from {
            let today = from.today.page(zone);
            page.changed = Some(ChangedView::new(&today, &page, &story, from.edit.clone()));
        }
        tell(&page, &story)
    }

    fn page(&self, zone: &TimeZone) -> Page {
        let look = self.look();
        let clock = self.clock(zone);
        Page::new(&Story::new(&self.observation, &self.context, &look, &clock))
    }

    fn clock(&self, zone: &TimeZone) -> Clock {
        Clock {
            zone: zone.clone(),
            now: self.now,
        }
    }

    fn look(&self) -> Look {
        let input = LookInput {
            observation: &self.observation,
            context: &self.context,
            memory: self.memory.as_ref(),
            now: self.now,
        };
        let mut look = match &self.changed_from {
            Some(from) => Look::of_changed_spec(&input, &from.today.observation),
            None => Look::new(&input),
        };
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
        look
    }
}
