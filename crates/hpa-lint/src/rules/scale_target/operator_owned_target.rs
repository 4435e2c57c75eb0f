//! HPA413 `operator-owned-target`.

use super::{
    owner::{controlling_owner, sets_replicas},
    reference::target_name,
};
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA413",
    name: "operator-owned-target",
    summary: "the target belongs to a custom resource",
    severity: Severity::Info,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("operator_owned_target.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let owner = controlling_owner(cx)?.filter(|owner| !sets_replicas(&owner.kind));
    let findings = owner.map(|owner| {
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} belongs to {}/{}, whose operator might overwrite the replicas that the HPA sets",
                target_name(cx),
                owner.kind,
                owner.name
            ))
            .help(format!(
                "use the autoscaling setting of {}/{}, if it has one",
                owner.kind, owner.name
            ))
    });
    Ok(findings.into_iter().collect())
}
