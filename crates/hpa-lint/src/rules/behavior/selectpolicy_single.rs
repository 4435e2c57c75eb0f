//! HPA312 `selectpolicy-single`.

use hpa_engine::engine::AfterMetrics;

use super::side::{Side, with_fix};
use crate::{Check, Cx, FixStep, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA312",
    name: "selectpolicy-single",
    summary: "selectPolicy with one policy",
    severity: Severity::Info,
    is_opt_in: true,
    is_fixable: true,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("selectpolicy_single.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    Ok(Side::enabled(cx)
        .filter_map(|side| {
            let select = side.written.select_policy.as_deref()?;
            if AfterMetrics::policies(Some(side.rules), side.direction).len() != 1 {
                return None;
            }
            let path = side.field("selectPolicy");
            let finding = cx
                .finding(path.clone())
                .message(format!(
                    "selectPolicy {select} has no effect with one policy"
                ))
                .help("remove selectPolicy");
            // Without the policies, the direction might be empty.
            Some(if side.written.policies.is_some() {
                with_fix(cx, finding, FixStep::Remove { path })
            } else {
                finding
            })
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn policies_that_the_api_server_fills_in_count() {
        assert!(findings_of(&RULE, 1, 9, "{scaleUp: {selectPolicy: Min}}").is_empty());
        assert_eq!(
            findings_of(&RULE, 1, 9, "{scaleDown: {selectPolicy: Min}}").len(),
            1
        );
    }
}
