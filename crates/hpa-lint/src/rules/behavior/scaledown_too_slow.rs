//! HPA315 `scaledown-too-slow`.

use super::{
    side::{Side, bounds},
    slow_way::slow_way,
};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA315",
    name: "scaledown-too-slow",
    summary: "scaling from maxReplicas to minReplicas takes hours",
    severity: Severity::Info,
    thresholds: &[ConfigurableNumber {
        name: "time",
        default: 21_600.0,
        unit: ThresholdUnit::Seconds,
        summary: "the longest time from maxReplicas to minReplicas",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("scaledown_too_slow.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::down(cx).filter(|side| !side.is_disabled());
    let (Some(side), Some((min, max))) = (side, bounds(cx)) else {
        return Ok(Vec::new());
    };
    let finding = slow_way(cx, side, (min, max), cx.threshold("time"), "policies");
    let help = "raise value or shorten periodSeconds of a policy";
    Ok(finding.into_iter().map(|one| one.help(help)).collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::behaviors;

    #[test]
    fn six_hours_are_not_too_long() {
        // The first pod goes immediately.
        behaviors(
            &RULE,
            "
six hours |1 |14 |{scaleDown: {stabilizationWindowSeconds: 0, policies: [{type: Pods, value: 1, periodSeconds: 1800}]}}
more |1 |15 |{scaleDown: {stabilizationWindowSeconds: 0, policies: [{type: Pods, value: 1, periodSeconds: 1800}]}} => info spec.behavior.scaleDown.policies: scaling down from 15 to 1 takes 6 h 30 min even without load
",
        );
    }
}
