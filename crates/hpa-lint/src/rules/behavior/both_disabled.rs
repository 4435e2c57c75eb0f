//! HPA308 `both-disabled`.

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA308",
    name: "both-disabled",
    summary: "scale-up and scale-down are both disabled",
    severity: Severity::Warning,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("both_disabled.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let disabled: Vec<Side<'_>> = Side::both(cx).filter(Side::is_disabled).collect();
    if disabled.len() < 2 {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding("spec.behavior")
        .message("scale-up and scale-down are both disabled, so no metric changes the replicas")
        .help("delete the HPA, or remove selectPolicy: Disabled from one direction");
    Ok(vec![disabled.iter().fold(finding, |finding, side| {
        finding.label(side.field("selectPolicy"), format!("no {}", side.name))
    })])
}

#[cfg(test)]
mod tests {
    use super::super::{RULES, scaledown_disabled, scaleup_disabled};
    use crate::{
        rules::behavior::testing::hpa,
        testing::{report_with, table_of},
    };

    #[test]
    fn what_is_disabled_is_reported_once() {
        table_of(
            |[behavior]| {
                report_with(&super::RULE, &hpa(1, 9, behavior), |settings| {
                    settings.enabled = RULES.iter().map(|rule| rule.code).collect();
                })
            },
            "
both |{scaleUp: {selectPolicy: Disabled}, scaleDown: {selectPolicy: Disabled}} => warning spec.behavior: scale-up and scale-down are both disabled, so no metric changes the replicas
one |{scaleUp: {selectPolicy: Disabled}, scaleDown: {}} => warning spec.behavior.scaleUp.selectPolicy: scale-up is disabled, so no metric adds pods
",
        );
        let codes = [&scaleup_disabled::RULE, &scaledown_disabled::RULE].map(|rule| rule.yields_to);
        assert_eq!(codes, [["HPA308"], ["HPA308"]]);
    }
}
