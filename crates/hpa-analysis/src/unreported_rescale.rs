//! A rescale that the controller has written to the scale and not to the status: the scale is of a later sync than the
//! status.
//!
//! The controller writes the scale first. Until its status is written, or if that is refused, scale and status are of
//! different moments. Everything that infers from both asks here.

use hpa_engine::{
    engine,
    model::{
        Context, Direction, Memory, Observation, Provenance, Reading, Recommendation, ScaleEvent,
    },
    trace::{Decision, LimitPath, Step, Trace},
};
use jiff::{SignedDuration, Timestamp};

use super::{
    earlier_proposals::without_pods_created_since, replica_write::is_hpa,
    rescale_events::proved_rescales,
};

/// A rescale of the controller that its status does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreportedRescale {
    /// The replicas that the status has.
    pub from: i32,
    /// The replicas that the controller has set since.
    pub to: i32,
}

/// Finds a rescale that is newer than the status. None if nothing proves that the controller has set the replicas: they
/// may be those of another writer, or of another HPA.
pub fn unreported_rescale(
    observation: &Observation,
    context: &Context,
) -> Option<UnreportedRescale> {
    let scale = observation.scale.read()?;
    let status = &observation.hpa.status;
    status.condition("AbleToScale")?;
    let (from, to) = (status.desired_replicas, scale.spec_replicas);
    let mut others = observation.other_hpas.iter();
    let is_shared = others.any(|other| other.selector == scale.selector);
    (from != to && !is_shared && is_of_controller(observation, context, to))
        .then_some(UnreportedRescale { from, to })
}

/// Whether the controller has set these replicas, which its status does not have: an owner of the field loses it when
/// another writer changes the number.
fn is_of_controller(observation: &Observation, context: &Context, to: i32) -> bool {
    let target = context.target.as_ref();
    if let Some(target) = target.filter(|target| !target.replicas_written_by.is_empty()) {
        return target.replicas_written_by.iter().any(is_hpa);
    }
    event_of(observation, context, to).is_some()
}

/// When the controller has set these replicas, by an Event that is newer than the status.
fn event_of(observation: &Observation, context: &Context, to: i32) -> Option<Timestamp> {
    let hpa = &observation.hpa;
    let reported = hpa.status.last_scale_time.max(context.hpa_status_written);
    let last = proved_rescales(context).pop()?;
    let is_it = last.size == to
        && hpa.created.is_none_or(|created| created <= last.at)
        && reported.is_none_or(|at| engine::after(at, CUT) < last.at);
    is_it.then_some(last.at)
}

/// The sync of a rescale that the status does not have: what it found, as far as known, and what came of it.
pub(super) struct UnreportedSync {
    rescale: UnreportedRescale,
    /// What it found.
    pub(super) observation: Observation,
    /// The context without what is about it.
    pub(super) context: Context,
    /// Its time, or the latest possible one.
    pub(super) at: Timestamp,
}

/// What the controller remembers after a sync.
#[derive(PartialEq)]
pub(super) struct AfterSync {
    pub(super) memory: Memory,
    /// Whether a higher recommendation could have led to the same replicas.
    is_at_limit: bool,
}

impl UnreportedSync {
    /// The sync before `now`, if there is one that the status does not have.
    pub(super) fn before(
        observation: &Observation,
        context: &Context,
        now: Timestamp,
    ) -> Option<Self> {
        let rescale = unreported_rescale(observation, context)?;
        let known = event_of(observation, context, rescale.to).filter(|at| *at <= now);
        let since = known.unwrap_or_else(|| {
            let period = observation.sync_period().value;
            engine::before(now, period)
        });
        let mut found = if rescale.from < rescale.to {
            without_pods_created_since(observation, since)
        } else {
            observation.clone()
        };
        found.scale_write_error = None;
        if let Reading::Read(scale) = &mut found.scale {
            scale.spec_replicas = rescale.from;
            if scale.status_replicas == rescale.to {
                scale.status_replicas = rescale.from;
            }
        }
        let mut context = context.clone();
        let reported = observation.hpa.status.last_scale_time;
        context.events.retain(|event| {
            let is_newer = reported.is_none_or(|at| Some(engine::after(at, CUT)) < event.last);
            event.reason != "SuccessfulRescale" || !is_newer
        });
        Some(Self {
            rescale,
            observation: found,
            context,
            at: known.unwrap_or(now),
        })
    }

    /// What the controller remembers after it, if it remembered `memory` before; none: it did not, since another rescale
    /// follows.
    pub(super) fn after(&self, memory: &Memory) -> Option<AfterSync> {
        let mut memory = memory.clone();
        let trace = engine::decide(&self.observation, &mut memory, self.at);
        let to = self.rescale.to;
        let is_it = matches!(trace.decision, Decision::Rescale { to: found, .. } if found == to);
        is_it.then(|| AfterSync {
            memory,
            is_at_limit: limit(&trace).is_none_or(|limit| limit <= to),
        })
    }

    /// The least and the most that it remembers where `after` is the most probable: what it found may have been slightly
    /// different, with another recommendation and the same replicas.
    pub(super) fn bounds(&self, after: &AfterSync) -> [Memory; 2] {
        let AfterSync {
            memory,
            is_at_limit,
        } = after;
        let with = |newest: Option<i32>| {
            let mut memory = memory.clone();
            let known = memory.recommendations.get_or_insert_default();
            known.retain(|one| one.at < self.at);
            known.extend(newest.map(|replicas| Recommendation {
                replicas,
                at: self.at,
                provenance: Provenance::AtLeast,
            }));
            memory
        };
        let UnreportedRescale { from, to } = self.rescale;
        if to < from {
            return [with(None), with(Some(to))];
        }
        let most = if *is_at_limit {
            with(Some(self.above_max()))
        } else {
            memory.clone()
        };
        [with(Some(to)), most]
    }

    /// Any recommendation above the bound has the same effect.
    fn above_max(&self) -> i32 {
        self.observation.hpa.spec.max_replicas.saturating_add(1)
    }

    /// The least, the most probable and the most that it remembers, if what it found has changed since. `memory` is the
    /// most probable one before.
    pub(super) fn after_any(&self, memory: &Memory) -> [Memory; 3] {
        let UnreportedRescale { from, to } = self.rescale;
        let is_up = from < to;
        let recommendation = |replicas| Recommendation {
            replicas,
            at: self.at,
            provenance: Provenance::Inferred,
        };
        let with = |recommended: &[i32]| {
            let mut memory = memory.clone();
            let known = memory.recommendations.get_or_insert_default();
            // A higher one would have held the replicas.
            known.retain(|one| is_up || one.replicas <= to);
            known.extend(recommended.iter().copied().map(recommendation));
            self.add_event(&mut memory);
            memory
        };
        if is_up {
            [with(&[to]), with(&[to]), with(&[to, self.above_max()])]
        } else {
            let mut least = with(&[]);
            least.recommendations = Some(Vec::new());
            [least, with(&[to]), with(&[to])]
        }
    }

    fn add_event(&self, memory: &mut Memory) {
        let UnreportedRescale { from, to } = self.rescale;
        if self.observation.hpa.spec.behavior.is_none() {
            return;
        }
        let events = match Direction::between(from, to) {
            Some(Direction::Up) => &mut memory.scale_up_events,
            _ => &mut memory.scale_down_events,
        };
        events.push(ScaleEvent {
            replica_change: to.saturating_sub(from).saturating_abs(),
            at: self.at,
            is_outdated: false,
            provenance: Provenance::Inferred,
        });
    }
}

/// The most replicas that limits and bounds allowed a scale-up.
fn limit(trace: &Trace) -> Option<i32> {
    trace.steps.iter().find_map(|step| match step {
        Step::LimitRate(rate) => Some(match rate.path {
            LimitPath::NoBehavior { scale_up_limit } => scale_up_limit.min(rate.max),
            LimitPath::Behavior { limit, .. } => {
                limit.map_or(rate.max, |limit| limit.min(rate.max))
            }
        }),
        _ => None,
    })
}

/// Times of statuses and Events are truncated to seconds separately.
const CUT: SignedDuration = SignedDuration::from_secs(1);
