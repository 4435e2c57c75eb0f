//! HPA809 `empty-metric-slot`.

use hpa_engine::model::MetricStatus;

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, explain_command};

crate::declare_rule! {
    /// ## What it does
    /// Flags entries of `status.currentMetrics` without a type: the metric at that index of `spec.metrics` failed in the
    /// last sync.
    ///
    /// ## Why is this bad?
    /// While one metric fails, the HPA never scales down. Programs that pair spec and status by type show such entries in
    /// the wrong place.
    ///
    /// ## Example
    /// ```yaml live
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
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 2
    ///   currentMetrics:
    ///   - type: ''
    ///   conditions:
    ///   - type: AbleToScale
    ///     status: "True"
    ///     reason: ReadyForNewScale
    ///     message: 'recommended size matches current size'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    ///   - type: ScalingActive
    ///     status: "True"
    ///     reason: ValidMetricFound
    ///     message: 'the HPA was able to successfully calculate a replica count'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    currentMetrics:
    /// -  - type: ''
    /// +  - type: Resource
    /// +    resource:
    /// +      name: cpu
    /// +      current:
    /// +        averageUtilization: 50
    /// +        averageValue: 50m
    ///    conditions:
    /// ```
    ///
    /// ## Fix
    /// Look at that metric: `kubectl hpa explain` shows what the metrics API answered.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `computeReplicasForMetrics`
    pub(crate) static RULE = {
        code: "HPA809",
        name: "empty-metric-slot",
        summary: "a metric failed in the last sync",
        severity: Severity::Info,
        needs: Needs::Live,
        yields_to: &["HPA202", "HPA204", "HPA205", "HPA207", "HPA701", "HPA702", "HPA802"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = &cx.live()?.observation.hpa.status.current_metrics;
    Ok(metrics
        .iter()
        .enumerate()
        .filter(|(_, metric)| matches!(metric, MetricStatus::Failed))
        .map(|(index, _)| {
            cx.finding(format!("spec.metrics[{index}]"))
                .message(format!(
                    "spec.metrics[{index}] failed in the last sync, so the HPA does not scale down"
                ))
                .help(format!(
                    "run {} to see what the metrics API answered",
                    explain_command(cx)
                ))
        })
        .collect())
}
