//! Infers what the controller remembers from what it wrote and from the Events (docs/dev/controller.md, section 14).

use jiff::{SignedDuration, Timestamp};

use super::{
    earlier_proposals::earlier_proposals,
    rescale_events::{RescaleCause, RescaleEvents, Rescaled},
    rescales::{ScaleEvents, scale_events},
};
use crate::{
    engine,
    model::{Condition, Context, Direction, Memory, Observation, Provenance, Recommendation},
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
    evidence.last_reconcile(&mut history);
    // Without behavior the controller stores no scale events.
    let events = match &observation.hpa.spec.behavior {
        Some(_) => evidence.scale_events(),
        None => ScaleEvents::default(),
    };
    let proved = history.proved.clone();
    let mut dated = Memory {
        recommendations: Some(proved.clone()),
        ..Memory::default()
    };
    events.proved.remember(&mut dated);
    let proved: Vec<Recommendation> = proved.into_iter().chain(history.undated).collect();
    let least = Memory {
        recommendations: Some(proved.clone()),
        ..dated.clone()
    };
    let with = |more: Vec<Recommendation>| proved.iter().copied().chain(more).collect();
    let mut likely = least.clone();
    events.likely.remember(&mut likely);
    let most = Memory {
        recommendations: Some(with(history.possible)),
        ..likely.clone()
    };
    likely.recommendations = Some(with(history.likely));
    OutsideMemory {
        likely,
        least,
        most,
        dated,
    }
}

/// Recommendations by certainty.
#[derive(Debug, Default)]
struct InferredHistory {
    proved: Vec<Recommendation>,
    /// Also proved, but `at` is only the latest possible time.
    undated: Vec<Recommendation>,
    likely: Vec<Recommendation>,
    possible: Vec<Recommendation>,
}

impl InferredHistory {
    fn prove(&mut self, replicas: i32, at: Timestamp) {
        self.proved.push(inferred(replicas, at));
    }

    /// Proved: `replicas` or more were recommended.
    fn prove_least(&mut self, replicas: i32, at: Timestamp) {
        self.proved.push(at_least(replicas, at));
    }

    fn prove_by(&mut self, replicas: i32, at: Timestamp) {
        self.undated.push(inferred(replicas, at));
    }

    fn prove_least_by(&mut self, replicas: i32, at: Timestamp) {
        self.undated.push(at_least(replicas, at));
    }

    /// Likely, but the controller may have dropped it already.
    fn suppose(&mut self, replicas: i32, at: Timestamp) {
        self.likely.push(inferred(replicas, at));
        self.possible.push(inferred(replicas, at));
    }

    /// A likely recommendation within `proposal` (from rounded values) and above `bound` (proved).
    fn suppose_beyond(&mut self, bound: i32, proposal: Option<(i32, i32)>, at: Timestamp) {
        let Some((least, most)) = proposal.filter(|(_, most)| bound < *most) else {
            return;
        };
        if least == most {
            self.suppose(least, at);
            return;
        }
        if bound < least {
            self.likely.push(at_least(least, at));
        }
        self.allow(most, at);
    }

    fn allow(&mut self, replicas: i32, at: Timestamp) {
        self.possible.push(inferred(replicas, at));
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

    fn scale_events(&self) -> ScaleEvents {
        let status = &self.observation.hpa.status;
        let newest = self.events.rescales.last();
        let is_of_status = newest
            .zip(status.last_scale_time)
            .is_some_and(|(newest, at)| is_same_second(newest.at, at));
        let before = (is_of_status && self.just_rescaled()).then_some(status.current_replicas);
        scale_events(self.observation, &self.events, self.began, before)
    }

    fn condition(&self, condition_type: &str) -> Option<&'a Condition> {
        self.observation.hpa.status.condition(condition_type)
    }

    fn reason(&self, condition_type: &str) -> &'a str {
        self.condition(condition_type)
            .map_or("", |condition| condition.reason.as_str())
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
        self.reason("AbleToScale") == "SucceededRescale"
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
        if let Some(replicas) = replicas {
            history.prove(replicas, at);
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
                history.prove_least(rescale.size, rescale.at);
            }
        }
    }

    /// Uses the reasons in the conditions of the last sync.
    fn last_reconcile(&self, history: &mut InferredHistory) {
        let status = &self.observation.hpa.status;
        let desired = status.desired_replicas;
        let max = self.observation.hpa.spec.max_replicas;
        // It decides once more, and most reasons do not need it.
        let proposal = || earlier_proposals(self.observation, self.now);
        let limited = match self.condition("ScalingLimited") {
            Some(condition) => condition.reason.as_str(),
            None => return,
        };
        // The last sync was within the last sync period. The latest time is the conservative choice.
        let last = self.now;
        let above_max = max.saturating_add(1);
        match (self.reason("AbleToScale"), limited) {
            ("ReadyForNewScale", "DesiredWithinRange") => history.prove(desired, last),
            ("ReadyForNewScale" | "SucceededRescale", "TooManyReplicas") => {
                history.prove_least(above_max, last);
                history.suppose_beyond(above_max, proposal(), last);
            }
            // An older recommendation was that high; the values in the status do not show it.
            ("ScaleDownStabilized", "TooManyReplicas") => {
                history.prove_least_by(above_max, self.earlier());
            }
            // A recommendation within the window was that high, not necessarily the last one.
            ("ScaleDownStabilized", "DesiredWithinRange") => self.held_down(desired, history),
            ("ScaleUpStabilized", "DesiredWithinRange") => {
                history.prove_by(desired, self.earlier());
            }
            ("SucceededRescale", "DesiredWithinRange") => self.last_rescale(proposal(), history),
            ("SucceededRescale", "ScaleUpLimit") => {
                let more = desired.saturating_add(1);
                let at = self.last_rescale_time();
                history.prove_least(more, at);
                match proposal() {
                    proposal @ Some((_, most)) if more < most => {
                        history.suppose_beyond(more, proposal, at);
                    }
                    _ => history.allow(max.saturating_add(1), at),
                }
            }
            // The metrics could not be read, or the write failed: the earlier history still holds.
            ("SucceededGetScale" | "FailedGetScale" | "FailedUpdateScale", _) => {
                history.allow(desired, last);
            }
            // All other pairs are written without a recommendation, or do not show which one counted.
            _ => {}
        }
    }

    /// In the last sync, some recommendation in the window was `desired`. If the known ones have expired since, there
    /// may be no other.
    fn held_down(&self, desired: i32, history: &mut InferredHistory) {
        let known = history
            .proved
            .iter()
            .filter(|one| desired <= one.replicas)
            .map(|one| one.at)
            .max();
        if known.is_some() {
            history.allow(desired, self.earlier());
        } else {
            history.prove_by(desired, self.earlier());
        }
    }

    /// A rescale that nothing limited: one recommendation had that size, and none was higher.
    fn last_rescale(&self, proposal: Option<(i32, i32)>, history: &mut InferredHistory) {
        let status = &self.observation.hpa.status;
        let desired = status.desired_replicas;
        let at = self.last_rescale_time();
        let spec = &self.observation.hpa.spec;
        let is_at_bound = desired == spec.min_replicas() || desired == spec.max_replicas;
        match self.events.rescales.last().map(|rescale| rescale.cause) {
            Some(RescaleCause::AboveMax | RescaleCause::BelowMin) => return,
            Some(RescaleCause::Unknown) if is_at_bound => return history.suppose(desired, at),
            _ => {}
        }
        if status.current_replicas < desired || proposal == Some((desired, desired)) {
            history.prove(desired, at);
        } else if proposal.is_some() {
            // The metrics may have recommended fewer already, held by an older recommendation that can expire at any
            // time.
            history.suppose(desired, at);
        } else {
            history.allow(desired, at);
        }
    }

    fn last_rescale_time(&self) -> Timestamp {
        let status = &self.observation.hpa.status;
        status.last_scale_time.unwrap_or(self.now)
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

fn inferred(replicas: i32, at: Timestamp) -> Recommendation {
    Recommendation {
        replicas,
        at,
        provenance: Provenance::Inferred,
    }
}

fn at_least(replicas: i32, at: Timestamp) -> Recommendation {
    Recommendation {
        provenance: Provenance::AtLeast,
        ..inferred(replicas, at)
    }
}
