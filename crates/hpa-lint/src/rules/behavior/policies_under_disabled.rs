//! HPA309 `policies-under-disabled`.

use super::side::{Side, with_fix};
use crate::{Check, Cx, FixStep, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags policies of a direction whose `selectPolicy` is `Disabled`.
    ///
    /// ## Why is this bad?
    /// `Disabled` allows no change, so the policies have no effect.
    /// A reader who sees "2 pods per minute" expects 2 pods per minute.
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
    ///     scaleDown:
    ///       selectPolicy: Disabled
    ///       policies:
    ///         - type: Pods
    ///           value: 2
    ///           periodSeconds: 60
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///        selectPolicy: Disabled
    /// -      policies:
    /// -        - type: Pods
    /// -          value: 2
    /// -          periodSeconds: 60
    /// ```
    ///
    /// ## Fix
    /// Remove the policies. `--fix` does this.
    ///
    /// ## References
    /// - [docs/dev/controller.md](../dev/controller.md), 7.4
    pub(crate) static RULE = {
        code: "HPA309",
        name: "policies-under-disabled",
        summary: "policies next to selectPolicy Disabled",
        severity: Severity::Info,
        is_fixable: true,
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let disabled = Side::both(cx).filter(Side::is_disabled);
    Ok(disabled
        .filter_map(|side| {
            let count = side.written.policies.as_ref()?.len();
            let path = side.field("policies");
            let are = if count == 1 {
                "policy is"
            } else {
                "policies are"
            };
            let finding = cx
                .finding(path.clone())
                .message(format!(
                    "{count} {} {are} ignored because selectPolicy is Disabled, so {} never happens",
                    side.name, side.name
                ))
                .help("remove policies, or remove selectPolicy: Disabled");
            Some(with_fix(cx, finding, FixStep::Remove { path }))
        })
        .collect())
}
