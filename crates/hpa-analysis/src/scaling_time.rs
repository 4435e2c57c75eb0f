//! How long an HPA takes from one bound to the other under unlimited or no demand.

use hpa_engine::{
    engine::AfterMetrics,
    model::{
        ControllerConfig, Direction, Hpa, HpaSpec, HpaStatus, Memory, Observation, Provenance,
        Reading, Recommendation, Scale, ScalingRules, Shared,
    },
};
use jiff::{SignedDuration, Timestamp};

use super::timeline::next_expiry;

/// How long an HPA takes from one bound to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalingTime {
    /// From the first sync that sees the new demand to the one that reaches the bound.
    Reached(SignedDuration),
    /// It stops at this number of replicas.
    Stops(i32),
    /// Not finished after this time; the simulation ends there.
    LongerThan(SignedDuration),
}

/// How long an HPA takes from `minReplicas` (at least 1) to `maxReplicas` with unlimited demand, or back to
/// `minReplicas` with none. Runs the engine at every sync at which something can change.
///
/// Before the demand changes, the metrics recommended exactly the current replicas at every sync. `minReplicas` must
/// not be above `maxReplicas`.
pub fn scaling_time(
    spec: &HpaSpec,
    controller: &ControllerConfig,
    direction: Direction,
) -> ScalingTime {
    let observation = without_metrics(spec, controller);
    let engine = AfterMetrics::of(&observation);
    let sync = spec.sync_period(controller).value;
    let (from, to, proposal) = if direction == Direction::Up {
        (spec.min_replicas().max(1), spec.max_replicas, i32::MAX)
    } else {
        (spec.max_replicas, spec.min_replicas(), 0)
    };
    let start = Timestamp::UNIX_EPOCH;
    let mut memory = Memory {
        recommendations: Some(vec![Recommendation {
            replicas: from,
            at: start.saturating_sub(sync).unwrap_or(Timestamp::MIN),
            provenance: Provenance::Observed,
        }]),
        ..Memory::default()
    };
    let (mut current, mut elapsed) = (from, SignedDuration::ZERO);
    if current == to {
        return ScalingTime::Reached(elapsed);
    }
    for _ in 0..MOST_SYNCS {
        let now = start.saturating_add(elapsed).unwrap_or(Timestamp::MAX);
        let next = engine.reconcile(&mut memory, current, proposal, now);
        if next == to {
            return ScalingTime::Reached(elapsed);
        }
        let has_changed = next != current;
        current = next;
        // With behavior, a change reaches the current limit, which holds until something expires. Without behavior, the
        // limit moves with the replicas.
        let wait = if has_changed && spec.behavior.is_none() {
            sync
        } else if let Some(expiry) = next_expiry(&observation, &memory, proposal, now) {
            syncs_until(now, expiry, sync)
        } else {
            return ScalingTime::Stops(current);
        };
        elapsed = elapsed.saturating_add(wait);
    }
    ScalingTime::LongerThan(elapsed)
}

/// Like [`scaling_time`], if it is longer than `limit`; otherwise None. Most HPAs need no simulation for this.
pub fn scaling_time_beyond(
    spec: &HpaSpec,
    controller: &ControllerConfig,
    direction: Direction,
    limit: SignedDuration,
) -> Option<ScalingTime> {
    if at_most(spec, controller, direction).is_some_and(|time| time <= limit) {
        return None;
    }
    let time = scaling_time(spec, controller, direction);
    let is_within = matches!(time, ScalingTime::Reached(time) if time <= limit);
    (!is_within).then_some(time)
}

/// An upper bound: the window, then one pod in each longest period, because every policy allows a pod once nothing
/// changed within its period. None: the direction is disabled, or the numbers overflow.
fn at_most(
    spec: &HpaSpec,
    controller: &ControllerConfig,
    direction: Direction,
) -> Option<SignedDuration> {
    let rules = spec.behavior.as_ref()?.rules(direction);
    let policies = AfterMetrics::policies(rules, direction);
    let is_disabled = rules.is_some_and(ScalingRules::is_disabled);
    let values = policies.iter().map(|policy| policy.value);
    let is_large = MOST_PODS < spec.max_replicas || values.clone().any(|value| MOST_PODS < value);
    let is_invalid = policies.is_empty() || values.clone().any(|value| value < 1);
    if is_disabled || is_large || is_invalid {
        return None;
    }
    let window = spec.window(direction, controller);
    let sync = spec.sync_period(controller).value;
    let longest = policies.iter().map(|policy| policy.period_seconds).max()?;
    let longest = effective_period(SignedDuration::from_secs(longest.into()), sync);
    let pods = spec.max_replicas.saturating_sub(spec.min_replicas());
    Some(effective_period(window.value, sync).saturating_add(longest.saturating_mul(pods)))
}

/// An observation of this HPA without metrics and pods, for [`AfterMetrics`].
pub fn without_metrics(spec: &HpaSpec, controller: &ControllerConfig) -> Observation {
    Observation {
        controller: controller.clone(),
        hpa: Hpa {
            namespace: String::new(),
            name: String::new(),
            generation: None,
            created: None,
            spec: HpaSpec {
                metrics: Vec::new(),
                ..spec.clone()
            },
            status: HpaStatus::default(),
        },
        scale: Reading::Read(Scale::default()),
        scale_write_error: None,
        status_write_error: None,
        pods: Reading::Read(Shared::default()),
        pod_metrics: Reading::Read(Shared::default()),
        custom_metrics: Vec::new(),
        external_metrics: Vec::new(),
        other_hpas: hpa_engine::model::Neighbors::default(),
    }
}

/// How long the limit of a policy holds in effect, rounded up to whole syncs.
pub fn effective_period(period: SignedDuration, sync: SignedDuration) -> SignedDuration {
    to_syncs(period.as_nanos(), sync)
}

/// The time until the first sync that can see `expiry`, at least one sync period. `expiry` is a nanosecond too late for
/// limits that no longer count at the exact edge.
fn syncs_until(now: Timestamp, expiry: Timestamp, sync: SignedDuration) -> SignedDuration {
    to_syncs(
        expiry.duration_since(now).as_nanos().saturating_sub(1),
        sync,
    )
}

/// Rounds up to whole syncs, at least one.
fn to_syncs(nanoseconds: i128, sync: SignedDuration) -> SignedDuration {
    let period = sync.as_nanos().max(1);
    let syncs = nanoseconds.div_euclid(period) + i128::from(nanoseconds.rem_euclid(period) != 0);
    SignedDuration::from_nanos_i128(syncs.max(1).saturating_mul(period))
}

/// A limit on simulated syncs, far beyond any threshold of a rule.
const MOST_SYNCS: usize = 4096;

/// Up to this size, a percentage still removes at least one pod, and nothing overflows.
const MOST_PODS: i32 = 5000;
