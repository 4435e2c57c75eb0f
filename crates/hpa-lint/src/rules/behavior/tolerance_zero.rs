//! HPA322 `tolerance-zero`.

use super::side::{Side, rounded};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA322",
    name: "tolerance-zero",
    summary: "a tolerance that is too small to absorb noise",
    severity: Severity::Warning,
    thresholds: &[ConfigurableNumber {
        name: "tolerance",
        default: 0.01,
        unit: ThresholdUnit::Ratio,
        summary: "the smallest tolerance that is not reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("tolerance_zero.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    Ok(Side::tolerances(cx)
        .filter(|(_, tolerance)| (0.0..cx.threshold("tolerance")).contains(tolerance))
        .map(|(side, tolerance)| {
            cx.finding(side.field("tolerance"))
                .message(format!(
                    "tolerance {} on {} reacts to every percentage point, so noise changes the replicas",
                    rounded(tolerance),
                    side.name
                ))
                .help("set tolerance to 0.02 or more")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::behaviors;

    #[test]
    fn one_percent_is_enough() {
        behaviors(
            &RULE,
            "
one percent |1 |9 |{scaleDown: {tolerance: 10m}}
less |1 |9 |{scaleDown: {tolerance: 9m}} => warning spec.behavior.scaleDown.tolerance: tolerance 0.009 on scale-down reacts to every percentage point, so noise changes the replicas
",
        );
    }
}
