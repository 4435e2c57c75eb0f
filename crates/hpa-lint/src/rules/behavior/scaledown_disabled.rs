//! HPA307 `scaledown-disabled`.

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags `selectPolicy: Disabled` for scale-down.
    ///
    /// ## Why is this bad?
    /// No metric ever lowers the replicas, so they stay at the highest peak.
    /// It does not protect against a lower `maxReplicas` either: that removes the pods in one step.
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
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      scaleDown:
    /// -      selectPolicy: Disabled
    /// +      selectPolicy: Min
    /// ```
    ///
    /// ## Fix
    /// Remove `selectPolicy`, and slow scale-down with a policy. If it is intended, suppress the rule with a reason.
    ///
    /// ## References
    /// - [Disable scale-down](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#example-disable-scale-down)
    /// - [kubernetes#110034](https://github.com/kubernetes/kubernetes/issues/110034)
    /// - [docs/dev/controller.md](../dev/controller.md), 2.3 and 7.4
    pub(crate) static RULE = {
        code: "HPA307",
        name: "scaledown-disabled",
        summary: "scale-down is disabled",
        severity: Severity::Info,
        yields_to: &["HPA308"],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::down(cx).filter(Side::is_disabled);
    Ok(side
        .map(|side| {
            cx.finding(side.field("selectPolicy"))
                .message("scale-down is disabled, so the replicas stay at the highest peak")
                .help(
                    "remove selectPolicy, and use a policy such as {type: Pods, value: 1, periodSeconds: 60}; \
                     if it is intended, suppress this with a reason",
                )
        })
        .into_iter()
        .collect())
}
