//! HPA005 `metric-shape`.

use super::refused::{Reporter, refused};
use crate::{
    lint::{Check, Cx, Manifest, Outcome, Severity},
    manifest::validation::Violation,
    recording::wire::MetricSpec,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags metrics whose parts do not go together: a source missing or too many for its `type`, no target or two of them,
    /// a target that is not above 0. It applies the API server's own rules.
    ///
    /// ## Why is this bad?
    /// The API server refuses the whole HPA: 1 wrong metric of 5 keeps the other 4 from being stored.
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
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target: {type: Utilization, averageUtilization: 70, averageValue: 500m}
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
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target: {type: Utilization, averageUtilization: 70}
    /// ```
    ///
    /// ## Fix
    /// Give each metric the one source that its type names, and that source one target above 0.
    ///
    /// ## References
    /// - kubernetes: `validateMetricSpec` in `pkg/apis/autoscaling/validation/validation.go`; KICS query 2f652c42
    pub(crate) static RULE = {
        code: "HPA005",
        name: "metric-shape",
        summary: "a metric whose source or target the API server refuses",
        severity: Severity::Error,
        check: Check::Manifest(check),
    }
}

fn check(cx: &Cx<'_, Manifest>) -> Outcome {
    let violations = refused(cx, Reporter::MetricShape);
    Ok(violations
        .iter()
        .map(|violation| {
            let (index, metric_type) = metric(cx, violation);
            let metric_type = match metric_type {
                "" => "no type",
                metric_type => metric_type,
            };
            cx.finding(&violation.field)
                .message(format!(
                    "metric {index} ({metric_type}) {}",
                    problem(violation, index)
                ))
                .help("give the metric the one source that its type names, with one target above 0")
        })
        .collect())
}

/// Index and type of the metric that a violation is about.
fn metric<'a>(cx: &'a Cx<'_, Manifest>, violation: &Violation) -> (usize, &'a str) {
    let index = violation
        .field
        .strip_prefix("spec.metrics[")
        .and_then(|rest| rest.split_once(']'))
        .and_then(|(index, _)| index.parse().ok())
        .unwrap_or_default();
    let spec = cx.subject.defaulted.as_ref();
    let metric = spec.and_then(|spec| spec.metrics.get(index));
    let metric_type = metric.map_or("", |metric: &MetricSpec| metric.metric_type.as_str());
    (index, metric_type)
}

/// What is wrong, with the path below the metric.
fn problem(violation: &Violation, index: usize) -> String {
    let metric = format!("spec.metrics[{index}].");
    let field = violation
        .field
        .strip_prefix(&metric)
        .unwrap_or(&violation.field);
    match &violation.value {
        Some(value) => format!("has {field} {value}: {}", violation.rule),
        None if violation.problem.starts_with("Forbidden") => {
            format!("may not have {field}: {}", violation.rule)
        }
        None => format!("lacks {field}: {}", violation.rule),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{findings, hpa_with_metric};

    #[test]
    fn sources_and_targets_are_told_with_index_type_and_path() {
        let cases = [
            (
                "{type: Pods}",
                "error spec.metrics[0].pods: metric 0 (Pods) lacks pods: must populate information for the given metric \
                 source",
            ),
            (
                "{type: Pods, pods: {metric: {name: rps}, target: {type: Value, value: 1}}}",
                "error spec.metrics[0].pods.target.averageValue: metric 0 (Pods) lacks pods.target.averageValue: must \
                 specify a positive target averageValue",
            ),
            (
                "{type: External, external: {metric: {name: q}, target: {type: Value, value: 1, averageValue: 1}}}",
                "error spec.metrics[0].external.target.value: metric 0 (External) may not have external.target.value: \
                 may not set both a target value for metric and a per-pod target",
            ),
            (
                "{type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: 0}}}",
                "error spec.metrics[0].resource.target.averageValue: metric 0 (Resource) has \
                 resource.target.averageValue \"0\": must be positive",
            ),
        ];
        for (metric, wanted) in cases {
            assert_eq!(findings(&RULE, &hpa_with_metric("v2", metric)), [wanted]);
        }
    }

    #[test]
    fn names_and_types_are_left_to_the_general_rule() {
        let unknown = "{type: Memory, resource: {name: cpu, target: {type: Utilization, averageUtilization: 5}}}";
        // The source does not go with the unknown type, but it is the type that is wrong.
        assert!(findings(&RULE, &hpa_with_metric("v2", unknown)).is_empty());
        let name =
            "{type: External, external: {metric: {name: ''}, target: {type: Value, value: 1}}}";
        assert!(findings(&RULE, &hpa_with_metric("v2", name)).is_empty());
    }

    #[test]
    fn a_percentage_of_zero_in_v1_is_found_where_it_stands() {
        let yaml = "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
  targetCPUUtilizationPercentage: 0
";
        assert_eq!(
            findings(&RULE, yaml),
            [
                "error spec.metrics[0].resource.target.averageUtilization: metric 0 (Resource) has \
                 resource.target.averageUtilization 0: must be greater than 0"
            ]
        );
    }
}
