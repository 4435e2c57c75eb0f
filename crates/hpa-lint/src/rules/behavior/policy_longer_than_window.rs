//! HPA326 `policy-longer-than-window`.

use hpa_engine::model::{Direction, Provenance};
use jiff::SignedDuration;

use super::side::Side;
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA326",
    name: "policy-longer-than-window",
    summary: "a scale-down policy has a far longer period than the window",
    severity: Severity::Info,
    is_opt_in: true,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("policy_longer_than_window.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some(side) = Side::down(cx).filter(|side| !side.is_disabled()) else {
        return Ok(Vec::new());
    };
    let window = cx.subject.spec.window(Direction::Down, cx.config);
    let longest = window.value.saturating_mul(4);
    if longest <= SignedDuration::ZERO {
        return Ok(Vec::new());
    }
    let policies = side.own_policies().iter().enumerate();
    Ok(policies
        .filter(|(_, policy)| longest < SignedDuration::from_secs(policy.period_seconds.into()))
        .map(|(index, policy)| {
            let finding = cx
                .finding(format!("{}.periodSeconds", side.policy_path(index)))
                .message(format!(
                    "periodSeconds {} is more than four times the scale-down window {} s, so the window hardly \
                     matters",
                    policy.period_seconds,
                    window.value.as_secs()
                ))
                .help(format!(
                    "set periodSeconds to {} or less, or lengthen the window",
                    longest.as_secs()
                ));
            match window.provenance {
                Provenance::Observed => {
                    finding.label(side.field("stabilizationWindowSeconds"), "the window")
                }
                Provenance::Assumed => finding.basis(Basis::AssumedFlag),
                _ => finding,
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn four_times_the_window_is_not_too_long() {
        let found = |window: &str, period: i32| {
            let policies = format!("policies: [{{type: Pods, value: 1, periodSeconds: {period}}}]");
            findings_of(
                &RULE,
                1,
                9,
                &format!("{{scaleDown: {{{window} {policies}}}}}"),
            )
            .len()
        };
        let window = "stabilizationWindowSeconds: 60,";
        assert_eq!([240, 241].map(|period| found(window, period)), [0, 1]);
        assert_eq!([1200, 1201].map(|period| found("", period)), [0, 1]);
        assert_eq!(found("stabilizationWindowSeconds: 0,", 60), 0);
    }
}
