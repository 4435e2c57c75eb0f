//! HPA228 `metric-order-drift`.

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Compares the manifest with the HPA of the cluster, and flags the same metrics in another order.
    ///
    /// ## Why is this bad?
    /// The decision is the same, but tools that compare lists in order always see a difference.
    /// A GitOps controller reports OutOfSync, applies, and reports it again.
    /// Objects written through `autoscaling/v1` have CPU last, whatever the manifest says.
    ///
    /// ## Example
    /// ```yaml compared
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
    ///           averageUtilization: 60
    ///     - type: Resource
    ///       resource:
    ///         name: memory
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 80
    /// # In the cluster:
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
    ///         name: memory
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 80
    ///     - type: Resource
    ///       resource:
    ///         name: cpu
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 60
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector:
    ///     matchLabels: {app: web}
    ///   template:
    ///     metadata:
    ///       labels: {app: web}
    ///     spec:
    ///       containers:
    ///         - name: app
    ///           resources:
    ///             requests: {cpu: 100m}
    /// ```
    ///
    /// Use instead:
    /// ```yaml compared
    /// @@
    ///        resource:
    /// +        name: memory
    /// +        target:
    /// +          type: Utilization
    /// +          averageUtilization: 80
    /// +    - type: Resource
    /// +      resource:
    ///          name: cpu
    /// @@
    ///            averageUtilization: 60
    /// -    - type: Resource
    /// -      resource:
    /// -        name: memory
    /// -        target:
    /// -          type: Utilization
    /// -          averageUtilization: 80
    ///  # In the cluster:
    /// ```
    ///
    /// ## Fix
    /// Copy the order of the cluster.
    ///
    /// ## References
    /// - [argo-cd#1079](https://github.com/argoproj/argo-cd/issues/1079), [argo-cd#12605](https://github.com/argoproj/argo-cd/issues/12605), [argo-cd#17964](https://github.com/argoproj/argo-cd/issues/17964)
    /// - [pkg/apis/autoscaling/v1/conversion.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/autoscaling/v1/conversion.go)
    pub(crate) static RULE = {
        code: "HPA228",
        name: "metric-order-drift",
        summary: "the metrics are in another order than in the cluster",
        severity: Severity::Info,
        needs: Needs::Comparison,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = &cx.subject.spec.metrics;
    if metrics.len() < 2 {
        return Ok(Vec::new());
    }
    let stored = &cx.stored()?.observation.hpa.spec.metrics;
    let is_in_other_order = metrics.len() == stored.len()
        && metrics != stored
        && metrics.iter().all(|metric| stored.contains(metric))
        && stored.iter().all(|metric| metrics.contains(metric));
    if !is_in_other_order {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message("the cluster has these metrics in another order, so tools that compare lists always see a \
                 difference")
            .help("copy the order of the cluster"),
    ])
}
