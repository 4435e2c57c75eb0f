//! Everything that follows from one observation of an HPA.

use std::sync::OnceLock;

use hpa_engine::{
    engine,
    model::{Context, Memory, Observation, Provenance, SyncInput},
    trace::{Decision, Trace},
};
use jiff::Timestamp;

use super::{
    CrossCheck, ReplicaChange, Thresholds,
    cross_check::compare_with_status,
    hypotheses::{HypothesisEvidence, add_hypotheses},
    if_ready::{IfReady, if_ready},
    memory::{OutsideMemory, memory_before_change, memory_from_outside},
    proposing::proposing,
    thresholds::thresholds,
    timeline::timeline,
    unreported_rescale::unreported_rescale,
};

/// Everything that follows from one observation of an HPA.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The recomputed sync.
    pub trace: Trace,
    /// The controller's recommendation history and scale events before the sync.
    pub memory: Memory,
    /// Where `memory` comes from.
    pub memory_basis: MemoryBasis,
    /// The fewest and the most replicas that the sync can decide, if that depends on unknown recommendation history.
    pub range: Option<(i32, i32)>,
    /// The coming changes if the metrics keep recommending the same replicas.
    pub timeline: Vec<ReplicaChange>,
    /// When the first of these changes can come, within the uncertainty of `memory`.
    pub first_change: Option<FirstChange>,
    /// The recomputed values against the controller's.
    pub cross_check: CrossCheck,
    /// Computed on first use: this takes most of the time, and few callers need it.
    tipping_points: OnceLock<TippingPoints>,
}

/// What has to change before the metrics recommend other replicas.
#[derive(Clone, Debug)]
pub struct TippingPoints {
    /// For each valid metric, the usage at which its recommendation changes.
    pub thresholds: Vec<Thresholds>,
    /// What the winning metric would recommend if all pods were ready.
    pub if_ready: Option<IfReady>,
}

/// When the first change comes if the metrics keep recommending the same replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstChange {
    /// Not before this time. None: possibly right away, because the recommendation that holds the replicas may be about
    /// to expire.
    pub earliest: Option<Timestamp>,
    /// Not after this time, plus up to one sync period.
    pub latest: Timestamp,
}

/// Where `memory` comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryBasis {
    /// Inferred from the status and the Events.
    Inferred,
    /// Followed through a recording.
    Recorded,
    /// Followed while watching for at least as long as the controller remembers.
    Watched,
    /// Followed while watching since this time. Older entries are inferred from the status and the Events.
    WatchedSince(Timestamp),
    /// Like `WatchedSince`, but something may have been missed since then.
    WatchedWithGaps(Timestamp),
}

/// The recommendation history of a controller that was followed from outside.
#[derive(Clone, Debug)]
pub struct FollowedMemory<'a> {
    /// How and since when it was followed.
    pub basis: MemoryBasis,
    /// Other possible histories, besides `SyncInput::memory`.
    pub others: &'a [Memory],
}

impl Analysis {
    /// Recomputes the sync at `input.now` and derives everything that follows from it.
    pub fn new(input: &SyncInput) -> Self {
        Self::of(input, None)
    }

    /// Like [`new`](Self::new), with a followed history; `input.memory` is the most probable one. Does not compare with
    /// the status, which is from the previous sync: callers that follow compare each sync with its own status.
    /// [`compared_with_status`](Self::compared_with_status) compares later, because that takes most of the time.
    pub fn following(input: &SyncInput, following: &FollowedMemory<'_>) -> Self {
        let mut analysis = Self::with(input, None, CrossCheck::not_needed());
        analysis.memory_basis = following.basis;
        let (MemoryBasis::WatchedSince(since) | MemoryBasis::WatchedWithGaps(since)) =
            following.basis
        else {
            return analysis;
        };
        // The lower end has only what was seen. The upper end has what any of the other histories has.
        let mut least = analysis.memory.clone();
        keep_observed(&mut least, since);
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

    /// The existing comparison. For a followed sync without one, compares with the status.
    pub fn compared_with_status(&self, observation: &Observation, context: &Context) -> CrossCheck {
        if self.cross_check != CrossCheck::not_needed() {
            return self.cross_check.clone();
        }
        let recorded = (self.memory_basis != MemoryBasis::Inferred).then_some(&self.memory);
        cross_check(observation, context, recorded, &self.trace)
    }

    /// The usage at which the recommendations change. `observation` must be the one that was analyzed.
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

    /// Like [`new`](Self::new), for a spec that differs from the controller's. The recommendation history follows from
    /// `today`, and nothing is compared with what the controller wrote.
    pub fn of_changed_spec(input: &SyncInput, today: &Observation) -> Self {
        Self::of(input, Some(today))
    }

    fn of(input: &SyncInput, today: Option<&Observation>) -> Self {
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

    fn with(input: &SyncInput, today: Option<&Observation>, cross_check: CrossCheck) -> Self {
        let (observation, now) = (&input.observation, input.now);
        let context = &input.context;
        let outside = match (&input.memory, today) {
            (Some(_), _) => None,
            (None, None) => Some(memory_from_outside(observation, context, now)),
            (None, Some(today)) => Some(memory_before_change(observation, today, context, now)),
        };
        let memory = match (&outside, &input.memory) {
            (Some(outside), _) => outside.likely.clone(),
            (None, memory) => memory.clone().unwrap_or_default(),
        };
        let mut memory_after = memory.clone();
        let trace = engine::decide(observation, &mut memory_after, now);
        let range = outside.as_ref().and_then(|outside| {
            let ends: Vec<&Memory> = outside.ends().collect();
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

/// Compares with the status and finds causes of differences.
fn cross_check(
    observation: &Observation,
    context: &Context,
    recorded: Option<&Memory>,
    trace: &Trace,
) -> CrossCheck {
    if context.is_torn || unreported_rescale(observation, context).is_some() {
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

/// The fewest and the most replicas decided, over the `likely` history and the `ends` of the possible ones.
pub(super) fn range_of(
    observation: &Observation,
    trace: &Trace,
    likely: &Memory,
    ends: &[&Memory],
) -> Option<(i32, i32)> {
    let decided = trace.decision.replicas()?;
    // With the same history the same follows. Usually all of it is known.
    let mut ends = ends.iter().filter(|end| **end != likely).peekable();
    ends.peek()?;
    // The recommendation does not depend on the history, so the metrics need no second evaluation.
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

/// The earliest and latest time of the change expected at `at`.
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

/// When the first change comes with this history. None: right away, or never.
fn first_change_with(
    observation: &Observation,
    memory: &Memory,
    now: Timestamp,
) -> Option<Timestamp> {
    let mut memory = memory.clone();
    let trace = engine::decide(observation, &mut memory, now);
    let changes = changes_ahead(observation, &trace, &memory);
    // A history with which the replicas change right away does not show how long they are held.
    let is_held = matches!(trace.decision, Decision::Hold { .. });
    changes.first().filter(|_| is_held).map(|change| change.at)
}

/// Keeps what was observed since `since`. What is inferred has the latest possible time, which can be `since`.
fn keep_observed(memory: &mut Memory, since: Timestamp) {
    let is_kept = |at, provenance| since <= at && provenance == Provenance::Observed;
    memory
        .recommendations
        .iter_mut()
        .for_each(|them| them.retain(|one| is_kept(one.at, one.provenance)));
    for events in [&mut memory.scale_up_events, &mut memory.scale_down_events] {
        events.retain(|one| is_kept(one.at, one.provenance));
    }
}

/// The coming changes, if the metrics decided and nothing was refused.
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
