//! HPA307 `scaledown-disabled`.

use super::side::Side;
use crate::lint::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags `selectPolicy: Disabled` of scale-down.
    ///
    /// ## Why is this bad?
    /// Within the bounds the replicas never fall: they ratchet up to the highest peak there ever was and stay there.
    /// It is no guard against a lower `maxReplicas` either: that cuts at once.
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
    /// Remove `selectPolicy` and slow scale-down by a policy. If it is meant, suppress the rule with a reason.
    ///
    /// ## References
    /// - [Disable
    ///   scale-down](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#example-disable-scale-down)
    /// - kubernetes/kubernetes#110034
    /// - docs/dev/controller.md, 2.3 and 7.4
    pub(crate) static RULE = {
        code: "HPA307",
        name: "scaledown-disabled",
        summary: "scale-down is disabled",
        severity: Severity::Info,
        yields_to: &["HPA308"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::down(cx).filter(Side::is_disabled);
    Ok(side
        .map(|side| {
            cx.finding(side.field("selectPolicy"))
                .message("scale-down is disabled")
                .help("slow scale-down by a policy instead; if it is meant, suppress this with a reason")
        })
        .into_iter()
        .collect())
}
