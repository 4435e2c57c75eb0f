//! Infers what the controller remembers from what it wrote and from the Events (docs/dev/controller.md, section 14).

use std::mem;

use hpa_engine::{
    engine,
    model::{Condition, Context, Direction, Memory, Observation, Provenance, Recommendation},
};
use jiff::{SignedDuration, Timestamp};

use super::{
    inferred_history::InferredHistory,
    last_sync::{LastSync, above_max},
    rescale_events::{RescaleCause, RescaleEvents, Rescaled, is_same_second},
    rescales::{ScaleEvents, Sides, is_since, scale_events},
    status_spec::{DecidedBy, StatusSpec, reason},
    unreported_rescale::UnreportedSync,
};

/// What the controller probably remembers, and the bounds of what it can remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutsideMemory {
    /// The most probable history.
    pub likely: Memory,
    /// Only what is proved: the history that holds the replicas back least.
    pub least: Memory,
    /// Everything that the evidence allows: the history that holds them back most.
    pub most: Memory,
    /// Like `least`, but only with recommendations whose time is also known.
    pub dated: Memory,
    /// Histories that are neither, with which other replicas can follow.
    pub others: Vec<Memory>,
}

impl OutsideMemory {
    /// The histories between whose results the real one lies.
    pub fn ends(&self) -> impl Iterator<Item = &Memory> {
        [&self.least, &self.most].into_iter().chain(&self.others)
    }
}

/// Infers what the controller remembers of an HPA before the sync at `now`: from its last status, the Events, and the
/// time when it became leader.
pub fn memory_from_outside(
    observation: &Observation,
    context: &Context,
    now: Timestamp,
) -> OutsideMemory {
    if let Some(sync) = UnreportedSync::before(observation, context, now) {
        return after_unreported(&sync);
    }
    let spec = StatusSpec::of(observation, context, now);
    inferred(&MemoryEvidence::new(observation, context, now, spec))
}

/// What the controller remembers after a rescale that its status does not have.
fn after_unreported(sync: &UnreportedSync) -> OutsideMemory {
    let (observation, context, now) = (&sync.observation, &sync.context, sync.at);
    let spec = StatusSpec::of(observation, context, now);
    let before = inferred(&MemoryEvidence::new(observation, context, now, spec));
    let possible = [&before.likely].into_iter().chain(before.ends());
    let mut possible = possible.filter_map(|memory| sync.after(memory));
    let Some(likely) = possible.next() else {
        let [least, likely, most] = sync.after_any(&before.likely);
        return OutsideMemory {
            dated: least.clone(),
            likely,
            least,
            most,
            others: Vec::new(),
        };
    };
    let [least, most] = sync.bounds(&likely);
    OutsideMemory {
        dated: least.clone(),
        least,
        most,
        others: possible.map(|after| after.memory).collect(),
        likely: likely.memory,
    }
}

/// Like [`memory_from_outside`], of an HPA that has the spec of `today` until now, before the sync that has the spec of
/// `changed`.
pub fn memory_before_change(
    changed: &Observation,
    today: &Observation,
    context: &Context,
    now: Timestamp,
) -> OutsideMemory {
    if let Some(sync) = UnreportedSync::before(today, context, now) {
        return after_unreported(&sync);
    }
    let spec = StatusSpec::before_change(today, &changed.hpa.spec, context, now);
    // Without a change that matters, the values in the status belong to the metrics of today.
    let observation = if spec.is_other { changed } else { today };
    inferred(&MemoryEvidence::new(observation, context, now, spec))
}

fn inferred(evidence: &MemoryEvidence<'_>) -> OutsideMemory {
    let forgotten = evidence.forgotten();
    if forgotten == Forgotten::Certainly {
        return OutsideMemory::default();
    }
    // The engine takes the highest recommendation of a window: one too many keeps replicas up, one too few lets them
    // scale down. `least` and `most` bound that error, and a report states only what both agree on.
    let mut history = InferredHistory::default();
    evidence.first_recommendation(&mut history);
    evidence.past_scale_ups(&mut history);
    evidence.last_sync(&mut history);
    evidence.before_edit(&mut history);
    let floor = evidence.floor_before_edit();
    let events = evidence.scale_events();
    let least = history.least(evidence.spec.is_other);
    let others = match floor {
        Some(floor) => after_edit(&history.most(), &least, floor, &events),
        None if events.is_doubted => apart(&least, &events)
            .chain(apart(&history.most(), &events))
            .collect(),
        None => Vec::new(),
    };
    let mut outside = OutsideMemory {
        likely: memory(history.likely(), events.likely),
        least: memory(least, events.proved.clone()),
        most: memory(history.most(), events.most),
        dated: memory(history.least(true), events.proved),
        others,
    };
    if forgotten == Forgotten::Possibly {
        outside.others.push(mem::take(&mut outside.likely));
    }
    outside
}

/// What the controller may remember after an edit of an HPA with behavior. `floor` is the lowest recommendation that the
/// window of `scaleUp` may count.
fn after_edit(
    most: &[Recommendation],
    least: &[Recommendation],
    floor: Recommendation,
    events: &ScaleEvents,
) -> Vec<Memory> {
    let held: Vec<Recommendation> = most.iter().copied().chain([floor]).collect();
    let held = memory(held, events.most.clone());
    // What is known only as a least number may have been any higher one.
    let is_exact = |one: &&Recommendation| one.provenance != Provenance::AtLeast;
    let exact: Vec<Recommendation> = least.iter().filter(is_exact).copied().collect();
    let known = apart(&exact, events).chain(apart(most, events));
    known.chain([held]).collect()
}

/// Under its old policies the controller may have dropped the events of one direction, or stored none.
fn apart(recommendations: &[Recommendation], events: &ScaleEvents) -> impl Iterator<Item = Memory> {
    let stored = &events.proved;
    let sides = events.most.clone().apart(stored).into_iter();
    sides
        .chain([stored.clone()])
        .map(|sides| memory(recommendations.to_vec(), sides))
}

fn memory(recommendations: Vec<Recommendation>, events: Sides) -> Memory {
    let mut memory = Memory {
        recommendations: Some(recommendations),
        ..Memory::default()
    };
    events.remember(&mut memory);
    memory
}

/// Whether the controller has forgotten this HPA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Forgotten {
    No,
    /// It has just become leader, and nothing shows whether it has synced this HPA.
    Possibly,
    /// It has never synced it.
    Certainly,
}

struct MemoryEvidence<'a> {
    observation: &'a Observation,
    now: Timestamp,
    /// The earliest time from which the controller can remember this HPA.
    began: Option<Timestamp>,
    leader_since: Option<Timestamp>,
    /// When the controller wrote the status.
    written: Option<Timestamp>,
    /// Since when the spec is as it is, if known: since the last edit, or since it was created.
    unchanged_since: Option<Timestamp>,
    events: RescaleEvents,
    /// Whether there are Events of the HPA, as far as they could be read.
    may_have_events: bool,
    /// The spec of the last status.
    spec: StatusSpec,
}

impl<'a> MemoryEvidence<'a> {
    fn new(
        observation: &'a Observation,
        context: &Context,
        now: Timestamp,
        spec: StatusSpec,
    ) -> Self {
        let events = RescaleEvents::of(context, now);
        let unchanged_since = context.hpa_edited_by.as_ref().and_then(|edit| edit.time);
        let mut evidence = Self {
            observation,
            now,
            began: observation.hpa.created.max(context.leader_since),
            leader_since: context.leader_since,
            written: context.hpa_status_written,
            unchanged_since,
            may_have_events: events.are_unread || !context.events.is_empty(),
            events,
            spec,
        };
        evidence.add_last_rescale();
        evidence
    }

    /// When the spec was edited last. Creating it is no edit.
    fn edited(&self) -> Option<Timestamp> {
        let created = self.observation.hpa.created;
        let is_edit = |at: &Timestamp| created.is_none_or(|created| created < *at);
        self.unchanged_since.filter(is_edit)
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
        let edited = if self.spec.is_other {
            Some(self.now)
        } else {
            self.edited()
        };
        let found = scale_events(self.observation, &self.events, self.began, before, edited);
        if self.spec.has_added_behavior() {
            ScaleEvents::default()
        } else if self.spec.may_have_other_behavior() {
            // If behavior was not set then, there are none.
            let stored = if self.spec.had_behavior {
                found.proved.since(self.edited()).newest()
            } else {
                Sides::default()
            };
            found.doubted(stored)
        } else {
            // The spec before the last edit may have had other policies, or no behavior.
            let is_asked = self.spec.had_behavior;
            let stored = found
                .proved
                .since(if is_asked { self.edited() } else { edited });
            found.doubted(stored)
        }
    }

    fn condition(&self, condition_type: &str) -> Option<&'a Condition> {
        self.observation.hpa.status.condition(condition_type)
    }

    fn forgotten(&self) -> Forgotten {
        if self.condition("AbleToScale").is_none() {
            // It may have synced without being able to write a status.
            return if self.may_have_events {
                Forgotten::Possibly
            } else {
                Forgotten::Certainly
            };
        }
        // A new leader starts with an empty history and syncs every HPA once within a period.
        let began = engine::before(self.now, self.observation.sync_period().value);
        let rescaled = self.events.rescales.last().map(|rescale| rescale.at);
        let conditions = self.observation.hpa.status.conditions.iter();
        let changed = conditions.filter_map(|one| one.last_transition_time).max();
        let wrote = self.written.max(rescaled).max(changed);
        match self.leader_since {
            // A sync that finds what its status says writes nothing.
            Some(since) if began < since && wrote.is_none_or(|wrote| wrote <= since) => {
                Forgotten::Possibly
            }
            _ => Forgotten::No,
        }
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

    /// Whether the controller may have dropped a recommendation that the windows count now: they may have been shorter
    /// before the last edit, or before an earlier one.
    fn may_be_dropped(&self) -> bool {
        self.spec.is_other
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
        let first = engine::after(began, self.observation.sync_period().value);
        let is_first =
            |at: &Timestamp| began <= *at && (*at <= first || is_same_second(*at, first));
        let at = able.filter(is_first).unwrap_or(began);
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
                let found = status.current_replicas;
                (is_newest && self.just_rescaled() && !self.was_set_since(found, at, after))
                    .then_some(found)
            }
        };
        // Until metrics are read, the status has the replicas of its own sync.
        let is_undecided = DecidedBy::of(status) == DecidedBy::Nothing;
        match replicas {
            Some(replicas) if self.events.are_unread && after.is_some() => {
                // There may have been other rescales before this one.
                history.suppose(replicas, at);
                history.allow(above_max(self.observation), at);
            }
            Some(replicas) if is_undecided || self.may_be_dropped() => {
                history.suppose(replicas, at);
                if self.edited().is_some_and(|edited| !is_since(at, edited)) {
                    // Of another target, it had the replicas of that.
                    history.allow(above_max(self.observation), at);
                }
            }
            Some(replicas) => history.prove(replicas, at),
            None => {
                if let Some(after) = after {
                    self.first_outside(after, at, history);
                }
            }
        }
    }

    /// The replicas of the first sync at `began`, if a bound replaced them in the first `rescale`.
    fn first_outside(&self, rescale: &Rescaled, began: Timestamp, history: &mut InferredHistory) {
        match rescale.cause {
            RescaleCause::AboveMax => {
                history.suppose_least(rescale.size.saturating_add(1), began);
            }
            RescaleCause::BelowMin => {
                history.allow(rescale.size.saturating_sub(1), began);
                if !is_same_second(began, rescale.at) {
                    // There may have been more until another writer, or another target.
                    history.allow(above_max(self.observation), began);
                }
            }
            _ => {}
        }
    }

    /// Whether another writer set the replicas that a rescale `found`, after the first sync at `began`. If not, that sync
    /// would have moved them to the bound, or its recommendation would have held them.
    fn was_set_since(&self, found: i32, began: Timestamp, rescale: &Rescaled) -> bool {
        let is_later = began < rescale.at && !is_same_second(began, rescale.at);
        let window = self.observation.window(Direction::Down);
        let is_held = rescale.size < found && rescale.at < engine::after(began, window);
        let by_bound = matches!(
            rescale.cause,
            RescaleCause::AboveMax | RescaleCause::BelowMin
        );
        is_later && (is_held || by_bound)
    }

    /// A scale-up because of a metric needs a recommendation of at least that size.
    fn past_scale_ups(&self, history: &mut InferredHistory) {
        let mut previous: Option<i32> = None;
        for rescale in &self.events.rescales {
            let is_up = previous.is_none_or(|previous| previous < rescale.size);
            if let Some(previous) = previous.filter(|_| !is_up && was_asked_for(rescale)) {
                // One as high as the replicas before would have held them, unless another writer had raised them.
                history.doubt_above(previous.saturating_sub(1), self.before_an_edit(rescale.at));
            }
            previous = Some(rescale.size);
            let is_remembered = self.began.is_none_or(|began| began <= rescale.at);
            // A rescale to a bound needs no recommendation. A scale-down can follow from an older, higher one.
            if is_up
                && is_remembered
                && rescale.cause == RescaleCause::AboveTarget
                && self.is_in_window(rescale.at)
            {
                let is_since = self
                    .edited()
                    .is_none_or(|edited| is_since(rescale.at, edited));
                if self.may_be_dropped() || !is_since {
                    history.suppose_least(rescale.size, rescale.at);
                } else if self.observation.window(Direction::Up).is_positive() {
                    // A higher one holds no scale-up.
                    let beyond = above_max(self.observation);
                    history.prove_some(rescale.size, beyond.max(rescale.size), rescale.at);
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
            rescales: &self.events.rescales,
            written: self.written,
            edited: self.edited(),
            now: self.now,
        };
        if self.is_highest_shown() {
            let desired = self.observation.hpa.status.desired_replicas;
            history.drop_above(desired, self.before_an_edit(self.now));
        }
        last.remember(history);
    }

    /// `until`, or when the spec became what it is if that was before: what the controller did against a recommendation since then shows
    /// that its flags are others, and not that the recommendation is none.
    fn before_an_edit(&self, until: Timestamp) -> Timestamp {
        let since = self
            .unchanged_since
            .map(|since| engine::after(since, SignedDuration::from_secs(1)));
        since.map_or(until, |since| since.min(until))
    }

    /// Whether the replicas of the last sync were the highest recommendation that counted, as without behavior and limit.
    fn is_highest_shown(&self) -> bool {
        let status = &self.observation.hpa.status;
        self.observation.hpa.spec.behavior.is_none()
            && !self.spec.is_other
            && DecidedBy::of(status) == DecidedBy::Metrics
            && reason(status, "ScalingLimited") == "DesiredWithinRange"
    }

    /// After an edit, recommendations that did not count under the spec of the last sync may count now.
    fn before_edit(&self, history: &mut InferredHistory) {
        let spec = &self.observation.hpa.spec;
        let is_known = || {
            let had_none = !self.spec.may_have_other_behavior() || self.had_no_limit();
            had_none && spec.behavior.is_none()
        };
        // Without behavior, none was higher than the newest one, which follows from the status.
        let is_newest = reason(&self.observation.hpa.status, "AbleToScale") == "ReadyForNewScale";
        if !self.spec.is_other || (is_newest && is_known()) {
            return;
        }
        history.allow(above_max(self.observation), self.now);
    }

    /// Whether nothing limited the replicas, and nothing changed them, for as long as a recommendation counts.
    fn had_no_limit(&self) -> bool {
        let began = engine::before(self.earlier(), self.longest_window());
        let limited = self.condition("ScalingLimited");
        let is_free = limited.is_some_and(|limited| {
            limited.status == "False" && limited.last_transition_time.is_some_and(|at| at < began)
        });
        is_free
            && self
                .events
                .rescales
                .last()
                .is_none_or(|rescale| rescale.at < began)
    }

    /// After an edit, the lowest recommendation that the window of `scaleUp` may count now.
    fn floor_before_edit(&self) -> Option<Recommendation> {
        let spec = &self.observation.hpa.spec;
        (self.spec.is_other && spec.behavior.is_some()).then(|| Recommendation {
            replicas: spec.min_replicas().saturating_sub(1),
            at: self.now,
            provenance: Provenance::Inferred,
        })
    }

    /// The latest time of a recommendation before the last sync.
    fn earlier(&self) -> Timestamp {
        let sync_period = self.observation.sync_period().value;
        engine::before(self.now, sync_period)
    }
}

/// Whether metrics asked for a rescale down.
fn was_asked_for(rescale: &Rescaled) -> bool {
    matches!(
        rescale.cause,
        RescaleCause::BelowTarget | RescaleCause::None
    )
}

#[cfg(test)]
mod tests;
