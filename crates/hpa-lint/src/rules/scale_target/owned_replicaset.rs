//! HPA412 `owned-replicaset`.

use super::{
    owner::{controlling_owner, sets_replicas},
    reference::target_name,
};
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA412",
    name: "owned-replicaset",
    summary: "the target is owned by something that sets its replicas",
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("owned_replicaset.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let owner = controlling_owner(cx)?.filter(|owner| sets_replicas(&owner.kind));
    let findings = owner.map(|owner| {
        let name = owner.to_string();
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} is owned by {name}, which sets its replicas and undoes the HPA",
                target_name(cx)
            ))
            .help(format!("name {name} in spec.scaleTargetRef instead"))
    });
    Ok(findings.into_iter().collect())
}
