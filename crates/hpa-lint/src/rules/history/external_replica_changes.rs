//! HPA908 `external-replica-changes`.

use crate::lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags changes of the replicas that are not those of the HPA: neither its decision nor its status led there.
    ///
    /// ## Why is this bad?
    /// A deployment tool that resets `spec.replicas`, a script or a person works against the HPA: what one adds the other takes away, and each round costs pods.
    ///
    /// ## Example
    /// ```yaml history
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    /// ---
    /// # Each line holds until the next.
    /// history: |
    ///   time                  replicas  by
    ///   2026-11-02T09:00:00Z  6         hpa
    ///   2026-11-02T09:20:00Z  2         other
    ///   2026-11-02T09:20:30Z  6         hpa
    ///   2026-11-02T09:40:00Z  -         -
    /// ```
    ///
    /// Use instead:
    /// ```yaml history
    /// @@
    ///    2026-11-02T09:00:00Z  6         hpa
    /// -  2026-11-02T09:20:00Z  2         other
    /// -  2026-11-02T09:20:30Z  6         hpa
    /// +  2026-11-02T09:20:00Z  4         hpa
    ///    2026-11-02T09:40:00Z  -         -
    /// ```
    ///
    /// ## Fix
    /// Find the writer with `kubectl hpa explain` or HPA409, and take `spec.replicas` out of what it applies.
    ///
    /// ## References
    /// - argo-cd#5105
    pub(crate) static RULE = {
        code: "HPA908",
        name: "external-replica-changes",
        summary: "somebody else changes the replicas",
        severity: Severity::Warning,
        needs: Needs::History,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let mut foreign = history
        .changes()
        .filter(|(sample, _, _)| sample.is_changed_by_another);
    let Some((sample, from, to)) = foreign.next() else {
        return Ok(Vec::new());
    };
    let further = match foreign.count() {
        0 => String::new(),
        further => format!(", and {further} more times"),
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "replicas changed from {from} to {to} at {} without the HPA{further}",
                sample.at.strftime("%Y-%m-%d %H:%M:%S UTC")
            ))
            .help("find the writer (kubectl hpa explain names managers), and take spec.replicas out of what it applies"),
    ])
}
