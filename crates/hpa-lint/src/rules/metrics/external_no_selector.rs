//! HPA222 `external-no-selector`.

use super::entry::MetricEntry;
use crate::lint::{Check, Cx, HpaSubject, RuleOutcome, Severity};
use crate::model::MetricSpec;

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an External metric that has no selector, or an empty one. Metrics whose name stands for one query are left
    /// out: those that begin with `datadogmetric@`.
    ///
    /// ## Why is this bad?
    /// The controller asks for all series of that name in the namespace and adds them up. With three queues of 40 jobs
    /// each, `AverageValue` 20 asks for 6 pods, although this workload serves one of them and needs 2. A series that is
    /// added next month scales this workload, too.
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
    ///     - type: External
    ///       external:
    ///         metric:
    ///           name: queue_jobs
    ///         target:
    ///           type: AverageValue
    ///           averageValue: 20
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///            name: queue_jobs
    /// +          selector:
    /// +            matchLabels:
    /// +              queue: mail
    ///          target:
    /// ```
    ///
    /// ## Fix
    /// Select the series that this workload serves. If all of them are meant, suppress the rule with a reason.
    ///
    /// ## References
    /// - `GetExternalMetric` in `pkg/controller/podautoscaler/metrics/client.go`
    /// - documentation of the Datadog and the Prometheus adapter
    pub(crate) static RULE = {
        code: "HPA222",
        name: "external-no-selector",
        summary: "an external metric without a selector",
        severity: Severity::Warning,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let unselected = MetricEntry::all(&cx.subject.spec).filter_map(|entry| {
        let MetricSpec::External(source) = entry.metric else {
            return None;
        };
        let metric = &source.metric;
        let is_unselected = metric.selector.as_ref().is_none_or(|selector| {
            selector.match_labels.is_empty() && selector.match_expressions.is_empty()
        });
        (is_unselected && !metric.name.starts_with("datadogmetric@"))
            .then_some((entry, &metric.name))
    });
    Ok(unselected
        .map(|(entry, name)| {
            cx.finding(entry.field("metric"))
                .message(format!(
                    "external metric {name} has no selector; all returned series are summed"
                ))
                .help("select the series of this workload by their labels")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    #[test]
    fn an_empty_selector_selects_everything_and_an_expression_does_not() {
        let with = |selector: &str| {
            findings(
                &RULE,
                &format!(
                    "
apiVersion: autoscaling/v2beta1
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
  metrics:
  - type: External
    external: {{metricName: jobs, metricSelector: {selector}, targetValue: 20}}
"
                ),
            )
        };
        assert_eq!(
            with("{}"),
            [
                "warning spec.metrics[0].external.metric: external metric jobs has no selector; all \
             returned series are summed"
            ]
        );
        assert!(with("{matchExpressions: [{key: queue, operator: Exists}]}").is_empty());
    }
}
