//! The limits of one sync: policies with `behavior`, twice the replicas without, then `minReplicas` and `maxReplicas`.
//!
//! Upstream, all in `horizontal.go`: `convertDesiredReplicasWithRules`, `convertDesiredReplicasWithBehaviorRate`,
//! `calculateScaleUpLimit`, `calculateScaleUpLimitWithScalingRules`, `calculateScaleDownLimitWithBehaviors`. Upstream's
//! variable `condition` holds the reason, and its `reason` holds the message.

use crate::{
    engine::{
        context::ReconcileContext, go_math::FloatConversion, scale_events::replicas_changed_in,
    },
    model::{Behavior, Direction, Memory, PolicyType, ScalingPolicy, ScalingRules, SelectPolicy},
    trace::{LimitPath, LimitRate, LimitReason, PolicyBound},
};

/// Limits the stabilized recommendation to what one sync may change.
pub(crate) fn limit_rate(
    cx: &ReconcileContext<'_>,
    memory: &Memory,
    current: i32,
    stabilized: i32,
) -> LimitRate {
    let (min, max) = (cx.hpa().spec.min_replicas(), cx.hpa().spec.max_replicas);
    let (path, desired, reason) = match &cx.hpa().spec.behavior {
        None => limit_without_behavior(cx, current, stabilized, min, max),
        Some(behavior) if stabilized > current => {
            limit_up(cx, memory, behavior, current, stabilized, max)
        }
        Some(behavior) if stabilized < current => {
            limit_down(cx, memory, behavior, current, stabilized, min)
        }
        Some(_) => {
            let path = LimitPath::Behavior {
                direction: None,
                policies: Vec::new(),
                select_policy: SelectPolicy::Max,
                limit: None,
            };
            (path, stabilized, LimitReason::DesiredWithinRange)
        }
    };
    LimitRate {
        current,
        stabilized,
        min,
        max,
        path,
        desired,
        reason,
    }
}

/// Policies of a direction, in order; the API server's defaults if there are none.
pub(crate) fn policies(rules: Option<&ScalingRules>, direction: Direction) -> &[ScalingPolicy] {
    let own = rules.and_then(|rules| rules.policies.as_deref());
    own.unwrap_or(match direction {
        Direction::Up => &DEFAULT_SCALE_UP_POLICIES,
        Direction::Down => &DEFAULT_SCALE_DOWN_POLICIES,
    })
}

/// Upstream: `convertDesiredReplicasWithRules` with `calculateScaleUpLimit`.
fn limit_without_behavior(
    cx: &ReconcileContext<'_>,
    current: i32,
    stabilized: i32,
    min: i32,
    max: i32,
) -> (LimitPath, i32, LimitReason) {
    let doubled = SCALE_UP_LIMIT_FACTOR * f64::from(current);
    let scale_up_limit = cx.float.to_i32(doubled.max(SCALE_UP_LIMIT_MINIMUM));
    let (upper, upper_reason) = if max > scale_up_limit {
        (scale_up_limit, LimitReason::ScaleUpLimit)
    } else {
        (max, LimitReason::TooManyReplicas)
    };
    let (desired, reason) = if stabilized < min {
        (min, LimitReason::TooFewReplicas)
    } else if stabilized > upper {
        (upper, upper_reason)
    } else {
        (stabilized, LimitReason::DesiredWithinRange)
    };
    (LimitPath::NoBehavior { scale_up_limit }, desired, reason)
}

/// Upstream: `convertDesiredReplicasWithBehaviorRate` with `calculateScaleUpLimitWithScalingRules`.
fn limit_up(
    cx: &ReconcileContext<'_>,
    memory: &Memory,
    behavior: &Behavior,
    current: i32,
    stabilized: i32,
    max: i32,
) -> (LimitPath, i32, LimitReason) {
    let rules = behavior.scale_up.as_ref();
    let bounds = policy_bounds(
        cx,
        memory,
        policies(rules, Direction::Up),
        current,
        Direction::Up,
    );
    let select_policy = select_policy(rules);
    let allowed = bounds.iter().map(|bound| bound.bound);
    let limit = select(select_policy, Direction::Up, current, allowed);
    let (upper, upper_reason) = if max > limit {
        (limit, LimitReason::ScaleUpLimit)
    } else {
        (max, LimitReason::TooManyReplicas)
    };
    let path = LimitPath::Behavior {
        direction: Some(Direction::Up),
        policies: bounds,
        select_policy,
        limit: Some(limit),
    };
    if stabilized > upper {
        (path, upper, upper_reason)
    } else {
        (path, stabilized, LimitReason::DesiredWithinRange)
    }
}

/// Upstream: `convertDesiredReplicasWithBehaviorRate` with `calculateScaleDownLimitWithBehaviors`.
fn limit_down(
    cx: &ReconcileContext<'_>,
    memory: &Memory,
    behavior: &Behavior,
    current: i32,
    stabilized: i32,
    min: i32,
) -> (LimitPath, i32, LimitReason) {
    let rules = behavior.scale_down.as_ref();
    let bounds = policy_bounds(
        cx,
        memory,
        policies(rules, Direction::Down),
        current,
        Direction::Down,
    );
    let select_policy = select_policy(rules);
    let allowed = bounds.iter().map(|bound| bound.bound);
    let limit = select(select_policy, Direction::Down, current, allowed);
    let (lower, lower_reason) = if min < limit {
        (limit, LimitReason::ScaleDownLimit)
    } else {
        (min, LimitReason::TooFewReplicas)
    };
    let path = LimitPath::Behavior {
        direction: Some(Direction::Down),
        policies: bounds,
        select_policy,
        limit: Some(limit),
    };
    if stabilized < lower {
        (path, lower, lower_reason)
    } else {
        (path, stabilized, LimitReason::DesiredWithinRange)
    }
}

/// The replicas that one sync can reach: the bound that `selectPolicy` picks, never in the opposite direction from
/// `current`.
pub(crate) fn select(
    select_policy: SelectPolicy,
    direction: Direction,
    current: i32,
    bounds: impl Iterator<Item = i32>,
) -> i32 {
    let selected = match (select_policy, direction) {
        (SelectPolicy::Disabled, _) => current,
        (SelectPolicy::Min, Direction::Up) | (SelectPolicy::Max, Direction::Down) => {
            bounds.fold(i32::MAX, i32::min)
        }
        (SelectPolicy::Max, Direction::Up) | (SelectPolicy::Min, Direction::Down) => {
            bounds.fold(i32::MIN, i32::max)
        }
    };
    match direction {
        Direction::Up => selected.max(current),
        Direction::Down => selected.min(current),
    }
}

/// What each policy allows, given the replicas at the start of its period. The arithmetic is int32 and wraps.
fn policy_bounds(
    cx: &ReconcileContext<'_>,
    memory: &Memory,
    policies: &[ScalingPolicy],
    current: i32,
    direction: Direction,
) -> Vec<PolicyBound> {
    let both = cx.switches.both_direction_events;
    let is_up = direction == Direction::Up;
    let changed = |events, counts: bool, period_seconds| {
        if counts {
            replicas_changed_in(events, period_seconds, cx.now)
        } else {
            (0, None)
        }
    };
    policies
        .iter()
        .map(|policy| {
            let period_seconds = policy.period_seconds;
            let (added, added_until) =
                changed(&memory.scale_up_events, both || is_up, period_seconds);
            let (removed, removed_until) =
                changed(&memory.scale_down_events, both || !is_up, period_seconds);
            let start = current.wrapping_sub(added).wrapping_add(removed);
            PolicyBound {
                policy_type: policy.policy_type,
                value: policy.value,
                period_seconds,
                added,
                removed,
                period_start_replicas: start,
                bound: bound(cx.float, policy, start, direction),
                expires: added_until.into_iter().chain(removed_until).min(),
            }
        })
        .collect()
}

/// The replicas that a policy allows, given the replicas at the start of its period. The arithmetic is int32 and wraps.
pub(crate) fn bound(
    float: FloatConversion,
    policy: &ScalingPolicy,
    start: i32,
    direction: Direction,
) -> i32 {
    let share = f64::from(policy.value) / 100.0;
    match (policy.policy_type, direction) {
        (PolicyType::Pods, Direction::Up) => start.wrapping_add(policy.value),
        (PolicyType::Pods, Direction::Down) => start.wrapping_sub(policy.value),
        (PolicyType::Percent, Direction::Up) => float.ceil_to_i32(f64::from(start) * (1.0 + share)),
        (PolicyType::Percent, Direction::Down) => float.to_i32(f64::from(start) * (1.0 - share)),
    }
}

/// `selectPolicy` of a direction.
pub(crate) fn select_policy(rules: Option<&ScalingRules>) -> SelectPolicy {
    rules
        .and_then(|rules| rules.select_policy)
        .unwrap_or(SelectPolicy::Max)
}

/// Upstream: `scaleUpLimitFactor`.
const SCALE_UP_LIMIT_FACTOR: f64 = 2.0;

/// Upstream: `scaleUpLimitMinimum`.
const SCALE_UP_LIMIT_MINIMUM: f64 = 4.0;

/// The API server's defaults for `scaleUp`.
const DEFAULT_SCALE_UP_POLICIES: [ScalingPolicy; 2] = [
    ScalingPolicy {
        policy_type: PolicyType::Pods,
        value: 4,
        period_seconds: 15,
    },
    ScalingPolicy {
        policy_type: PolicyType::Percent,
        value: 100,
        period_seconds: 15,
    },
];

/// The API server's defaults for `scaleDown`.
const DEFAULT_SCALE_DOWN_POLICIES: [ScalingPolicy; 1] = [ScalingPolicy {
    policy_type: PolicyType::Percent,
    value: 100,
    period_seconds: 15,
}];
