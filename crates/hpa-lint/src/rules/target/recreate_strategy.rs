//! HPA415 `recreate-strategy`.

use crate::lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a Deployment target with `strategy.type: Recreate`.
    ///
    /// ## Why is this bad?
    /// In every rollout all pods are deleted before the first new one starts. Until it has a sample, metrics of pods are invalid
    /// and the HPA can do nothing; metrics with target type `Value` are multiplied by the ready pods, which are 0, and ask for
    /// `minReplicas` pods: with 20 pods before the rollout and a minimum of 2, the load meets 2.
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
    /// Use `RollingUpdate`, unless two versions must never run side by side.
    ///
    /// ## References
    /// - Kubernetes, `replica_calculator.go`: `getReadyPodsCount`
    pub(crate) static RULE = {
        code: "HPA415",
        name: "recreate-strategy",
        summary: "the strategy Recreate passes through zero pods in every rollout",
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
            .message("strategy Recreate passes through zero pods in every rollout")
            .help("use RollingUpdate, unless two versions must never run side by side")
            .related(workload.object.clone(), "spec.strategy.type", "Recreate"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{findings, hpa_and_workload};

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
