//! HPA106 `zero-with-resource-metrics`.

use hpa_engine::model::MetricSpec;

use crate::{Check, Cx, HpaSubject, RuleOutcome, rules::resource_in_prose};

crate::declare_rule! {
    /// ## What it does
    /// Flags `minReplicas: 0` next to a metric that is measured at pods: Resource, ContainerResource or Pods.
    ///
    /// ## Why is this bad?
    /// The largest recommendation wins.
    /// CPU at 1% with a target of 70% still asks for 1 replica, so an empty queue does not scale the workload to 0.
    /// At 0 replicas that metric cannot be computed, and every sync emits a warning Event.
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
    ///   minReplicas: 0
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target: {type: Utilization, averageUtilization: 70}
    ///   - type: External
    ///     external:
    ///       metric: {name: queue_length, selector: {matchLabels: {queue: web}}}
    ///       target: {type: AverageValue, averageValue: "30"}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    metrics:
    /// -  - type: Resource
    /// -    resource:
    /// -      name: cpu
    /// -      target: {type: Utilization, averageUtilization: 70}
    ///    - type: External
    /// ```
    ///
    /// ## Fix
    /// Scale a workload that goes to 0 on Object and External metrics only.
    ///
    /// ## References
    /// - [`computeReplicasForMetrics` in horizontal.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go)
    /// - [`GetResourceUtilizationRatio` in utilization.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/metrics/utilization.go)
    pub(crate) static RULE = {
        code: "HPA106",
        name: "zero-with-resource-metrics",
        summary: "minReplicas is 0 next to a metric that rarely asks for 0",
        yields_to: &["HPA105"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    if spec.min_replicas() != 0 || !spec.metrics.iter().any(MetricSpec::is_total) {
        return Ok(Vec::new());
    }
    let metrics = spec.metrics.iter().enumerate();
    Ok(metrics
        .filter_map(|(index, metric)| {
            let name = metric.short_name();
            let at = match metric.resource() {
                Some(_) if metric.target()?.average_value.is_none() => "1% or more",
                Some(_) => "any usage",
                None if metric.is_pods() => "any value",
                None => return None,
            };
            Some(
                cx.finding(format!("spec.metrics[{index}]"))
                    .message(format!(
                        "minReplicas is 0, but {} asks for at least 1 replica at {at}, so this HPA rarely reaches 0",
                        resource_in_prose(name)
                    ))
                    .help(format!(
                        "remove spec.metrics[{index}], and scale on Object and External metrics only"
                    ))
                    .label("spec.minReplicas", "rarely reached"),
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, findings};

    fn hpa(min: i32, metric: &str) -> String {
        format!(
            "{HPA}  minReplicas: {min}
  maxReplicas: 3
  metrics:
  - {{type: External, external: {{metric: {{name: q}}, target: {{type: AverageValue, averageValue: 10}}}}}}
  - {metric}
"
        )
    }

    #[test]
    fn averages_propose_one_from_anything_on() {
        let pods = "{type: Pods, pods: {metric: {name: rps}, target: {type: AverageValue, averageValue: 1}}}";
        assert_eq!(
            findings(&RULE, &hpa(0, pods)),
            [
                "warning spec.metrics[1]: minReplicas is 0, but rps asks for at least 1 replica at any value, so \
                 this HPA rarely reaches 0"
            ]
        );
        assert!(findings(&RULE, &hpa(1, pods)).is_empty());
    }
}
