//! Infers what the controller remembers from what it wrote and from the Events (docs/dev/controller.md, section 14).

use jiff::{SignedDuration, Timestamp};

use super::{
    inferred_history::InferredHistory,
    last_sync::LastSync,
    rescale_events::{RescaleCause, RescaleEvents, Rescaled},
    rescales::{ScaleEvents, Sides, scale_events},
    status_spec::{StatusSpec, reason},
};
use crate::{
    engine,
    model::{Condition, Context, Direction, Memory, Observation},
};

/// What the controller probably remembers, and the bounds of what it can remember.
#[derive(Clone, Debug, PartialEq)]
pub struct OutsideMemory {
    /// The most probable history.
    pub likely: Memory,
    /// Only what is proved: the history that holds the replicas back least.
    pub least: Memory,
    /// Everything that the evidence allows: the history that holds them back most.
    pub most: Memory,
    /// Like `least`, but only with recommendations whose time is also known.
    pub dated: Memory,
}

/// Infers what the controller remembers of an HPA before the sync at `now`: from its last status, the Events, and the
/// time when it became leader.
pub fn memory_from_outside(
    observation: &Observation,
    context: &Context,
    now: Timestamp,
) -> OutsideMemory {
    let evidence = MemoryEvidence::new(observation, context, now);
    if evidence.is_forgotten() {
        return OutsideMemory {
            likely: Memory::default(),
            least: Memory::default(),
            most: Memory::default(),
            dated: Memory::default(),
        };
    }
    // The engine takes the highest recommendation of a window: one too many keeps replicas up, one too few lets them
    // scale down. `least` and `most` bound that error, and a report states only what both agree on.
    let mut history = InferredHistory::default();
    evidence.first_recommendation(&mut history);
    evidence.past_scale_ups(&mut history);
    evidence.last_sync(&mut history);
    let memory = |recommendations, events: Sides| {
        let mut memory = Memory {
            recommendations: Some(recommendations),
            ..Memory::default()
        };
        events.remember(&mut memory);
        memory
    };
    let events = evidence.scale_events();
    OutsideMemory {
        likely: memory(history.likely(), events.likely.clone()),
        least: memory(history.least(false), events.proved.clone()),
        most: memory(history.most(), events.likely),
        dated: memory(history.least(true), events.proved),
    }
}

struct MemoryEvidence<'a> {
    observation: &'a Observation,
    now: Timestamp,
    /// The earliest time from which the controller can remember this HPA.
    began: Option<Timestamp>,
    leader_since: Option<Timestamp>,
    /// When the controller wrote the status.
    written: Option<Timestamp>,
    events: RescaleEvents,
    /// The spec of the last status.
    spec: StatusSpec,
}

impl<'a> MemoryEvidence<'a> {
    fn new(observation: &'a Observation, context: &Context, now: Timestamp) -> Self {
        let mut evidence = Self {
            observation,
            now,
            began: observation.hpa.created.max(context.leader_since),
            leader_since: context.leader_since,
            written: context.hpa_status_written,
            events: RescaleEvents::of(context, now),
            spec: StatusSpec::of(observation, context, now),
        };
        evidence.add_last_rescale();
        evidence
    }

    /// Adds the last rescale from the status: its Event may be dropped or not visible yet.
    fn add_last_rescale(&mut self) {
        let status = &self.observation.hpa.status;
        let Some(at) = status.last_scale_time else {
            return;
        };
        let newest = self.events.rescales.last().map(|rescale| rescale.at);
        if newest.is_some_and(|newest| at <= newest || is_same_second(newest, at)) {
            return;
        }
        let size = if self.just_rescaled() {
            status.desired_replicas
        } else {
            status.current_replicas
        };
        self.events.rescales.push(Rescaled {
            at,
            size,
            from: None,
            reason: String::new(),
            cause: RescaleCause::Unknown,
        });
    }

    /// The scale events. Without behavior the controller stores none.
    fn scale_events(&self) -> ScaleEvents {
        let status = &self.observation.hpa.status;
        if self.observation.hpa.spec.behavior.is_none() {
            return ScaleEvents::default();
        }
        let newest = self.events.rescales.last();
        let is_of_status = newest
            .zip(status.last_scale_time)
            .is_some_and(|(newest, at)| is_same_second(newest.at, at));
        let before = (is_of_status && self.just_rescaled()).then_some(status.current_replicas);
        let was_other = self.spec.is_other;
        let found = scale_events(
            self.observation,
            &self.events,
            self.began,
            before,
            was_other,
        );
        if self.spec.has_added_behavior() {
            ScaleEvents::default()
        } else if self.spec.may_have_other_behavior() {
            // If behavior was not set then, there are none.
            found.doubted()
        } else {
            found
        }
    }

    fn condition(&self, condition_type: &str) -> Option<&'a Condition> {
        self.observation.hpa.status.condition(condition_type)
    }

    /// Whether the controller has no history of this HPA: it has never synced it, or has just become leader.
    fn is_forgotten(&self) -> bool {
        let sync_period = self.observation.sync_period().value;
        self.condition("AbleToScale").is_none()
            // A new leader starts with an empty history and syncs every HPA once within a period.
            || self.leader_since.is_some_and(|since| {
                let has_written = self.written.is_some_and(|written| since < written);
                engine::before(self.now, sync_period) < since && !has_written
            })
    }

    /// Whether the last sync changed the replicas: its status still has the number from before.
    fn just_rescaled(&self) -> bool {
        let status = &self.observation.hpa.status;
        reason(status, "AbleToScale") == "SucceededRescale"
            && status.current_replicas != status.desired_replicas
    }

    fn longest_window(&self) -> SignedDuration {
        let window = |direction| self.observation.window(direction);
        window(Direction::Up).max(window(Direction::Down))
    }

    /// Whether a recommendation counts now or counted in the last sync. The engine drops what is too old.
    fn is_in_window(&self, at: Timestamp) -> bool {
        engine::before(self.earlier(), self.longest_window()) <= at
    }

    /// Whether the controller may have dropped a recommendation that the windows count now: they may have been shorter.
    fn may_be_dropped(&self) -> bool {
        self.spec.may_have_other_behavior() && self.observation.hpa.spec.behavior.is_some()
    }

    /// The first sync stores the current replicas as a recommendation.
    fn first_recommendation(&self, history: &mut InferredHistory) {
        let Some(began) = self.began.filter(|began| self.is_in_window(*began)) else {
            return;
        };
        // For a new HPA, the condition shows when the first sync was.
        let able = self
            .condition("AbleToScale")
            .and_then(|condition| condition.last_transition_time);
        let at = able.filter(|at| began <= *at).unwrap_or(began);
        let status = &self.observation.hpa.status;
        let rescales = &self.events.rescales;
        let before = rescales.iter().rfind(|rescale| rescale.at < at);
        let after = rescales.iter().find(|rescale| at <= rescale.at);
        let is_hidden = before
            .zip(after)
            .is_some_and(|(before, after)| self.events.may_hide(before, after, None));
        let replicas = match (before, after) {
            (_, None) if self.just_rescaled() => None,
            (Some(_), Some(_)) if is_hidden => None,
            (Some(before), _) => Some(before.size),
            (None, None) => Some(status.current_replicas),
            (None, Some(after)) => {
                let is_newest = rescales.last() == Some(after);
                (is_newest && self.just_rescaled()).then_some(status.current_replicas)
            }
        };
        match replicas {
            Some(replicas) if self.may_be_dropped() => history.suppose(replicas, at),
            Some(replicas) => history.prove(replicas, at),
            None => {}
        }
    }

    /// A scale-up because of a metric needs a recommendation of at least that size.
    fn past_scale_ups(&self, history: &mut InferredHistory) {
        let mut previous = None;
        for rescale in &self.events.rescales {
            let is_up = previous.is_none_or(|previous| previous < rescale.size);
            previous = Some(rescale.size);
            let is_remembered = self.began.is_none_or(|began| began <= rescale.at);
            // A rescale to a bound needs no recommendation. A scale-down can follow from an older, higher one.
            if is_up
                && is_remembered
                && rescale.cause == RescaleCause::AboveTarget
                && self.is_in_window(rescale.at)
            {
                if self.may_be_dropped() {
                    history.suppose_least(rescale.size, rescale.at);
                } else {
                    history.prove_least(rescale.size, rescale.at);
                }
            }
        }
    }

    /// Uses the reasons in the conditions of the last sync.
    fn last_sync(&self, history: &mut InferredHistory) {
        if self.condition("ScalingLimited").is_none() {
            return;
        }
        let last = LastSync {
            observation: self.observation,
            spec: &self.spec,
            rescale: self.events.rescales.last(),
            now: self.now,
        };
        last.remember(history);
    }

    /// The latest time of a recommendation before the last sync.
    fn earlier(&self) -> Timestamp {
        let sync_period = self.observation.sync_period().value;
        engine::before(self.now, sync_period)
    }
}

/// Whether two times, each truncated to seconds, can belong to the same rescale.
fn is_same_second(one: Timestamp, other: Timestamp) -> bool {
    one.duration_since(other).abs() <= SignedDuration::from_secs(1)
}
