//! HPA314 `scaleup-too-slow`.

use super::{
    side::{Side, bounds},
    slow_way::slow_way,
};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA314",
    name: "scaleup-too-slow",
    summary: "scaling from minReplicas to maxReplicas takes too long",
    severity: Severity::Warning,
    yields_to: &["HPA304", "HPA305"],
    thresholds: &[ConfigurableNumber {
        name: "time",
        default: 600.0,
        unit: ThresholdUnit::Seconds,
        summary: "the longest time from minReplicas to maxReplicas",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("scaleup_too_slow.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::up(cx).filter(|side| !side.is_disabled());
    let (Some(side), Some((min, max))) = (side, bounds(cx)) else {
        return Ok(Vec::new());
    };
    let field = if side.written.policies.is_some() {
        "policies"
    } else {
        "stabilizationWindowSeconds"
    };
    let finding = slow_way(cx, side, (min.max(1), max), cx.threshold("time"), field);
    let help = "raise value or shorten periodSeconds of a policy, or shorten the window";
    Ok(finding.into_iter().map(|one| one.help(help)).collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{rules::behavior::testing::hpa, testing::table};

    #[test]
    fn more_than_ten_minutes_are_too_long() {
        table(
            &RULE,
            |[min, max, window, policy]| {
                let window = match window {
                    "" => String::new(),
                    window => format!("stabilizationWindowSeconds: {window}, "),
                };
                let (kind, value) = policy.split_once(' ').unwrap();
                let policy = format!("{{type: {kind}, value: {value}, periodSeconds: 60}}");
                let behavior = format!("{{scaleUp: {{{window}policies: [{policy}]}}}}");
                hpa(min, max, &behavior)
            },
            r"
the first pod comes immediately, so these are ten minutes | 1 | 12 | | Pods 1
eleven minutes | 1 | 13 | | Pods 1 => warning spec.behavior.scaleUp.policies: scaling up from 1 to 13 takes 11 min even at full load
the window counts until the fourth sync that sees the demand | 1 | 13 | 60 | Pods 1 => warning spec.behavior.scaleUp.policies: scaling up from 1 to 13 takes 11 min 45 s even at full load
doublings to 100 | 10 | 100 | 60 | Percent 100
doublings to thousands | 10 | 2000 | 60 | Percent 100
doublings of a huge range | 10 | 20000 | 60 | Percent 100
doublings of the largest range | 10 | 2000000 | 60 | Percent 100
the last four doublings | 1 | 100 | 60 | Pods 4 => warning spec.behavior.scaleUp.policies: scaling up from 6 to 100 takes 23 min 45 s even at full load
a small share of a huge range | 10 | 20000 | 60 | Percent 10 => warning …
a policy that overflows stops it | 1 | 9 | | Pods 2147483647 => warning spec.behavior.scaleUp.policies: scaling up from 1 to 9 stops at 1 even at full load
",
        );
    }
}
