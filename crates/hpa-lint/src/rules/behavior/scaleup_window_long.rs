//! HPA304 `scaleup-window-long`.

use super::side::Side;
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA304",
    name: "scaleup-window-long",
    summary: "the scale-up window is long",
    severity: Severity::Warning,
    yields_to: &["HPA305"],
    thresholds: &[ConfigurableNumber {
        name: "window",
        default: 120.0,
        unit: ThresholdUnit::Seconds,
        summary: "the longest window that is not reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("scaleup_window_long.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((side, seconds)) = Side::up(cx).and_then(Side::with_window) else {
        return Ok(Vec::new());
    };
    if f64::from(seconds) <= cx.threshold("window") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding(side.field("stabilizationWindowSeconds"))
            .message(format!(
                "the scale-up window is {seconds} s, so one dip in that time delays the scale-up"
            ))
            .help(
                "set stabilizationWindowSeconds to 60 or less, and limit the speed with a policy",
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn two_minutes_are_not_too_long_and_a_disabled_side_has_no_window() {
        let found = |rest: &str| {
            let behavior = format!("{{scaleUp: {{stabilizationWindowSeconds: {rest}}}}}");
            findings_of(&RULE, 1, 9, &behavior).len()
        };
        assert_eq!(["120", "121"].map(found), [0, 1]);
        assert_eq!(found("121, selectPolicy: Disabled"), 0);
    }
}
