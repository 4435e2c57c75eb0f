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
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn ten_minutes_are_not_too_long() {
        let found = |max: i32| {
            let policy = "{type: Pods, value: 1, periodSeconds: 60}";
            findings_of(
                &RULE,
                1,
                max,
                &format!("{{scaleUp: {{policies: [{policy}]}}}}"),
            )
        };
        // The first pod comes immediately.
        assert!(found(12).is_empty());
        assert_eq!(
            found(13),
            [
                "warning spec.behavior.scaleUp.policies: scaling up from 1 to 13 takes 11 min even at full load"
            ]
        );
    }

    #[test]
    fn the_window_counts() {
        let policy = "{type: Pods, value: 1, periodSeconds: 60}";
        let behavior =
            format!("{{scaleUp: {{stabilizationWindowSeconds: 60, policies: [{policy}]}}}}");
        // The recommendation of the sync before the demand is one minute old at the fourth sync that sees the demand.
        assert_eq!(
            findings_of(&RULE, 1, 13, &behavior),
            [
                "warning spec.behavior.scaleUp.policies: scaling up from 1 to 13 takes 11 min 45 s even at full load"
            ]
        );
    }

    #[test]
    fn a_huge_range_is_judged_by_its_last_four_doublings() {
        let found = |min: i32, max: i32, policy: &str| {
            let behavior = format!(
                "{{scaleUp: {{stabilizationWindowSeconds: 60, policies: [{{{policy}, periodSeconds: 60}}]}}}}"
            );
            findings_of(&RULE, min, max, &behavior)
        };
        for max in [100, 2_000, 20_000, 2_000_000] {
            assert!(
                found(10, max, "type: Percent, value: 100").is_empty(),
                "{max}"
            );
        }
        assert_eq!(
            found(1, 100, "type: Pods, value: 4"),
            [
                "warning spec.behavior.scaleUp.policies: scaling up from 6 to 100 takes 23 min 45 s even at full load"
            ]
        );
        assert_eq!(found(10, 20_000, "type: Percent, value: 10").len(), 1);
    }

    #[test]
    fn a_policy_that_overflows_stops_scale_up() {
        let policy = "{type: Pods, value: 2147483647, periodSeconds: 60}";
        let behavior = format!("{{scaleUp: {{policies: [{policy}]}}}}");
        assert_eq!(
            findings_of(&RULE, 1, 9, &behavior),
            [
                "warning spec.behavior.scaleUp.policies: scaling up from 1 to 9 stops at 1 even at full load"
            ]
        );
    }
}
