//! Scale events: the controller's history of its own changes, for rate limits.
//!
//! Upstream: `storeScaleEvent`, `markScaleEventsOutdated`, `getReplicasChangePerPeriod` in `horizontal.go`.

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::{go_math, scaling_policies::policies},
    model::{Behavior, Direction, Memory, Provenance, ScaleEvent},
};

/// Stores a change of the replicas; only with `behavior`. Upstream: `storeScaleEvent`.
pub fn store_scale_event(
    memory: &mut Memory,
    behavior: Option<&Behavior>,
    from: i32,
    to: i32,
    now: Timestamp,
) {
    let Some(behavior) = behavior else {
        return;
    };
    let (direction, events, replica_change) = if to > from {
        let added = to.wrapping_sub(from);
        (Direction::Up, &mut memory.scale_up_events, added)
    } else {
        let removed = from.wrapping_sub(to);
        (Direction::Down, &mut memory.scale_down_events, removed)
    };
    mark_outdated(events, longest_period(behavior, direction), now);
    let newest = ScaleEvent {
        replica_change,
        at: now,
        is_outdated: false,
        provenance: Provenance::Observed,
    };
    match events.iter_mut().rfind(|event| event.is_outdated) {
        Some(slot) => *slot = newest,
        None => events.push(newest),
    }
}

/// Sum of the replicas changed strictly after the start of a period, and when the first of these events leaves it.
/// Upstream: `getReplicasChangePerPeriod`.
pub(crate) fn replicas_changed_in(
    events: &[ScaleEvent],
    period_seconds: i32,
    now: Timestamp,
) -> (i32, Option<Timestamp>) {
    let period = SignedDuration::from_secs(i64::from(period_seconds));
    let cutoff = go_math::before(now, period);
    let counted = || events.iter().filter(|event| event.at > cutoff);
    let replicas = counted().fold(0_i32, |sum, event| sum.wrapping_add(event.replica_change));
    let expires = counted()
        .map(|event| go_math::after(event.at, period))
        .min();
    (replicas, expires)
}

fn mark_outdated(events: &mut [ScaleEvent], longest_period: SignedDuration, now: Timestamp) {
    let cutoff = go_math::before(now, longest_period);
    for event in events.iter_mut().filter(|event| event.at < cutoff) {
        event.is_outdated = true;
    }
}

/// The longest period of the policies of a direction. Upstream: `getLongestPolicyPeriod`.
pub fn longest_period(behavior: &Behavior, direction: Direction) -> SignedDuration {
    let policies = policies(behavior.rules(direction), direction).iter();
    let seconds = policies
        .map(|policy| policy.period_seconds)
        .fold(0, i32::max);
    SignedDuration::from_secs(i64::from(seconds))
}
