//! HPA316 `period-below-sync`.

use hpa_engine::model::Provenance;

use super::side::Side;
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA316",
    name: "period-below-sync",
    summary: "a policy has a shorter period than the controller's sync",
    severity: Severity::Warning,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("period_below_sync.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let sync = cx.sync_period();
    let mut findings = Vec::new();
    for side in Side::enabled(cx) {
        for (index, policy) in side.own_policies().iter().enumerate() {
            let period = policy.period_seconds;
            if period <= 0 || sync.value.as_secs_f64() <= f64::from(period) {
                continue;
            }
            let finding = cx
                .finding(format!("{}.periodSeconds", side.policy_path(index)))
                .message(format!(
                    "periodSeconds {period} is shorter than the sync period {} s, so the policy applies per sync",
                    sync.value.as_secs_f64()
                ))
                .help("set periodSeconds to a multiple of the sync period, and adjust value to that time");
            findings.push(if sync.provenance == Provenance::Assumed {
                finding.basis(Basis::AssumedFlag)
            } else {
                finding
            });
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::Input;
    use jiff::SignedDuration;

    use super::RULE;
    use crate::{
        rules::behavior::testing::hpa,
        testing::{report_with, texts},
    };

    #[test]
    fn the_declared_sync_period_counts() {
        let found = |sync: i64, period: i32| {
            let policy = format!("{{type: Pods, value: 1, periodSeconds: {period}}}");
            let yaml = hpa(1, 9, &format!("{{scaleDown: {{policies: [{policy}]}}}}"));
            let report = report_with(&RULE, &yaml, |settings| {
                let sync = SignedDuration::from_secs(sync);
                settings.configs[0].sync_period = Input::given(sync);
            });
            texts(&report)
        };
        assert!(found(15, 15).is_empty() && found(5, 5).is_empty());
        assert_eq!(
            found(30, 29),
            [
                "warning spec.behavior.scaleDown.policies[0].periodSeconds: periodSeconds 29 is shorter than the sync \
                 period 30 s, so the policy applies per sync"
            ]
        );
    }
}
