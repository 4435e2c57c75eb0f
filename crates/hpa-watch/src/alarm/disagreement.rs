//! The controller did something else than was recomputed.

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};
use crate::FieldDifference;

/// `5 replicas were recomputed, and it decided 4`.
fn what(field: &FieldDifference) -> String {
    match (&field.recomputed, &field.recorded) {
        (Some(recomputed), Some(recorded)) if field.path == "desiredReplicas" => {
            format!("{recomputed} replicas were recomputed, and it decided {recorded}")
        }
        _ => field.to_string(),
    }
}

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
        2 => "; 1 more field differs".to_owned(),
        number => format!("; {} more fields differ", number - 1),
    };
    Some(AlarmCondition {
        since: Some(disagreement.since),
        gist: first.path.clone(),
        lingers: cx.period * 2,
        ..cx.condition_of(
            AlarmKind::Disagreement,
            format!("the controller did something else: {}{more}", what(&first)),
        )
    })
}
