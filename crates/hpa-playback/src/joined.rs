//! What an edit does to a history that was inferred.

use std::sync::Arc;

use hpa_analysis::{longest_window, memory_before_change};
use hpa_engine::{
    engine,
    model::{Context, HpaSpec, Memory, Observation, Provenance, ScaleEvent},
};
use hpa_objects::recording::wire::HpaStatus;
use jiff::{SignedDuration, Timestamp};

use super::guess::{Capture, Guess, SyncBound, Values, memory_after};

/// The capture from which a history was inferred. What follows from it holds only for the spec that it had.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    observation: Arc<Observation>,
    context: Arc<Context>,
    at: Timestamp,
    /// The latest spec for which it was inferred.
    spec: HpaSpec,
}

/// A sync and what it wrote.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) capture: Arc<Capture>,
    pub(super) status: Arc<HpaStatus>,
}

impl Joined {
    /// Joins with this capture.
    pub(super) fn of(observation: &Observation, context: &Context, at: Timestamp) -> Self {
        Self {
            spec: observation.hpa.spec.clone(),
            observation: Arc::new(observation.clone()),
            context: Arc::new(context.clone()),
            at,
        }
    }

    /// Whether what happened before may still count, now or after an edit of the windows.
    pub(super) fn may_matter(&self, observation: &Observation, now: Timestamp) -> bool {
        let is_young = now.duration_since(self.at) <= LONGEST_WINDOW;
        is_young || reaches(self.at, observation, now)
    }

    /// After an edit: the histories that are possible now, of which those in `guesses` are known. Empty if there was no
    /// edit, or if nothing from before counts any more.
    pub(super) fn after_edit(
        &mut self,
        guesses: &[Guess],
        observation: &Observation,
        now: Timestamp,
    ) -> Vec<Guess> {
        let spec = &observation.hpa.spec;
        if self.spec == *spec {
            return Vec::new();
        }
        self.spec.clone_from(spec);
        if !reaches(self.at, observation, now) {
            return Vec::new();
        }
        let mut changed = (*self.observation).clone();
        changed.hpa.spec.clone_from(spec);
        let outside = memory_before_change(&changed, &self.observation, &self.context, self.at);
        let of_clock = |clock| guesses.iter().find(move |one| one.clock == clock);
        let followed: Vec<&Guess> = SyncBound::BOTH.into_iter().filter_map(of_clock).collect();
        let mut possible: Vec<Guess> = Vec::new();
        for memory in [&outside.likely].into_iter().chain(outside.ends()) {
            for one in &followed {
                let one = one.with_inferred(memory);
                if !possible.contains(&one) {
                    possible.push(one);
                }
            }
        }
        possible
    }
}

impl Guess {
    /// Another history from before the HPA was watched, with what was observed since.
    pub(super) fn with_inferred(&self, inferred: &Memory) -> Self {
        let followed = &self.memory;
        let mut memory = inferred.clone();
        let recommendations = followed.recommendations.iter().flatten();
        let known = memory.recommendations.get_or_insert_default();
        known.extend(recommendations.filter(|one| one.provenance == Provenance::Observed));
        let is_observed = |one: &&ScaleEvent| one.provenance == Provenance::Observed;
        let [ups, downs] = [&followed.scale_up_events, &followed.scale_down_events]
            .map(|events| events.iter().filter(is_observed).copied());
        memory.scale_up_events.extend(ups);
        memory.scale_down_events.extend(downs);
        Self {
            memory,
            clock: self.clock,
            is_of_edit: true,
        }
    }
}

impl Settled {
    /// Whether this history leads to what the sync wrote, without what it got since.
    pub(super) fn fits(&self, memory: &Memory) -> bool {
        let at = self.capture.time;
        let mut before = memory.clone();
        if let Some(recommendations) = &mut before.recommendations {
            recommendations.retain(|one| one.at < at);
        }
        before.scale_up_events.retain(|one| one.at < at);
        before.scale_down_events.retain(|one| one.at < at);
        let observation = &self.capture.observation;
        memory_after(&before, observation, at, &self.status, Values::About).is_some()
    }
}

/// Whether what happened at `at` may still count.
pub(super) fn reaches(at: Timestamp, observation: &Observation, now: Timestamp) -> bool {
    engine::before(now, longest_window(observation)) <= at
}

/// The longest window and period that the API server accepts.
const LONGEST_WINDOW: SignedDuration = SignedDuration::from_hours(1);
