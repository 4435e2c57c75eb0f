//! The controller did something else than was recomputed.

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};
use crate::FieldDifference;

/// Holds from a sync that differs until one that agrees. An unclear comparison is not a disagreement, and there is
/// none while the controller does not sync.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let disagreement = cx.hpa.log.disagreement()?;
    let fields = &disagreement.fields;
    let first = fields
        .iter()
        .find(|field| field.path == "status.desiredReplicas")
        .or(fields.first())?;
    let path = first.path.strip_prefix("status.").unwrap_or(&first.path);
    let first = FieldDifference {
        path: path.to_owned(),
        ..first.clone()
    };
    let more = match fields.len() {
        1 => String::new(),
        number => format!(" and {} more", number - 1),
    };
    Some(AlarmCondition {
        since: Some(disagreement.since),
        gist: first.path.clone(),
        lingers: cx.period * 2,
        ..cx.condition_of(
            AlarmKind::Disagreement,
            format!("the controller did something else: {first}{more}"),
        )
    })
}
