//! HPA302 `scaledown-window-short`.

use super::side::Side;
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA302",
    name: "scaledown-window-short",
    summary: "the scale-down window is too short to smooth anything",
    severity: Severity::Info,
    yields_to: &["HPA327"],
    thresholds: &[ConfigurableNumber {
        name: "window",
        default: 60.0,
        unit: ThresholdUnit::Seconds,
        summary: "the shortest window that is not reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("scaledown_window_short.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((side, seconds)) = Side::down(cx).and_then(Side::with_window) else {
        return Ok(Vec::new());
    };
    if seconds <= 0 || cx.threshold("window") <= f64::from(seconds) {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding(side.field("stabilizationWindowSeconds"))
            .message(format!(
                "the scale-down window is {seconds} s, too short for more than a few samples, so it hardly \
                 smooths anything"
            ))
            .help("set stabilizationWindowSeconds to 120, or to 0 with a policy that limits the rate"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn windows_from_one_second_to_just_below_a_cycle_are_short() {
        let found = |seconds: i32| {
            let behavior = format!("{{scaleDown: {{stabilizationWindowSeconds: {seconds}}}}}");
            findings_of(&RULE, 1, 9, &behavior).len()
        };
        assert_eq!([0, 1, 59, 60].map(found), [0, 1, 1, 0]);
    }
}
