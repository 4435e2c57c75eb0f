//! The result of a counterfactual.

use hpa_analysis::{Counterfactual, ReplicaChange};
use hpa_engine::{model::Direction, trace::Decision};

use crate::{Facts, ladder::deciding_policy_of, rules::policy::policy_rate};

/// `scales to 6`: the result of the next sync.
pub(super) fn result(one: &Counterfactual) -> String {
    if let Some((low, high)) = one.range {
        return format!("between {low} and {high}");
    }
    match one.trace.decision {
        Decision::Hold { current } => format!("stays at {current}"),
        Decision::Rescale { to, .. } => format!("scales to {to}"),
        Decision::Failed { .. } => "no decision".to_owned(),
        Decision::Disabled => "off".to_owned(),
        Decision::Unknown { .. } => "not known".to_owned(),
    }
}

/// The final replicas, if windows and periods come first; `None` if the next sync sets them.
pub(super) fn in_the_end(one: &Counterfactual, ahead: &[ReplicaChange]) -> Option<i32> {
    ahead
        .last()
        .map(|last| last.to)
        .filter(|end| one.range.is_none() && Some(*end) != one.replicas())
}

/// The policy that holds the replicas once the one that does so today is gone: `held by 30% per 60 s`.
pub(super) fn held_by_policy(facts: &Facts<'_>, side: Direction) -> Option<String> {
    let (_, policy) = deciding_policy_of(facts).filter(|(direction, _)| *direction == side)?;
    let rate = policy_rate(policy.policy_type, policy.value, policy.period_seconds);
    Some(format!("held by {rate}"))
}
