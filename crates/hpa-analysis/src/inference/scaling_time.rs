//! How long an HPA takes from one bound to the other if its metrics ask for all, or for nothing.

use jiff::{SignedDuration, Timestamp};

use super::timeline::next_expiry;
use crate::{
    engine::AfterMetrics,
    model::{
        ControllerConfig, Direction, Hpa, HpaSpec, HpaStatus, Memory, Observation, Provenance,
        Reading, Recommendation, Scale, ScalingRules, Shared,
    },
};

/// How long an HPA takes from one bound to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalingTime {
    /// From the first reconcile that sees the new demand to the one that reaches the bound.
    Reached(SignedDuration),
    /// It stops at so many replicas and never goes on.
    Stops(i32),
    /// After so long it was still under way, and nobody looked further.
    LongerThan(SignedDuration),
}

/// Works out how long an HPA takes from `minReplicas` (at least 1) to `maxReplicas` with unlimited demand, or back to
/// `minReplicas` with none, by letting the engine reconcile at every sync at which something may change.
///
/// Before the demand changes, the metrics asked at every sync for exactly the replicas there were. `minReplicas` is not
/// above `maxReplicas`.
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
        // A change with behavior reaches the limit of the moment, which stays until something expires. Without behavior
        // the limit moves with the replicas.
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

/// The same, if it takes longer than `limit`; none if it does not. Most HPAs need no simulation to know that.
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

/// The window, and then one pod in each longest period: slower it cannot be, because every policy allows a pod as soon
/// as nothing changed within its period. None: a direction is disabled, or numbers are so large that they overflow.
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

/// An observation of this HPA that says nothing of its metrics and pods, for [`AfterMetrics`].
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
        other_hpas: Vec::new(),
    }
}

/// How long the limit of a policy holds in effect: the controller looks at its syncs only.
pub fn effective_period(period: SignedDuration, sync: SignedDuration) -> SignedDuration {
    to_syncs(period.as_nanos(), sync)
}

/// The time to the first sync that may see `expiry`, which is a nanosecond too late for all that does not count at the
/// very edge; at least one sync period.
fn syncs_until(now: Timestamp, expiry: Timestamp, sync: SignedDuration) -> SignedDuration {
    to_syncs(
        expiry.duration_since(now).as_nanos().saturating_sub(1),
        sync,
    )
}

/// Rounded up to syncs, at least one.
fn to_syncs(nanoseconds: i128, sync: SignedDuration) -> SignedDuration {
    let period = sync.as_nanos().max(1);
    let syncs = nanoseconds.div_euclid(period) + i128::from(nanoseconds.rem_euclid(period) != 0);
    SignedDuration::from_nanos_i128(syncs.max(1).saturating_mul(period))
}

/// More reconciles than a rule has time for: far beyond any threshold.
const MOST_SYNCS: usize = 4096;

/// Up to here a percentage still takes a pod away, and nothing overflows.
const MOST_PODS: i32 = 5000;
