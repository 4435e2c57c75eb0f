//! HPA219 `mixed-metrics-freeze`.

use super::{
    api::{Api, api},
    entry::MetricEntry,
};
use crate::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose metrics come from two or three of the metrics APIs.
    ///
    /// ## Why is this bad?
    /// If one metric fails, the others can still scale up, but nothing scales down.
    /// While an adapter for a queue metric is down, all pods of the peak keep running.
    /// Only the condition `ScalingActive` and Events report it.
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
    ///     - type: External
    ///       external:
    ///         metric:
    ///           name: queue_jobs
    ///           selector:
    ///             matchLabels:
    ///               queue: mail
    ///         target:
    ///           type: AverageValue
    ///           averageValue: 20
    /// ```
    ///
    /// Use instead:
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
    ///     - type: Resource
    ///       resource:
    ///         name: memory
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 90
    /// ```
    ///
    /// ## Fix
    /// Alert on `ScalingActive` and on the controller's metric errors.
    ///
    /// ## References
    /// - [docs/dev/controller.md](../dev/controller.md), 6
    /// - [kubernetes#61007](https://github.com/kubernetes/kubernetes/issues/61007), [kubernetes#74052](https://github.com/kubernetes/kubernetes/issues/74052), [kubernetes#99394](https://github.com/kubernetes/kubernetes/issues/99394)
    pub(crate) static RULE = {
        code: "HPA219",
        name: "mixed-metrics-freeze",
        summary: "metrics from several APIs: one that fails blocks scale-down",
        severity: Severity::Info,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut apis: Vec<Api> = Vec::new();
    for api in MetricEntry::all(&cx.subject.spec).map(api) {
        if api != Api::Unknown && !apis.contains(&api) {
            apis.push(api);
        }
    }
    let n = apis.len();
    if n < 2 {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(format!(
                "metrics come from {n} APIs, so while one of them fails, nothing scales down"
            ))
            .help("alert on ScalingActive=False and on metric errors"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V2BETA1, findings};

    #[test]
    fn pods_and_object_metrics_share_an_api() {
        let yaml = &format!("{HPA_V2BETA1}  maxReplicas: 3
  metrics:
  - {{type: Pods, pods: {{metricName: requests, targetAverageValue: 10}}}}
  - {{type: Object, object: {{metricName: hits, target: {{kind: Service, name: web}}, targetValue: 10}}}}
");
        assert!(findings(&RULE, yaml).is_empty());
    }
}
