//! HPA908 `external-replica-changes`.

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, explain_command};

crate::declare_rule! {
    /// ## What it does
    /// Flags changes of the replicas that the HPA did not make: neither its decision nor its status led to them.
    ///
    /// ## Why is this bad?
    /// A deployment tool that resets `spec.replicas`, a script or a person works against the HPA. One adds pods, the other
    /// removes them, and each round restarts pods.
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
    /// Find the writer with `kubectl hpa explain` or HPA409, and remove `spec.replicas` from what it applies.
    ///
    /// ## References
    /// - [argoproj/argo-cd#5105](https://github.com/argoproj/argo-cd/issues/5105)
    pub(crate) static RULE = {
        code: "HPA908",
        name: "external-replica-changes",
        summary: "another writer changes the replicas",
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
        1 => " and 1 more time".to_owned(),
        further => format!(" and {further} more times"),
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "another writer changed the replicas from {from} to {to} at {}{further}, so it works against the HPA",
                sample.at.strftime("%Y-%m-%d %H:%M:%S UTC")
            ))
            .help(format!(
                "find the writer with {}, and remove spec.replicas from what it applies",
                explain_command(cx)
            )),
    ])
}
