//! How long an HPA takes from one bound to the other if its metrics ask for all, or for nothing.

use jiff::{SignedDuration, Timestamp};

use super::timeline::next_expiry;
use crate::{
    engine::AfterMetrics,
    model::{
        ControllerConfig, Hpa, HpaSpec, HpaStatus, Memory, Observation, Provenance, Reading,
        Recommendation, Scale,
    },
    trace::ScalingDirection,
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
    direction: ScalingDirection,
) -> ScalingTime {
    let observation = without_metrics(spec, controller);
    let engine = AfterMetrics::of(&observation);
    let sync = controller.sync_period.value;
    let (from, to, asked) = if direction == ScalingDirection::Up {
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
        let next = engine.reconcile(&mut memory, current, asked, now);
        if next == to {
            return ScalingTime::Reached(elapsed);
        }
        let wait = if next == current {
            let Some(expiry) = next_expiry(&observation, &memory, asked, now) else {
                return ScalingTime::Stops(current);
            };
            syncs_until(now, expiry, sync)
        } else {
            sync
        };
        current = next;
        elapsed = elapsed.saturating_add(wait);
    }
    ScalingTime::LongerThan(elapsed)
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
        pods: Reading::Read(Vec::new()),
        pod_metrics: Reading::Read(Vec::new()),
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
