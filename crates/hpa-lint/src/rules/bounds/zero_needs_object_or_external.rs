//! HPA105 `zero-needs-object-or-external`.

use crate::{
    Check, Cx, Manifest, RuleOutcome, Severity,
    rules::schema::refused::{Reporter, refused},
};

crate::declare_rule! {
    /// ## What it does
    /// Flags `minReplicas: 0` without an Object or External metric.
    ///
    /// ## Why is this bad?
    /// The API server rejects it.
    /// Without pods, CPU, memory and other pod metrics have no value, so nothing could start the first pod.
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
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      name: web
    /// -  minReplicas: 0
    /// +  minReplicas: 1
    ///    maxReplicas: 10
    /// ```
    ///
    /// ## Fix
    /// Add an Object or External metric, such as the length of a queue, or write `minReplicas: 1`.
    ///
    /// ## References
    /// - [`validateMetrics` in validation.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/autoscaling/validation/validation.go)
    /// - [KEP-2021](https://kep.k8s.io/2021)
    pub(crate) static RULE = {
        code: "HPA105",
        name: "zero-needs-object-or-external",
        summary: "minReplicas is 0 without a metric that works without pods",
        severity: Severity::Error,
        reports_rejections: true,
        check: Check::Manifest(check),
    }
}

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    if refused(cx, Reporter::ZeroWithoutMetric).is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.minReplicas")
            .message("minReplicas is 0 without an Object or External metric, so the API server rejects this HPA")
            .help("add an Object or External metric, or set minReplicas to 1"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, findings};

    #[test]
    fn one_metric_that_needs_no_pods_is_enough() {
        let yaml = &format!("{HPA}  minReplicas: 0
  maxReplicas: 3
  metrics:
  - {{type: Resource, resource: {{name: cpu, target: {{type: Utilization, averageUtilization: 50}}}}}}
  - {{type: External, external: {{metric: {{name: q}}, target: {{type: AverageValue, averageValue: 10}}}}}}
");
        assert!(findings(&RULE, yaml).is_empty());
    }

    #[test]
    fn the_metric_that_the_api_server_fills_in_needs_pods() {
        let yaml = &format!(
            "{HPA}  minReplicas: 0
  maxReplicas: 3
"
        );
        assert_eq!(
            findings(&RULE, yaml),
            [
                "error spec.minReplicas: minReplicas is 0 without an Object or External metric, so the API server \
                 rejects this HPA"
            ]
        );
    }
}
