//! The controller has not synced for three sync periods.
//!
//! The controller does not write an unchanged status, so a missing write proves nothing. A missing sync is reported
//! only if it would have to write another status: other metric values, other replicas.

use hpa_engine::model::Provenance;
use hpa_words::clock::rough;
use jiff::SignedDuration;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};
use crate::overdue::overdue_field;

/// Holds while a status has been due for three sync periods, and no other was written.
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
    // Its own status has not changed since then.
    let changed_at = cx.state.status_changed_at;
    let others = match (others.next(), changed_at) {
        (None, _) => "",
        (_, Some(at)) if overdue_since < at => "; others are synced",
        _ => "; nor was any other seen to be",
    };
    Some(AlarmCondition {
        since: Some(overdue_since),
        lingers: SignedDuration::ZERO,
        ..cx.condition_of(
            AlarmKind::NotReconciled,
            format!("not synced for {}: {why}{others}", rough(overdue)),
        )
    })
}

/// This many syncs may be missed.
const SYNCS: i32 = 3;

/// With an assumed sync period, the alarm takes at least this long.
const ASSUMED_AT_LEAST: SignedDuration = SignedDuration::from_secs(60);
