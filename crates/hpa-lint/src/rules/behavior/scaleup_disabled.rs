//! HPA306 `scaleup-disabled`.

use super::side::Side;
use crate::lint::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags `selectPolicy: Disabled` of scale-up.
    ///
    /// ## Why is this bad?
    /// Within the bounds the replicas never rise, whatever the metrics ask for. Once at 3 of 2 to 10 replicas, the
    /// HPA stays at 3 or less forever; only a write of somebody else, or a higher minimum, brings more.
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
    /// Remove `selectPolicy`. If it is meant, for instance in a freeze, suppress the rule with a reason.
    ///
    /// ## References
    /// - [Disable
    ///   scale-down](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#example-disable-scale-down)
    /// - kubeowler AUTO-004
    /// - docs/dev/controller.md, 7.4
    pub(crate) static RULE = {
        code: "HPA306",
        name: "scaleup-disabled",
        summary: "scale-up is disabled",
        severity: Severity::Warning,
        yields_to: &["HPA308"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::up(cx).filter(Side::is_disabled);
    Ok(side
        .map(|side| {
            cx.finding(side.field("selectPolicy"))
                .message("scale-up is disabled")
                .help("remove selectPolicy; if it is meant, suppress this with a reason")
        })
        .into_iter()
        .collect())
}
