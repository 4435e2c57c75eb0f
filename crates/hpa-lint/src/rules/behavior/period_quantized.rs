//! HPA317 `period-quantized`.

use hpa_analysis::effective_period;
use hpa_engine::model::Provenance;
use hpa_words::clock::duration;
use jiff::SignedDuration;

use super::side::Side;
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA317",
    name: "period-quantized",
    summary: "a period is not a multiple of the sync period",
    severity: Severity::Info,
    is_opt_in: true,
    yields_to: &["HPA316"],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("period_quantized.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let sync = cx.sync_period();
    let mut findings = Vec::new();
    for side in Side::enabled(cx) {
        for (index, policy) in side.own_policies().iter().enumerate() {
            let period = SignedDuration::from_secs(policy.period_seconds.into());
            let effective = effective_period(period, sync.value);
            if period <= SignedDuration::ZERO || effective == period {
                continue;
            }
            let finding = cx
                .finding(format!("{}.periodSeconds", side.policy_path(index)))
                .message(format!(
                    "periodSeconds {} acts like {}, because the controller acts only at its syncs",
                    policy.period_seconds,
                    duration(effective)
                ))
                .help("set periodSeconds to a multiple of the sync period");
            findings.push(if sync.provenance == Provenance::Assumed {
                finding.basis(Basis::AssumedFlag)
            } else {
                finding
            });
        }
    }
    Ok(findings)
}
