//! HPA306 `scaleup-disabled`.

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags `selectPolicy: Disabled` for scale-up.
    ///
    /// ## Why is this bad?
    /// No metric ever raises the replicas.
    /// Only another writer or a higher `minReplicas` adds pods.
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
    ///       selectPolicy: Disabled
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      scaleUp:
    /// -      selectPolicy: Disabled
    /// +      selectPolicy: Max
    /// ```
    ///
    /// ## Fix
    /// Remove `selectPolicy`. If it is intended, for example in a freeze, suppress the rule with a reason.
    ///
    /// ## References
    /// - [Disable scale-down](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#example-disable-scale-down)
    /// - [docs/dev/controller.md](../dev/controller.md), 7.4
    pub(crate) static RULE = {
        code: "HPA306",
        name: "scaleup-disabled",
        summary: "scale-up is disabled",
        severity: Severity::Warning,
        yields_to: &["HPA308"],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::up(cx).filter(Side::is_disabled);
    Ok(side
        .map(|side| {
            cx.finding(side.field("selectPolicy"))
                .message("scale-up is disabled, so no metric adds pods")
                .help("remove selectPolicy; if it is intended, suppress this with a reason")
        })
        .into_iter()
        .collect())
}
