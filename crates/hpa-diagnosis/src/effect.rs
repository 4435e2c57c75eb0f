//! The effect of a condition: what would be different without it. It decides which condition leads.

use hpa_analysis::{Alteration, Today};
use hpa_engine::{
    engine,
    model::{Memory, Observation},
    trace::{Decision, Trace},
};

use crate::short_at_max::{ShortAtMax, short_at_max};

/// What would be different without a condition, ordered by what matters to the reader: the gravest is the largest. Within
/// one class, more replicas are more. A condition without an effect has none of these, and never leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Later syncs would decide otherwise, by so many replicas.
    Later(i32),
    /// This sync would decide on so many fewer replicas; 0: it could not decide.
    Replicas(i32),
    /// So many replicas that the load needs are lacking, or would not be called lacking.
    Lacking(i32),
    /// The HPA could scale in a direction in which it cannot.
    Blocked,
    /// There would be a number: now none can be computed, none is written, or it means nothing.
    Undecided,
}

impl Effect {
    /// The effect of a condition that `alteration` takes away: the engine decides again, with the same history at the same time.
    pub fn of(today: Today<'_>, alteration: &Alteration) -> Option<Self> {
        let trace = &today.analysis.trace;
        Self::in_world(today, &alteration.applied_to(today.observation, trace))
    }

    /// The effect of what is different in `world`.
    pub fn in_world(today: Today<'_>, world: &Observation) -> Option<Self> {
        Self::at_once(today, world, &decided(today, world))
    }

    /// The effect of what makes the metrics ask for `asked` within the bounds later, since windows and policies end.
    pub fn asking_later(today: Today<'_>, asked: i32) -> Option<Self> {
        let now = asked_within_bounds(&today.analysis.trace, today.observation)?;
        let difference = asked.abs_diff(now);
        (0 < difference).then(|| Self::Later(i32::try_from(difference).unwrap_or(i32::MAX)))
    }

    /// The effect of what makes this sync decide `then`, with the same spec, or later ones another number.
    pub fn sooner_or_later(today: Today<'_>, then: &Trace) -> Option<Self> {
        let later = || Self::asking_later(today, asked_within_bounds(then, today.observation)?);
        Self::at_once(today, today.observation, then).or_else(later)
    }

    /// The effect of replicas that are lacking; none: none are.
    pub fn lacking(replicas: i32) -> Option<Self> {
        (0 < replicas).then_some(Self::Lacking(replicas))
    }

    fn at_once(today: Today<'_>, world: &Observation, then: &Trace) -> Option<Self> {
        let now = &today.analysis.trace;
        let is_failed = |trace: &Trace| matches!(trace.decision, Decision::Failed { .. });
        if is_failed(then) {
            // Where it cannot decide now either, nothing is different.
            return (!is_failed(now)).then_some(Self::Replicas(0));
        }
        let short = |trace: &Trace, of: &Observation| {
            let max = of.hpa.spec.max_replicas;
            short_at_max(trace, max).map_or(0, ShortAtMax::replicas)
        };
        let shortage = short(now, today.observation).saturating_sub(short(then, world));
        let more = replicas(then)?.saturating_sub(replicas(now)?);
        match (shortage, more) {
            (1.., _) => Some(Self::Lacking(shortage)),
            (_, 1..) => Some(Self::Lacking(more)),
            (_, ..0) => Some(Self::Replicas(more.saturating_neg())),
            (_, 0) => None,
        }
    }
}

/// What the metrics of `world` ask for within `minReplicas` and `maxReplicas`; none: no metric decides.
pub fn asked_in(today: Today<'_>, world: &Observation) -> Option<i32> {
    asked_within_bounds(&decided(today, world), world)
}

fn asked_within_bounds(trace: &Trace, world: &Observation) -> Option<i32> {
    let choice = trace.choice().filter(|choice| choice.winner.is_some())?;
    let spec = &world.hpa.spec;
    let asked = choice.metric_desired_replicas.max(spec.min_replicas());
    Some(asked.min(spec.max_replicas))
}

fn decided(today: Today<'_>, world: &Observation) -> Trace {
    let mut memory: Memory = today.analysis.memory.clone();
    engine::decide(world, &mut memory, today.analysis.trace.at)
}

/// The replicas after a sync. One that cannot decide leaves them.
fn replicas(trace: &Trace) -> Option<i32> {
    match trace.decision {
        Decision::Unknown { .. } => None,
        _ => trace.decision.replicas().or(trace.current()),
    }
}
