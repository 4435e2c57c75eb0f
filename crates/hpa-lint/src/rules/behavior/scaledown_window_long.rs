//! HPA303 `scaledown-window-long`.

use super::side::Side;
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA303",
    name: "scaledown-window-long",
    summary: "the scale-down window is very long",
    severity: Severity::Info,
    thresholds: &[ConfigurableNumber {
        name: "window",
        default: 1800.0,
        unit: ThresholdUnit::Seconds,
        summary: "the longest window that is not reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("scaledown_window_long.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((side, seconds)) = Side::down(cx).and_then(Side::with_window) else {
        return Ok(Vec::new());
    };
    if f64::from(seconds) <= cx.threshold("window") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding(side.field("stabilizationWindowSeconds"))
            .message(format!(
                "the scale-down window is {seconds} s, so one peak keeps its pods that long"
            ))
            .help(
                "set stabilizationWindowSeconds to 300, and add a policy such as \
                 {type: Percent, value: 10, periodSeconds: 60}",
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn half_an_hour_is_not_too_long() {
        let found = |seconds: i32| {
            let behavior = format!("{{scaleDown: {{stabilizationWindowSeconds: {seconds}}}}}");
            findings_of(&RULE, 1, 9, &behavior).len()
        };
        assert_eq!([1800, 1801].map(found), [0, 1]);
    }
}
