//! HPA215 `memory-present`.

use super::entry::MetricEntry;
use crate::lint::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a memory metric beside others. Off unless asked for.
    ///
    /// ## Why is this bad?
    /// The largest proposal wins. With a target of 80% and idle pods that keep 70%, 8 pods may shrink to 7, and
    /// not to the 2 that cpu asks for: ceil(8 × 70 / 80) = 7.
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
    ///            averageUtilization: 70
    /// -    - type: Resource
    /// -      resource:
    /// -        name: memory
    /// -        target:
    /// -          type: Utilization
    /// -          averageUtilization: 80
    /// ```
    ///
    /// ## Fix
    /// If memory is a safety net, give it a target that is well above what idle pods keep.
    ///
    /// ## References
    /// - kubernetes/kubernetes #78761, #118676
    pub(crate) static RULE = {
        code: "HPA215",
        name: "memory-present",
        summary: "memory is one of several metrics",
        severity: Severity::Info,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let n = spec.metrics.len();
    let is_memory =
        |entry: &MetricEntry<'_>| entry.resource().is_some_and(|(name, _)| name == "memory");
    let memory: Vec<MetricEntry<'_>> = MetricEntry::all(spec).filter(is_memory).collect();
    if memory.len() == n {
        return Ok(Vec::new());
    }
    Ok(memory
        .into_iter()
        .map(|entry| {
            cx.finding(entry.path())
                .message(format!(
                    "memory is one of {n} metrics and may block scale-down"
                ))
                .help("give it a target well above what idle pods keep, or remove it")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    #[test]
    fn memory_alone_is_for_another_rule() {
        let yaml = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
  metrics:
  - type: Resource
    resource: {name: memory, target: {type: AverageValue, averageValue: 1Gi}}
";
        let report = crate::lint::testing::report_with(&RULE, yaml, |settings| {
            settings.enabled = ["HPA215"].into();
        });
        assert!(report.findings.is_empty());
        assert!(findings(&RULE, yaml).is_empty());
    }
}
