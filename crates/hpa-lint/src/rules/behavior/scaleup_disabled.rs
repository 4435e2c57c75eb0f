//! HPA306 `scaleup-disabled`.

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA306",
    name: "scaleup-disabled",
    summary: "scale-up is disabled",
    severity: Severity::Warning,
    yields_to: &["HPA308"],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("scaleup_disabled.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::up(cx).filter(Side::is_disabled);
    Ok(side
        .map(|side| {
            cx.finding(side.field("selectPolicy"))
                .message("scale-up is disabled, so no metric adds pods")
                .help("remove selectPolicy; if it is intended, suppress this with a reason")
        })
        .into_iter()
        .collect())
}
