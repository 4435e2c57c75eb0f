//! HPA319 `percent-over-100-down`.

use hpa_engine::model::PolicyType;

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA319",
    name: "percent-over-100-down",
    summary: "scale-down by more than 100%",
    severity: Severity::Warning,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("percent_over_100_down.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some(side) = Side::down(cx).filter(|side| !side.is_disabled()) else {
        return Ok(Vec::new());
    };
    let policies = side.own_policies().iter().enumerate();
    Ok(policies
        .filter(|(_, policy)| policy.policy_type == PolicyType::Percent && 100 < policy.value)
        .map(|(index, policy)| {
            cx.finding(format!("{}.value", side.policy_path(index)))
                .message(format!(
                    "scale-down by {}% is more than all pods, so it limits nothing",
                    policy.value
                ))
                .help("set value to 100 or less")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn a_hundred_percent_are_everything_and_up_may_be_more() {
        let found = |direction: &str, value: i32| {
            let policy = format!("{{type: Percent, value: {value}, periodSeconds: 60}}");
            findings_of(
                &RULE,
                1,
                9,
                &format!("{{{direction}: {{policies: [{policy}]}}}}"),
            )
            .len()
        };
        assert_eq!([100, 101].map(|value| found("scaleDown", value)), [0, 1]);
        assert_eq!(found("scaleUp", 900), 0);
    }
}
