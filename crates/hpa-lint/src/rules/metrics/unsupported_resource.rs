//! HPA230 `unsupported-resource`.

use super::entry::MetricEntry;
use crate::lint::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a Resource or ContainerResource metric of anything but cpu and memory.
    ///
    /// ## Why is this bad?
    /// metrics-server and its like answer with cpu and memory. For `nvidia.com/gpu` or `ephemeral-storage` no pod has a
    /// sample, so the metric fails in each of the 5760 syncs of a day.
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
    ///         name: nvidia.com/gpu
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 60
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///        resource:
    /// -        name: nvidia.com/gpu
    /// +        name: cpu
    ///          target:
    /// ```
    ///
    /// ## Fix
    /// Use a Pods or External metric for it.
    ///
    /// ## References
    /// - documentation of the resource metrics API, `metrics.k8s.io`
    pub(crate) static RULE = {
        code: "HPA230",
        name: "unsupported-resource",
        summary: "a resource that the resource metrics API does not serve",
        severity: Severity::Warning,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let resources =
        MetricEntry::all(&cx.subject.spec).filter_map(|entry| Some((entry, entry.resource()?.0)));
    let unsupported = resources.filter(|(_, name)| !matches!(*name, "cpu" | "memory"));
    Ok(unsupported
        .map(|(entry, name)| {
            cx.finding(entry.field("name"))
                .message(format!(
                    "resource metric {name} is not served by the resource metrics API"
                ))
                .help("use a Pods or External metric for it")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    #[test]
    fn names_of_resources_are_in_lower_case() {
        let yaml = "
apiVersion: autoscaling/v2beta1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
  metrics: [{type: Resource, resource: {name: CPU, targetAverageValue: 1}}]
";
        assert_eq!(
            findings(&RULE, yaml),
            [
                "warning spec.metrics[0].resource.name: resource metric CPU is not served by the \
             resource metrics API"
            ]
        );
    }
}
