//! HPA106 `zero-with-resource-metrics`.

use crate::{
    lint::{Check, Cx, HpaSubject, RuleOutcome},
    model::MetricSpec,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags `minReplicas: 0` beside a metric that is measured at pods: Resource, ContainerResource or Pods.
    ///
    /// ## Why is this bad?
    /// The largest proposal wins. A cpu metric at 1% of the requests, with a target of 70%, proposes ⌈2 pods × 1 ÷ 70⌉ = 1,
    /// so an empty queue does not bring the workload to 0. Once at 0 that metric fails in every sync and emits a warning.
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
    /// Scale a workload that goes to zero by Object and External metrics only.
    ///
    /// ## References
    /// - kubernetes: `GetResourceUtilizationRatio`; `computeReplicasForMetrics` takes the largest proposal
    pub(crate) static RULE = {
        code: "HPA106",
        name: "zero-with-resource-metrics",
        summary: "minReplicas is 0 beside a metric that hardly ever proposes 0",
        yields_to: &["HPA105"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let can_wake =
        |metric: &MetricSpec| matches!(metric, MetricSpec::Object(_) | MetricSpec::External(_));
    if spec.min_replicas() != 0 || !spec.metrics.iter().any(can_wake) {
        return Ok(Vec::new());
    }
    let metrics = spec.metrics.iter().enumerate();
    Ok(metrics
        .filter_map(|(index, metric)| {
            let (name, from) = match metric {
                MetricSpec::Resource(source) if source.metric_target.average_value.is_none() => {
                    (source.name.as_str(), "an average of 1%")
                }
                MetricSpec::ContainerResource(source)
                    if source.metric_target.average_value.is_none() =>
                {
                    (source.name.as_str(), "an average of 1%")
                }
                MetricSpec::Resource(source) => (source.name.as_str(), "any usage"),
                MetricSpec::ContainerResource(source) => (source.name.as_str(), "any usage"),
                MetricSpec::Pods(source) => (source.metric.name.as_str(), "any value"),
                _ => return None,
            };
            Some(
                cx.finding(format!("spec.metrics[{index}]"))
                    .message(format!(
                        "minReplicas is 0, but {name} proposes at least 1 from {from} on"
                    ))
                    .help("scale a workload that goes to zero by Object and External metrics only")
                    .label("spec.minReplicas", "hardly ever reached"),
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    fn hpa(min: i32, metric: &str) -> String {
        format!(
            "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  minReplicas: {min}
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
                "warning spec.metrics[1]: minReplicas is 0, but rps proposes at least 1 from any value on"
            ]
        );
        assert!(findings(&RULE, &hpa(1, pods)).is_empty());
    }
}
