//! HPA414 `statefulset-ordered`.

use hpa_engine::model::MetricSpec;

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a StatefulSet target with `podManagementPolicy: OrderedReady` (the default) if a metric reads its pods or
    /// another object. HPAs with only External metrics are not reported: such metrics do not depend on the number of pods.
    ///
    /// ## Why is this bad?
    /// Each pod is created only when the one before it is ready. To go from 2 to 10 pods that need 60 s each takes 8 × 60 s
    /// = 8 min, whatever the scale-up policies allow. A pod that never becomes ready stops the scale-up, but metrics still
    /// count it.
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
    ///     kind: StatefulSet
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    /// ---
    /// apiVersion: apps/v1
    /// kind: StatefulSet
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers:
    ///       - name: main
    ///         resources: {requests: {cpu: 100m}}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///  spec:
    /// +  podManagementPolicy: Parallel
    ///    selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Fix
    /// Set `podManagementPolicy: Parallel` if the pods can start at the same time. The field is immutable: delete the
    /// StatefulSet with `--cascade=orphan` and apply it again.
    ///
    /// ## References
    /// - Kubernetes docs: [Pod management policies](https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#pod-management-policies)
    /// - [kubernetes/kubernetes#123918](https://github.com/kubernetes/kubernetes/issues/123918)
    pub(crate) static RULE = {
        code: "HPA414",
        name: "statefulset-ordered",
        summary: "the StatefulSet starts its pods one after another",
        severity: Severity::Info,
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let is_about_pods = |metric: &MetricSpec| !metric.is_external();
    let is_stateful =
        cx.subject.target_group() == "apps" && spec.scale_target.kind == "StatefulSet";
    if !is_stateful || !spec.metrics.iter().any(is_about_pods) {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    if workload.pod_management_policy == "Parallel" {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} starts pods one at a time (OrderedReady), so a scale-up waits for each pod to become ready",
                target_name(cx)
            ))
            .help("if its pods can start together, set podManagementPolicy: Parallel. The field is immutable: delete the StatefulSet \
                 with --cascade=orphan and apply it again")
            .related(
                workload.object.clone(),
                "spec.podManagementPolicy",
                "OrderedReady is the default",
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_and_workload};

    #[test]
    fn external_metrics_alone_are_left_out() {
        let external = "  metrics: [{type: External, external: {metric: {name: depth}, target: {type: AverageValue, \
                        averageValue: 3}}}]";
        assert!(findings(&RULE, &hpa_and_workload("StatefulSet", external, "")).is_empty());
        assert_eq!(
            findings(
                &RULE,
                &hpa_and_workload("StatefulSet", "", "  podManagementPolicy: OrderedReady")
            ),
            [
                "info spec.scaleTargetRef: StatefulSet/web starts pods one at a time (OrderedReady), so a scale-up waits for each pod to become ready"
            ]
        );
    }
}
