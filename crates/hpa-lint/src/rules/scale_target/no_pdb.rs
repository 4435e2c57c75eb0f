//! HPA419 `no-pdb`.

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target with `minReplicas` of 2 or more whose pods match no PodDisruptionBudget. Off by default, because
    /// general linters have this rule as well.
    ///
    /// ## Why is this bad?
    /// When several nodes are drained together, their pods are evicted together. With `minReplicas: 2` those can be all
    /// pods.
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
    ///          resources: {requests: {cpu: 100m}}
    /// +---
    /// +apiVersion: policy/v1
    /// +kind: PodDisruptionBudget
    /// +metadata:
    /// +  name: web
    /// +spec:
    /// +  maxUnavailable: 1
    /// +  selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Fix
    /// Add a PodDisruptionBudget with `maxUnavailable: 1`. It allows one eviction at a time, whatever the number of
    /// replicas.
    ///
    /// ## References
    /// - Kubernetes docs: [Specifying a disruption budget](https://kubernetes.io/docs/tasks/run-application/configure-pdb/)
    pub(crate) static RULE = {
        code: "HPA419",
        name: "no-pdb",
        summary: "no PodDisruptionBudget selects the pods of the target",
        severity: Severity::Info,
        needs: Needs::Related,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    if cx.subject.spec.min_replicas() < 2 {
        return Ok(Vec::new());
    }
    let labels = cx.pod_labels()?;
    cx.world.require("PodDisruptionBudget")?;
    let (own, target) = (cx.subject.object(), cx.workload()?);
    let mut budgets = cx.world.budgets_selecting(own, target, labels);
    if budgets.next().is_some() {
        return Ok(Vec::new());
    }
    let given = if cx.is_complete() {
        ""
    } else {
        " in the given files"
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "no PodDisruptionBudget{given} selects the pods of {}; without one, drains can evict all of them together",
                target_name(cx)
            ))
            .help("add a PodDisruptionBudget with maxUnavailable: 1"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_and_workload};

    #[test]
    fn one_pod_needs_no_budget() {
        let spec = "  template: {metadata: {labels: {app: web}}}";
        assert!(
            findings(
                &RULE,
                &hpa_and_workload("Deployment", "  minReplicas: 1", spec)
            )
            .is_empty()
        );
        assert_eq!(
            findings(
                &RULE,
                &hpa_and_workload("Deployment", "  minReplicas: 2", spec)
            ),
            [
                "info spec.scaleTargetRef: no PodDisruptionBudget in the given files selects the pods of Deployment/web; without one, drains can evict all of them together"
            ]
        );
    }
}
