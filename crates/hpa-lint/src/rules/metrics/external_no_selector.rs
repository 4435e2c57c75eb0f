//! HPA222 `external-no-selector`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags an External metric with no selector, or an empty one.
    /// Names that start with `datadogmetric@` are not flagged, because each of them is one query.
    ///
    /// ## Why is this bad?
    /// The controller reads all series of that name in the namespace and adds them up.
    /// With three queues of 40 jobs each, `averageValue: 20` asks for 6 replicas.
    /// A workload that serves one of the queues needs 2.
    /// A series that is added next month also scales this workload.
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
    /// - [`GetExternalMetric` in client.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/metrics/client.go)
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
        let metric = entry.metric.external_identifier()?;
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
                    "external metric {name} has no selector, so all its series are added up"
                ))
                .help("set metric.selector.matchLabels to the labels of this workload's series")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V2BETA1, findings};

    #[test]
    fn an_empty_selector_selects_everything_and_an_expression_does_not() {
        let with = |selector: &str| {
            findings(
                &RULE,
                &format!(
                    "{HPA_V2BETA1}  maxReplicas: 3
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
                "warning spec.metrics[0].external.metric: external metric jobs has no selector, so all its series \
                 are added up"
            ]
        );
        assert!(with("{matchExpressions: [{key: queue, operator: Exists}]}").is_empty());
    }
}
