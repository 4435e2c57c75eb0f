//! The controller has not synced for three sync periods.

use hpa_diagnosis::not_reconciled::{self as judged, NotReconciled, due_field, patience};
use hpa_words::clock::rough;
use jiff::SignedDuration;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};

/// Holds while a status has been due for three sync periods, and no other was written.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let (observation, trace) = (cx.facts.observation, cx.facts.trace);
    let context = &cx.hpa.latest.assessment.context;
    let seen_since = cx.hpa.log.overdue_since()?;
    let NotReconciled { since, why } =
        match judged::not_reconciled(observation, context, trace, cx.now) {
            Some(found) => found,
            None if cx.now.duration_since(seen_since) < patience(observation, cx.period) => {
                return None;
            }
            None => NotReconciled {
                since: seen_since,
                why: due_field(observation, trace)?,
            },
        };
    let mut others = cx
        .state
        .hpas
        .iter()
        .filter(|(key, other)| **key != cx.hpa.latest.hpa && other.deleted_at.is_none());
    // Its own status has not changed since then.
    let changed_at = cx.state.status_changed_at;
    let others = match (others.next(), changed_at) {
        (None, _) => "",
        (_, Some(at)) if seen_since < at => "; others are synced",
        _ => "; nor was any other seen to be",
    };
    Some(AlarmCondition {
        since: Some(since),
        lingers: SignedDuration::ZERO,
        ..cx.condition_of(
            AlarmKind::NotReconciled,
            format!(
                "not synced for {}: {why}{others}",
                rough(cx.now.duration_since(since))
            ),
        )
    })
}
