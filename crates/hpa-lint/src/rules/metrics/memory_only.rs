//! HPA214 `memory-only`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose metrics are all memory.
    ///
    /// ## Why is this bad?
    /// Memory seldom falls when the load is spread over more pods: caches and heaps keep what they have.
    /// A new pod lowers the average, but the other pods stay as full as before.
    /// So the replicas rise with the busiest day and stay there, and a memory leak drives them to `maxReplicas`.
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
    ///         name: memory
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 80
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///        resource:
    /// +        name: cpu
    /// +        target:
    /// +          type: Utilization
    /// +          averageUtilization: 70
    /// +    - type: Resource
    /// +      resource:
    ///          name: memory
    /// ```
    ///
    /// ## Fix
    /// Scale on CPU or on the request rate. Keep memory at most as a safety net with a high target.
    ///
    /// ## References
    /// - [istio#47686](https://github.com/istio/istio/issues/47686)
    /// - [gardener#2070](https://github.com/gardener/gardener/issues/2070)
    /// - [kubernetes#95762](https://github.com/kubernetes/kubernetes/issues/95762)
    pub(crate) static RULE = {
        code: "HPA214",
        name: "memory-only",
        summary: "memory is the only metric",
        severity: Severity::Warning,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let is_memory =
        |entry: MetricEntry<'_>| entry.resource().is_some_and(|(name, _)| name == "memory");
    if spec.metrics.is_empty() || !MetricEntry::all(spec).all(is_memory) {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(
                "memory is the only metric and seldom falls, so the replicas rise but rarely fall",
            )
            .help("scale on CPU or on the request rate, and keep memory at most as a safety net"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::findings;

    #[test]
    fn memory_in_an_annotation_is_not_alone_beside_the_cpu_target() {
        let yaml = |cpu: &str| {
            format!(
            "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: web
  annotations:
    autoscaling.alpha.kubernetes.io/metrics: >-
      [{{\"type\":\"Resource\",\"resource\":{{\"name\":\"memory\",\"targetAverageUtilization\":60}}}}]
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
{cpu}"
        )
        };
        assert_eq!(
            findings(&RULE, &yaml("")),
            [
                "warning spec.metrics: memory is the only metric and seldom falls, so the replicas rise but \
                 rarely fall"
            ]
        );
        assert!(findings(&RULE, &yaml("  targetCPUUtilizationPercentage: 80\n")).is_empty());
    }
}
