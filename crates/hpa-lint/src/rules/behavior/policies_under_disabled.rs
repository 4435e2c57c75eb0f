//! HPA309 `policies-under-disabled`.

use super::side::{Side, with_fix};
use crate::{Check, Cx, FixStep, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA309",
    name: "policies-under-disabled",
    summary: "policies next to selectPolicy Disabled",
    severity: Severity::Info,
    is_fixable: true,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("policies_under_disabled.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let disabled = Side::both(cx).filter(Side::is_disabled);
    Ok(disabled
        .filter_map(|side| {
            let count = side.written.policies.as_ref()?.len();
            let path = side.field("policies");
            let are = if count == 1 {
                "policy is"
            } else {
                "policies are"
            };
            let finding = cx
                .finding(path.clone())
                .message(format!(
                    "{count} {} {are} ignored because selectPolicy is Disabled, so {} never happens",
                    side.name, side.name
                ))
                .help("remove policies, or remove selectPolicy: Disabled");
            Some(with_fix(cx, finding, FixStep::Remove { path }))
        })
        .collect())
}
