//! HPA416 `surge-inflation`.

use hpa_engine::model::{MetricSpec, PodShare, rolling_update};

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a Deployment target with a written `maxSurge` of 50% or more (`share`) if a metric is about CPU or memory. A
    /// number of pods is compared with `maxReplicas`.
    ///
    /// ## Why is this bad?
    /// During a rollout the selector matches old and new pods. New pods that warm up count, so recommendations grow. They
    /// also cover more pods than the workload has replicas. Take 10 replicas, `maxSurge: 100%`, a target of 50%, and all
    /// old and new pods at 70%. The recommendation is ⌈20 × 1.4⌉ = 28 replicas instead of 14.
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
    ///   strategy: {rollingUpdate: {maxSurge: 100%}}
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
    /// -  strategy: {rollingUpdate: {maxSurge: 100%}}
    /// +  strategy: {rollingUpdate: {maxSurge: 25%}}
    ///    selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Fix
    /// Use a smaller surge, a readiness probe that passes after the warm-up, or a scale-up window longer than a rollout
    /// takes.
    ///
    /// ## References
    /// - [kubernetes/kubernetes#72775](https://github.com/kubernetes/kubernetes/issues/72775), [kubernetes/kubernetes#84142](https://github.com/kubernetes/kubernetes/issues/84142)
    pub(crate) static RULE = {
        code: "HPA416",
        name: "surge-inflation",
        summary: "a rollout adds many pods that metrics count",
        severity: Severity::Info,
        needs: Needs::Related,
        thresholds: &[
            ConfigurableNumber { name: "share", default: 50.0, unit: ThresholdUnit::Percent, summary: "surge from which this is reported" },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let is_resource = |metric: &MetricSpec| metric.resource().is_some();
    let is_deployment =
        cx.subject.target_group() == "apps" && spec.scale_target.kind == "Deployment";
    if !is_deployment || !spec.metrics.iter().any(is_resource) {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    let Some(written) = workload
        .max_surge
        .filter(|_| workload.strategy != "Recreate")
    else {
        return Ok(Vec::new());
    };
    let max = spec.max_replicas;
    let percent = match written {
        PodShare::Percent(percent) => f64::from(percent),
        PodShare::Pods(pods) => f64::from(pods) * 100.0 / f64::from(max),
    };
    if percent < cx.threshold("share") {
        return Ok(Vec::new());
    }
    let (surge, _) = rolling_update(Some(written), workload.max_unavailable, max);
    if surge < 2 {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "maxSurge {written} adds up to {surge} pods during a rollout; metrics count them, so the HPA can scale up too far"
            ))
            .help("set maxSurge: 25%, or a scale-up stabilizationWindowSeconds longer than a rollout takes")
            .related(
                workload.object.clone(),
                "spec.strategy.rollingUpdate.maxSurge",
                format!("at maxReplicas {max}"),
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_and_workload};

    #[test]
    fn half_is_much_and_pods_are_compared_with_the_maximum() {
        for (surge, n) in [
            ("49%", None),
            ("50%", Some(4)),
            ("51%", Some(5)),
            ("3", None),
            ("4", Some(4)),
        ] {
            let spec = format!("  strategy: {{rollingUpdate: {{maxSurge: {surge}}}}}");
            let message = |n| {
                format!(
                    "info spec.maxReplicas: maxSurge {surge} adds up to {n} pods during a rollout; metrics count them, so the HPA can scale up too far"
                )
            };
            let expected: Vec<String> = n.map(message).into_iter().collect();
            assert_eq!(
                findings(&RULE, &hpa_and_workload("Deployment", "", &spec)),
                expected
            );
        }
    }
}
