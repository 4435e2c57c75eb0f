//! The controller has not synced for three sync periods.

use hpa_diagnosis::not_reconciled::{due_field, patience};
use hpa_words::clock::rough;
use jiff::SignedDuration;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};

/// Holds while a status has been due for three sync periods, and no other was written.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let overdue_since = cx.hpa.log.overdue_since()?;
    let overdue = cx.now.duration_since(overdue_since);
    let observation = cx.facts.observation;
    if overdue < patience(observation, cx.period) {
        return None;
    }
    let why = due_field(observation, cx.facts.trace)?;
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
