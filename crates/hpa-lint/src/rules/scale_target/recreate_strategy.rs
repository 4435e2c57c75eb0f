//! HPA415 `recreate-strategy`.

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a Deployment target with `strategy.type: Recreate`.
    ///
    /// ## Why is this bad?
    /// Each rollout deletes all pods before it starts the first new one. Until a new pod has a sample, metrics of pods
    /// cannot be computed and the HPA does nothing. Metrics with target type `Value` are multiplied by the ready pods,
    /// which are 0, so they ask for `minReplicas`. With 20 pods before the rollout and `minReplicas: 2`, 2 pods meet the
    /// load.
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
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   strategy: {type: Recreate}
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
    /// -  strategy: {type: Recreate}
    /// +  strategy: {type: RollingUpdate}
    ///    selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Fix
    /// Set `strategy.type: RollingUpdate`, unless two versions must never run at the same time.
    ///
    /// ## References
    /// - Kubernetes, [`replica_calculator.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/replica_calculator.go): `getReadyPodsCount`
    pub(crate) static RULE = {
        code: "HPA415",
        name: "recreate-strategy",
        summary: "the strategy Recreate leaves no pods to measure in each rollout",
        severity: Severity::Info,
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let kind = &cx.subject.spec.scale_target.kind;
    if cx.subject.target_group() != "apps" || kind != "Deployment" {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    if workload.strategy != "Recreate" {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message("strategy Recreate deletes all pods before it starts new ones, so the HPA finds no pods to measure in each rollout")
            .help("set strategy.type: RollingUpdate, unless two versions must never run at the same time")
            .related(workload.object.clone(), "spec.strategy.type", "Recreate"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_and_workload};

    #[test]
    fn a_strategy_that_is_not_written_is_a_rolling_update() {
        assert!(findings(&RULE, &hpa_and_workload("Deployment", "", "")).is_empty());
        assert_eq!(
            findings(
                &RULE,
                &hpa_and_workload("Deployment", "", "  strategy: {type: Recreate}")
            )
            .len(),
            1
        );
    }
}
