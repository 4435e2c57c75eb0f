//! Not reconciled: the controller would have to write another status, and has not.
//!
//! The controller does not write an unchanged status, so a missing write proves nothing. What counts is a sync that would
//! have to write another one: other replicas, other metric values.

use hpa_analysis::value_text;
use hpa_engine::{
    model::{Context, MetricStatus, Observation, Provenance},
    trace::Trace,
};
use jiff::{SignedDuration, Timestamp};

/// This many syncs may be missed.
pub const SYNCS: i32 = 3;

/// With an assumed sync period, it takes at least this long.
pub const ASSUMED_AT_LEAST: SignedDuration = SignedDuration::from_secs(60);

/// From one read, it takes at least this long: times of a cluster have whole seconds, and a controller with a short period
/// and many HPAs is late.
pub const ONE_READ_AT_LEAST: SignedDuration = SignedDuration::from_secs(15);

/// A status that has been due for too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReconciled {
    /// Since when another status is due, at the latest.
    pub since: Timestamp,
    /// What would have to be written.
    pub why: String,
}

/// How long a status may be due, with this sync period.
pub fn patience(observation: &Observation, period: SignedDuration) -> SignedDuration {
    let patience = period.checked_mul(SYNCS).unwrap_or(SignedDuration::MAX);
    match observation.sync_period().provenance {
        Provenance::Assumed => patience.max(ASSUMED_AT_LEAST),
        _ => patience,
    }
}

/// The field that a sync would have to write, if any: `its metric is 85%, the status says 60%`.
pub fn due_field(observation: &Observation, trace: &Trace) -> Option<String> {
    if let Some(replicas) = due_replicas(observation, trace) {
        return Some(replicas);
    }
    let written = &observation.hpa.status;
    let predicted = &trace.outcome.as_ref()?.status;
    let metrics = predicted
        .current_metrics
        .iter()
        .zip(&written.current_metrics);
    let is_failed = |one: &MetricStatus| matches!(one, MetricStatus::Failed);
    // The controller may be able to read a metric that cannot be read here, and its value may be unchanged.
    if metrics
        .clone()
        .any(|(new, old)| is_failed(new) || is_failed(old))
    {
        return None;
    }
    metrics
        .filter(|(new, old)| new != old)
        .map(|(new, old)| (value_text(new), value_text(old)))
        .find(|(new, old)| new != old)
        .map(|(new, old)| format!("its metric is {new}, the status says {old}"))
}

fn due_replicas(observation: &Observation, trace: &Trace) -> Option<String> {
    let status = &observation.hpa.status;
    // A sync that cannot read the scale leaves the replicas of the status as they are.
    let unable = status.false_condition("AbleToScale");
    if unable.is_some_and(|unable| unable.reason == "FailedGetScale") {
        return None;
    }
    let (current, written) = (trace.current()?, status.current_replicas);
    (current != written).then(|| format!("spec.replicas is {current}, the status says {written}"))
}

/// What one read shows: the replicas were changed some time ago, and the status still has those before.
pub fn not_reconciled(
    observation: &Observation,
    context: &Context,
    trace: &Trace,
    now: Timestamp,
) -> Option<NotReconciled> {
    let why = due_replicas(observation, trace)?;
    let changed = last_change(observation, context, trace.current()?)?;
    // Before there was an HPA, nothing had to be synced.
    let since = match observation.hpa.created {
        Some(created) => created.max(changed),
        None if observation.hpa.status.conditions.is_empty() => return None,
        None => changed,
    };
    let patience = patience(observation, observation.sync_period().value).max(ONE_READ_AT_LEAST);
    (patience <= now.duration_since(since)).then_some(NotReconciled { since, why })
}

/// When the replicas were last set to `current`; none: nothing shows it.
fn last_change(observation: &Observation, context: &Context, current: i32) -> Option<Timestamp> {
    let status = &observation.hpa.status;
    let seen = context.seen_writes.writes.last();
    let seen = seen.filter(|write| write.to == current);
    let managers = context
        .target
        .as_ref()
        .map(|target| &target.replicas_written_by);
    let managers = managers.into_iter().flatten().map(|manager| manager.time);
    let written: Option<Vec<Timestamp>> = managers.collect();
    let written = written?.into_iter().max();
    let own = (status.desired_replicas == current).then_some(status.last_scale_time);
    let shown = seen.map(|write| write.at).or(written).or(own.flatten())?;
    Some(shown).max(status.last_scale_time)
}
