//! HPA325 `no-behavior`.

use crate::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA without `behavior`.
    ///
    /// ## Why is this bad?
    /// Flags of the controller then set the scale-down window (300 s by default), and they differ from cluster to cluster.
    /// At most max(2n, 4) replicas are allowed per sync.
    /// Also, the highest recommendation of the last 300 s can raise the replicas again.
    /// After you scale from 8 to 4 manually, the HPA goes back to 8 although the metrics ask for 4.
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
    ///   metrics:
    ///     - type: Resource
    ///       resource:
    ///         name: cpu
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 70
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///            averageUtilization: 70
    /// +  behavior:
    /// +    scaleUp:
    /// +      stabilizationWindowSeconds: 0
    /// +    scaleDown:
    /// +      stabilizationWindowSeconds: 300
    /// ```
    ///
    /// ## Fix
    /// Write `behavior` with both directions.
    ///
    /// ## References
    /// - [kubernetes#98174](https://github.com/kubernetes/kubernetes/issues/98174)
    /// - [docs/dev/controller.md](../dev/controller.md), 7.2
    pub(crate) static RULE = {
        code: "HPA325",
        name: "no-behavior",
        summary: "behavior is not set",
        severity: Severity::Info,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    if cx.subject.spec.behavior.is_some() {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec")
            .message("behavior is not set, so flags of the controller set the scale-down window")
            .help("set spec.behavior.scaleUp and spec.behavior.scaleDown"),
    ])
}
