//! Recommendations and the stabilization window. Upstream: `stabilizeRecommendation` and
//! `stabilizeRecommendationWithBehaviors` in `horizontal.go`.
//!
//! Upstream's "recommendation" is *un*stabilized: the replicas that the metrics ask for.

use jiff::Timestamp;

use crate::{
    engine::{context::ReconcileContext, go_math},
    model::{Direction, Memory, Provenance, Recommendation},
    trace::{Stabilize, StabilizePath, StabilizeReason},
};

/// Stores the recommendation and stabilizes it with those within the window.
pub(crate) fn stabilize(
    cx: &ReconcileContext<'_>,
    memory: &mut Memory,
    current: i32,
    recommendation: i32,
) -> Stabilize {
    let remembered = memory.recommendations.get_or_insert_default();
    match &cx.hpa().spec.behavior {
        None => stabilize_without_behavior(cx, remembered, current, recommendation),
        Some(_) => stabilize_with_behavior(cx, remembered, current, recommendation),
    }
}

/// The first sync stores the current replicas as a recommendation. Upstream: `recordInitialRecommendation`.
pub(crate) fn record_initial_recommendation(
    memory: &mut Memory,
    current: i32,
    now: Timestamp,
) -> bool {
    let is_first = memory.recommendations.is_none();
    if is_first {
        let first = Recommendation {
            replicas: current,
            at: now,
            provenance: Provenance::Observed,
        };
        memory.recommendations = Some(vec![first]);
    }
    is_first
}

/// The highest recommendation within the window. Upstream: `stabilizeRecommendation`.
fn stabilize_without_behavior(
    cx: &ReconcileContext<'_>,
    remembered: &mut Vec<Recommendation>,
    current: i32,
    recommendation: i32,
) -> Stabilize {
    let window = cx.controller().downscale_stabilization;
    let cutoff = go_math::before(cx.now, window.value);
    let considered = counted(remembered, |at| at >= cutoff);
    let stabilized = considered
        .iter()
        .map(|seen| seen.replicas)
        .fold(recommendation, i32::max);
    remember(remembered, recommendation, cx.now, |at| at < cutoff);
    Stabilize {
        current,
        recommendation,
        path: StabilizePath::NoBehavior { window },
        considered,
        stabilized,
        reason: if stabilized == recommendation {
            StabilizeReason::ReadyForNewScale
        } else {
            StabilizeReason::ScaleDownStabilized
        },
    }
}

/// The current replicas, moved only as far as the windows allow. Upstream: `stabilizeRecommendationWithBehaviors`.
fn stabilize_with_behavior(
    cx: &ReconcileContext<'_>,
    remembered: &mut Vec<Recommendation>,
    current: i32,
    recommendation: i32,
) -> Stabilize {
    let window = |direction| cx.hpa().spec.window(direction, cx.controller());
    let (up_window, down_window) = (window(Direction::Up), window(Direction::Down));
    let up_cutoff = go_math::before(cx.now, up_window.value);
    let down_cutoff = go_math::before(cx.now, down_window.value);
    let considered = counted(remembered, |at| at > up_cutoff || at > down_cutoff);
    let mut lowest = recommendation;
    let mut highest = recommendation;
    for seen in &considered {
        if seen.at > up_cutoff {
            lowest = lowest.min(seen.replicas);
        }
        if seen.at > down_cutoff {
            highest = highest.max(seen.replicas);
        }
    }
    let stabilized = current.max(lowest).min(highest);
    remember(remembered, recommendation, cx.now, |at| {
        at < up_cutoff && at < down_cutoff
    });
    let reason = if stabilized == recommendation {
        StabilizeReason::ReadyForNewScale
    } else if recommendation >= current {
        StabilizeReason::ScaleUpStabilized
    } else {
        StabilizeReason::ScaleDownStabilized
    };
    Stabilize {
        current,
        recommendation,
        path: StabilizePath::Behavior {
            up_window,
            down_window,
            lowest,
            highest,
        },
        considered,
        stabilized,
        reason,
    }
}

/// The recommendations that count, oldest first.
fn counted(
    remembered: &[Recommendation],
    counts: impl Fn(Timestamp) -> bool,
) -> Vec<Recommendation> {
    let mut counted: Vec<Recommendation> = remembered
        .iter()
        .filter(|seen| counts(seen.at))
        .copied()
        .collect();
    counted.sort_by_key(|seen| seen.at);
    counted
}

/// Stores the recommendation in the last outdated slot, or appends it.
fn remember(
    remembered: &mut Vec<Recommendation>,
    replicas: i32,
    now: Timestamp,
    is_outdated: impl Fn(Timestamp) -> bool,
) {
    let newest = Recommendation {
        replicas,
        at: now,
        provenance: Provenance::Observed,
    };
    match remembered.iter_mut().rfind(|seen| is_outdated(seen.at)) {
        Some(slot) => *slot = newest,
        None => remembered.push(newest),
    }
}
