//! HPA418 `pdb-blocks-at-min`.

use crate::{
    lint::{Check, Cx, HpaSubject, Needs, Outcome, world::Budget},
    model::evictable_pods,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a PodDisruptionBudget over the target's pods that allows no eviction while the HPA is at its minimum: `minAvailable`
    /// as high as `minReplicas` (a percentage is rounded up), or `maxUnavailable: 0`.
    ///
    /// ## Why is this bad?
    /// The HPA scales in when the load is low, and drains of nodes hang from then on. With `minReplicas: 2` and
    /// `minAvailable: 51%`, ⌈2 × 0.51⌉ = 2 pods must stay: none may go. At 3 replicas it is still 2, and one may.
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
    /// ---
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata:
    ///   name: web
    /// spec:
    ///   minAvailable: 2
    ///   selector: {matchLabels: {app: web}}
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
    ///   minReplicas: 3
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
    /// ---
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata:
    ///   name: web
    /// spec:
    ///   minAvailable: 2
    ///   selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Fix
    /// Raise `minReplicas` above what must be available, or use `maxUnavailable: 1`, which fits any number of replicas.
    ///
    /// ## References
    /// - Kubernetes, `disruption.go`: `getExpectedPodCount`
    /// - polaris `hpaMinAvailability`, `pdbMinAvailableGreaterThanHPAMinReplicas`; kubernetes/ingress-nginx#7034
    pub(crate) static RULE = {
        code: "HPA418",
        name: "pdb-blocks-at-min",
        summary: "a PodDisruptionBudget allows no eviction at minReplicas",
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> Outcome {
    let min = cx.subject.spec.min_replicas();
    if min < 1 {
        return Ok(Vec::new());
    }
    let labels = cx.pod_labels()?;
    cx.world.require("PodDisruptionBudget")?;
    let mut budgets: Vec<&Budget> = cx
        .world
        .budgets_selecting(cx.subject.namespace(), labels)
        .filter(|budget| evictable_pods(budget.min_available, budget.max_unavailable, min) <= 0)
        .collect();
    budgets.sort_by_key(|budget| &budget.object);
    let findings = budgets.into_iter().filter_map(|budget| {
        let (field, share, help) = match (budget.min_available, budget.max_unavailable) {
            (Some(share), _) => (
                "spec.minAvailable",
                share,
                "raise minReplicas above what must be available, or use maxUnavailable: 1",
            ),
            (None, Some(share)) => (
                "spec.maxUnavailable",
                share,
                "use maxUnavailable: 1, or more",
            ),
            (None, None) => return None,
        };
        let replicas = if min == 1 { "replica" } else { "replicas" };
        let name = &budget.object.name;
        let finding = cx
            .finding("spec.minReplicas")
            .message(format!(
                "PodDisruptionBudget {name} allows no eviction at {min} {replicas}"
            ))
            .help(help)
            .related(budget.object.clone(), field, format!("it is {share}"));
        Some(finding)
    });
    Ok(findings.collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    fn yaml(min: i32, budget: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  minReplicas: {min}
  maxReplicas: 9
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  selector: {{matchLabels: {{app: web}}}}
  template: {{metadata: {{labels: {{app: web}}}}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: web}}
spec: {{{budget}, selector: {{matchLabels: {{app: web}}}}}}
"
        )
    }

    #[test]
    fn percent_are_rounded_up_as_the_disruption_controller_does() {
        for (min, budget, blocks) in [
            (1, "minAvailable: 1", true),
            (2, "minAvailable: 1", false),
            (2, "minAvailable: 50%", false),
            (2, "minAvailable: 51%", true),
            (3, "minAvailable: 51%", false),
            (9, "minAvailable: 100%", true),
            (1, "maxUnavailable: 1%", false),
            (5, "maxUnavailable: 0", true),
            (5, "maxUnavailable: 0%", true),
        ] {
            let found = findings(&RULE, &yaml(min, budget));
            assert_eq!(!found.is_empty(), blocks, "{min}, {budget}: {found:?}");
        }
    }
}
