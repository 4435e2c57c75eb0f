//! HPA417 `rollout-loses-capacity`.

use crate::{
    lint::{Check, Cx, HpaSubject, Needs, RuleOutcome},
    model::rolling_update,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a Deployment target whose rolling update may take away as many pods as `minReplicas` at once, if `maxUnavailable` or
    /// `maxSurge` is written. Percent of `maxUnavailable` are rounded down and of `maxSurge` up; where both come to 0, one pod
    /// may be unavailable.
    ///
    /// ## Why is this bad?
    /// While the load is low the HPA is at its minimum, and a rollout then is an outage: with `minReplicas: 2` and
    /// `maxUnavailable: 2` both pods go before the first new one is ready.
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
    ///   strategy: {rollingUpdate: {maxUnavailable: 2}}
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
    ///      name: web
    /// -  minReplicas: 2
    /// +  minReplicas: 3
    ///    maxReplicas: 10
    /// ```
    ///
    /// ## Fix
    /// Use `maxUnavailable: 0` with a surge, a percentage, or a higher minimum.
    ///
    /// ## References
    /// - Kubernetes, `deployment_util.go`: `ResolveFenceposts`
    /// - Kubernetes docs: [Rolling update Deployment](https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment)
    pub(crate) static RULE = {
        code: "HPA417",
        name: "rollout-loses-capacity",
        summary: "a rollout at minReplicas may take all pods away",
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let min = spec.min_replicas();
    let is_deployment =
        cx.subject.target_group() == "apps" && spec.scale_target.kind == "Deployment";
    if !is_deployment || min < 1 {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    let (surge, unavailable) = (workload.max_surge, workload.max_unavailable);
    if workload.strategy == "Recreate" || (surge.is_none() && unavailable.is_none()) {
        return Ok(Vec::new());
    }
    let (_, down) = rolling_update(surge, unavailable, min);
    if down < min {
        return Ok(Vec::new());
    }
    let unavailable = unavailable.map_or_else(|| "25%".to_owned(), |share| share.to_string());
    let message = if min == 1 {
        format!("maxUnavailable {unavailable} allows the only pod to be down in a rollout")
    } else {
        format!("maxUnavailable {unavailable} allows all {min} pods to be down in a rollout")
    };
    Ok(vec![
        cx.finding("spec.minReplicas")
            .message(message)
            .help("use maxUnavailable: 0 with a maxSurge of 1 or more, or raise minReplicas")
            .related(
                workload.object.clone(),
                "spec.strategy.rollingUpdate",
                format!("at {min} replicas, the minimum"),
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{findings, hpa_and_workload};

    #[test]
    fn shares_are_rounded_as_the_deployment_controller_does() {
        for (min, rolling, fires) in [
            (1, "maxUnavailable: 1", true),
            (2, "maxUnavailable: 1", false),
            (1, "maxUnavailable: 99%", false),
            (3, "maxUnavailable: 99%", false),
            (3, "maxUnavailable: 100%", true),
            (1, "maxUnavailable: 0", false),
            (1, "maxSurge: 1", false),
            // Both come to 0, so one pod may go.
            (1, "maxSurge: 0, maxUnavailable: 25%", true),
            (1, "maxSurge: 0", true),
            (2, "maxSurge: 0", false),
        ] {
            let hpa = format!("  minReplicas: {min}");
            let spec = format!("  strategy: {{rollingUpdate: {{{rolling}}}}}");
            let found = findings(&RULE, &hpa_and_workload("Deployment", &hpa, &spec));
            assert_eq!(!found.is_empty(), fires, "{min}, {rolling}: {found:?}");
        }
    }
}
