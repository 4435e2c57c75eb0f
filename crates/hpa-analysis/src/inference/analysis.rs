//! Everything that can be worked out from one look at an HPA.

use std::sync::OnceLock;

use jiff::Timestamp;

use super::{
    AssessmentInput, CrossCheck, ReplicaChange, Thresholds,
    cross_check::compare_with_status,
    hypotheses::{HypothesisEvidence, add_hypotheses},
    if_ready::{IfReady, if_ready},
    memory::{OutsideMemory, memory_from_outside},
    proposing::proposing,
    thresholds::thresholds,
    timeline::timeline,
};
use crate::{
    engine,
    model::{Context, Memory, Observation},
    trace::{Decision, Trace},
};

/// Everything that can be worked out from one look at an HPA.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The recomputed reconcile.
    pub trace: Trace,
    /// What the controller remembers before it.
    pub memory: Memory,
    /// Where that comes from.
    pub memory_basis: MemoryBasis,
    /// The least and the most replicas that it may come to, if what the controller remembers matters and is not known.
    pub range: Option<(i32, i32)>,
    /// The changes ahead if the metrics go on asking for the same.
    pub timeline: Vec<ReplicaChange>,
    /// When the first of these changes may come, as far as that depends on what the controller remembers.
    pub first_change: Option<FirstChange>,
    /// What was recomputed against what the controller wrote.
    pub cross_check: CrossCheck,
    /// Most of the time goes into this and few need it, so the first who does computes it.
    tipping_points: OnceLock<TippingPoints>,
}

/// What it takes for the metrics to ask for another number.
#[derive(Clone, Debug)]
pub struct TippingPoints {
    /// For every valid metric, the usage at which it changes its mind.
    pub thresholds: Vec<Thresholds>,
    /// What the winning metric would ask for if all pods were ready.
    pub if_ready: Option<IfReady>,
}

/// When the first change comes if the metrics go on asking for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstChange {
    /// Not before; none: at any moment, because what holds the replicas may be about to expire.
    pub earliest: Option<Timestamp>,
    /// Not after, but for the sync period.
    pub latest: Timestamp,
}

/// Where the memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryBasis {
    /// Worked out from the status and the Events.
    Inferred,
    /// Followed through a recording.
    Recorded,
    /// Followed while watching for at least as long as it lasts.
    Watched,
    /// Followed while watching since then; what is older was worked out from the status and the Events.
    WatchedSince(Timestamp),
    /// The same, and something may have been missed since then.
    WatchedWithGaps(Timestamp),
}

/// What is known of what the controller remembers where it was followed from outside.
#[derive(Clone, Debug)]
pub struct FollowedMemory<'a> {
    /// Since when.
    pub basis: MemoryBasis,
    /// What it may remember as well, beside what `AssessmentInput` says.
    pub others: &'a [Memory],
}

impl Analysis {
    /// Recomputes the reconcile at `input.now` and everything that follows from it.
    pub fn new(input: &AssessmentInput) -> Self {
        Self::of(input, None)
    }

    /// The same where what the controller remembers was followed: `input.memory` is the most probable. Nothing is compared
    /// with the status, which is of the reconcile before: whoever follows compares each reconcile with its own. A page
    /// compares by [`compared_with_status`](Self::compared_with_status), which takes most of the time.
    pub fn following(input: &AssessmentInput, following: &FollowedMemory<'_>) -> Self {
        let mut analysis = Self::with(input, None, CrossCheck::not_needed());
        analysis.memory_basis = following.basis;
        let (MemoryBasis::WatchedSince(since) | MemoryBasis::WatchedWithGaps(since)) =
            following.basis
        else {
            return analysis;
        };
        // At the least it remembers what was seen; at the most what one of the others has.
        let mut least = analysis.memory.clone();
        keep_since(&mut least, since);
        let is_more = |other: &&Memory| {
            other
                .recommendations
                .as_ref()
                .is_none_or(|them| !them.is_empty())
        };
        let ends: Vec<&Memory> = following
            .others
            .iter()
            .filter(is_more)
            .chain([&least])
            .collect();
        analysis.range = range_of(&input.observation, &analysis.trace, &analysis.memory, &ends);
        analysis.first_change = analysis.timeline.first().map(|first| {
            let firsts: Vec<Timestamp> = ends
                .iter()
                .filter_map(|memory| first_change_with(&input.observation, memory, input.now))
                .chain([first.at])
                .collect();
            FirstChange {
                earliest: first_change_with(&input.observation, &least, input.now)
                    .and_then(|_| firsts.iter().min().copied()),
                latest: firsts.iter().max().copied().unwrap_or(first.at),
            }
        });
        analysis
    }

    /// The comparison that there is, and for a followed reconcile without one that with the status.
    pub fn compared_with_status(&self, observation: &Observation, context: &Context) -> CrossCheck {
        if self.cross_check != CrossCheck::not_needed() {
            return self.cross_check.clone();
        }
        let recorded = (self.memory_basis != MemoryBasis::Inferred).then_some(&self.memory);
        cross_check(observation, context, recorded, &self.trace)
    }

    /// The usage at which the metrics change their minds. `observation` is the one that was looked at.
    pub fn tipping_points(&self, observation: &Observation) -> &TippingPoints {
        self.tipping_points.get_or_init(|| {
            let Self { trace, .. } = self;
            let of = |index| thresholds(observation, trace, index, trace.current()?);
            let winner = trace.choice().and_then(|choice| choice.winner);
            TippingPoints {
                thresholds: trace
                    .metrics()
                    .filter_map(|metric| of(metric.index))
                    .collect(),
                if_ready: winner.and_then(|winner| if_ready(observation, trace, winner)),
            }
        })
    }

    /// The same for an HPA whose spec is not the one that the controller has: what the controller remembers follows from
    /// `today`, and nothing can be compared with what it wrote.
    pub fn of_changed_spec(input: &AssessmentInput, today: &Observation) -> Self {
        Self::of(input, Some(today))
    }

    fn of(input: &AssessmentInput, today: Option<&Observation>) -> Self {
        let mut analysis = Self::with(input, today, CrossCheck::of_changed_spec());
        if today.is_none() {
            let Self { trace, .. } = &analysis;
            analysis.cross_check = cross_check(
                &input.observation,
                &input.context,
                input.memory.as_ref(),
                trace,
            );
        }
        analysis
    }

    fn with(input: &AssessmentInput, today: Option<&Observation>, cross_check: CrossCheck) -> Self {
        let (observation, now) = (&input.observation, input.now);
        let known = today.unwrap_or(observation);
        let outside = match input.memory {
            Some(_) => None,
            None => Some(memory_from_outside(known, &input.context, now)),
        };
        let memory = match (&outside, &input.memory) {
            (Some(outside), _) => outside.likely.clone(),
            (None, memory) => memory.clone().unwrap_or_default(),
        };
        let mut memory_after = memory.clone();
        let trace = engine::decide(observation, &mut memory_after, now);
        let range = outside.as_ref().and_then(|outside| {
            let ends = [&outside.least, &outside.most];
            range_of(observation, &trace, &memory, &ends)
        });
        let timeline = changes_ahead(observation, &trace, &memory_after);
        Self {
            first_change: timeline
                .first()
                .map(|first| first_change(observation, outside.as_ref(), now, first.at)),
            timeline,
            tipping_points: OnceLock::new(),
            cross_check,
            memory,
            memory_basis: match input.memory {
                Some(_) => MemoryBasis::Recorded,
                None => MemoryBasis::Inferred,
            },
            range,
            trace,
        }
    }
}

/// The comparison with the status, and reasons for what differs.
fn cross_check(
    observation: &Observation,
    context: &Context,
    recorded: Option<&Memory>,
    trace: &Trace,
) -> CrossCheck {
    if context.is_torn {
        return CrossCheck::torn();
    }
    let mut check = compare_with_status(observation, trace);
    let evidence = HypothesisEvidence {
        observation,
        context,
        recorded,
        trace,
    };
    add_hypotheses(&mut check, evidence);
    check
}

/// The least and the most replicas that it may come to with the `likely` memory and with the ends of what it may be.
pub(super) fn range_of(
    observation: &Observation,
    trace: &Trace,
    likely: &Memory,
    ends: &[&Memory],
) -> Option<(i32, i32)> {
    let decided = trace.decision.replicas()?;
    // What the metrics ask for does not depend on the memory, so the pods need not be looked at again.
    let stabilize = trace.stabilize()?;
    let proposing = proposing(observation, stabilize.current, stabilize.recommendation);
    let replicas = |observation: &Observation, memory: &Memory| {
        let trace = engine::decide(observation, &mut memory.clone(), trace.at);
        trace.decision.replicas()
    };
    let observation = if replicas(&proposing, likely) == Some(decided) {
        &proposing
    } else {
        observation
    };
    let mut all = vec![decided];
    for end in ends {
        all.push(replicas(observation, end)?);
    }
    let (low, high) = (*all.iter().min()?, *all.iter().max()?);
    (low != high).then_some((low, high))
}

/// The ends between which the change expected at `at` may come.
fn first_change(
    observation: &Observation,
    outside: Option<&OutsideMemory>,
    now: Timestamp,
    at: Timestamp,
) -> FirstChange {
    let Some(outside) = outside else {
        return FirstChange {
            earliest: Some(at),
            latest: at,
        };
    };
    let first = |memory: &Memory| first_change_with(observation, memory, now);
    FirstChange {
        earliest: first(&outside.dated),
        latest: first(&outside.most).unwrap_or(at).max(at),
    }
}

/// When the first change comes with this memory. None: at once, or never.
fn first_change_with(
    observation: &Observation,
    memory: &Memory,
    now: Timestamp,
) -> Option<Timestamp> {
    let mut memory = memory.clone();
    let trace = engine::decide(observation, &mut memory, now);
    let changes = changes_ahead(observation, &trace, &memory);
    // A memory with which the replicas change at once says nothing about when they do.
    let is_held = matches!(trace.decision, Decision::Hold { .. });
    changes.first().filter(|_| is_held).map(|change| change.at)
}

/// Forgets what is older.
fn keep_since(memory: &mut Memory, since: Timestamp) {
    memory
        .recommendations
        .iter_mut()
        .for_each(|them| them.retain(|one| since <= one.at));
    memory.scale_up_events.retain(|one| since <= one.at);
    memory.scale_down_events.retain(|one| since <= one.at);
}

/// The changes ahead, where the metrics decided and nothing was refused.
pub(super) fn changes_ahead(
    observation: &Observation,
    trace: &Trace,
    memory: &Memory,
) -> Vec<ReplicaChange> {
    let Some(stabilize) = trace.stabilize() else {
        return Vec::new();
    };
    let (current, has_changed) = match trace.decision {
        Decision::Hold { current } => (current, false),
        Decision::Rescale {
            to, succeeds: true, ..
        } => (to, true),
        _ => return Vec::new(),
    };
    timeline(
        observation,
        memory,
        trace.at,
        current,
        stabilize.recommendation,
        has_changed,
    )
}
