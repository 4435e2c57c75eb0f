//! HPA317 `period-quantized`.

use hpa_analysis::effective_period;
use hpa_engine::model::Provenance;
use hpa_words::clock::duration;
use jiff::SignedDuration;

use super::side::Side;
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a policy whose `periodSeconds` is not a multiple of the controller's sync period (15 s unless declared).
    ///
    /// ## Why is this bad?
    /// The controller acts only at its syncs, so the period is rounded up.
    /// With 20 s the next step comes at the second sync, after 30 s. "3 pods per 20 s" allows 6 per minute instead of 9.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   behavior:
    ///     scaleUp:
    ///       policies:
    ///         - type: Pods
    ///           value: 3
    ///           periodSeconds: 20
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///            value: 3
    /// -          periodSeconds: 20
    /// +          periodSeconds: 30
    /// ```
    ///
    /// ## Fix
    /// Write a multiple of the sync period.
    ///
    /// ## References
    /// - [docs/dev/controller.md](../dev/controller.md), 7.4
    pub(crate) static RULE = {
        code: "HPA317",
        name: "period-quantized",
        summary: "a period is not a multiple of the sync period",
        severity: Severity::Info,
        is_opt_in: true,
        yields_to: &["HPA316"],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

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
