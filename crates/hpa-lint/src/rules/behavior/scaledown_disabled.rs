//! HPA307 `scaledown-disabled`.

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA307",
    name: "scaledown-disabled",
    summary: "scale-down is disabled",
    severity: Severity::Info,
    yields_to: &["HPA308"],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("scaledown_disabled.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::down(cx).filter(Side::is_disabled);
    Ok(side
        .map(|side| {
            cx.finding(side.field("selectPolicy"))
                .message("scale-down is disabled, so the replicas stay at the highest peak")
                .help(
                    "remove selectPolicy, and use a policy such as {type: Pods, value: 1, periodSeconds: 60}; \
                     if it is intended, suppress this with a reason",
                )
        })
        .into_iter()
        .collect())
}
