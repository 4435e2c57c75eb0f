//! The controller did something else than was recomputed.

use super::{
    AlarmKind,
    conditions::{Condition, Cx},
};

/// Holds from a reconcile that differs until one that agrees. What is unclear is no disagreement, and where the controller
/// does not reconcile at all there is none either.
pub(super) fn check(cx: &Cx<'_>) -> Option<Condition> {
    let disagreement = cx.hpa.log.disagreement()?;
    let fields = &disagreement.fields;
    let first = fields
        .iter()
        .find(|field| field.starts_with("status.desiredReplicas"))
        .or(fields.first())?;
    let first = first.strip_prefix("status.").unwrap_or(first);
    let more = match fields.len() {
        1 => String::new(),
        number => format!(" and {} more", number - 1),
    };
    let (path, _) = first.split_once(':').unwrap_or((first, ""));
    Some(Condition {
        since: Some(disagreement.since),
        gist: path.to_owned(),
        lingers: cx.period * 2,
        ..cx.condition_of(
            AlarmKind::Disagreement,
            format!("the controller did something else: {first}{more}"),
        )
    })
}
