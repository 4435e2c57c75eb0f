//! The controller has not reconciled for three sync periods.
//!
//! The controller writes no status that stays the same, so a status of which nothing is written tells nothing. Only
//! where a reconcile would have to write another one is its absence told: other values of the metrics, other replicas.

use jiff::SignedDuration;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};
use crate::{
    explain::clock::rough,
    inference::value_text,
    model::{HpaStatus, MetricStatus, Provenance},
    trace::Trace,
    watch::SeenHpa,
};

/// Holds while a status waits to be written for three sync periods, and no other was written.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let overdue_since = cx.hpa.log.overdue_since()?;
    let overdue = cx.now.duration_since(overdue_since);
    let mut patience = cx.period * SYNCS;
    let period = cx.facts.observation.sync_period();
    if period.provenance == Provenance::Assumed {
        patience = patience.max(ASSUMED_AT_LEAST);
    }
    if overdue < patience {
        return None;
    }
    let why = overdue_field(&cx.hpa.latest)?;
    let mut others = cx
        .state
        .hpas
        .iter()
        .filter(|(key, other)| **key != cx.hpa.latest.hpa && other.deleted_at.is_none());
    // Its own has not changed since then.
    let changed_at = cx.state.status_changed_at;
    let others = match (others.next(), changed_at) {
        (None, _) => "",
        (_, Some(at)) if overdue_since < at => "; others are synced",
        _ => "; nor was any other seen to be",
    };
    Some(AlarmCondition {
        since: Some(overdue_since),
        lingers: SignedDuration::ZERO,
        gist: others.to_owned(),
        ..cx.condition_of(
            AlarmKind::NotReconciled,
            format!("not synced for {}: {why}{others}", rough(overdue)),
        )
    })
}

/// What a reconcile would have to write, if that is so: `cpu is 85%, the status says 60%`.
pub(in crate::watch) fn overdue_field(seen: &SeenHpa) -> Option<String> {
    let written = &seen.assessment.observation.hpa.status;
    let trace: &Trace = &seen.assessment.analysis.trace;
    let current = trace.current()?;
    if current != written.current_replicas {
        return Some(format!(
            "spec.replicas is {current}, the status says {}",
            written.current_replicas
        ));
    }
    let predicted: &HpaStatus = &trace.outcome.as_ref()?.status;
    let metrics = predicted
        .current_metrics
        .iter()
        .zip(&written.current_metrics);
    let is_failed = |one: &MetricStatus| matches!(one, MetricStatus::Failed);
    // A metric that cannot be read here may be readable for the controller, and still be what it was.
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

/// So many syncs may be missed.
const SYNCS: i32 = 3;

/// With a sync period that nobody confirmed it takes that long at least.
const ASSUMED_AT_LEAST: SignedDuration = SignedDuration::from_secs(60);
