//! HPA230 `unsupported-resource`.

use super::entry::MetricEntry;
use crate::lint::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a Resource or ContainerResource metric for anything but CPU and memory.
    ///
    /// ## Why is this bad?
    /// metrics-server and similar servers provide only CPU and memory.
    /// For `nvidia.com/gpu` or `ephemeral-storage` no pod has a sample, so the metric fails in every sync.
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
    /// Use a Pods or External metric instead.
    ///
    /// ## References
    /// - [Resource metrics pipeline](https://kubernetes.io/docs/tasks/debug/debug-cluster/resource-metrics-pipeline/)
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
                    "metrics-server provides only cpu and memory, so resource metric {name} cannot be read"
                ))
                .help("use a Pods or External metric instead")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{HPA_V2BETA1, findings};

    #[test]
    fn names_of_resources_are_in_lower_case() {
        let yaml = &format!(
            "{HPA_V2BETA1}  maxReplicas: 3
  metrics: [{{type: Resource, resource: {{name: CPU, targetAverageValue: 1}}}}]
"
        );
        assert_eq!(
            findings(&RULE, yaml),
            [
                "warning spec.metrics[0].resource.name: metrics-server provides only cpu and memory, so resource \
                 metric CPU cannot be read"
            ]
        );
    }
}
