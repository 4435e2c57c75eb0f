//! HPA005 `metric-shape`.

use super::{
    refused::{Reporter, refused},
    unknown_field::{Misplaced, misplaced},
};
use crate::{
    lint::{Check, Cx, Finding, Manifest, RuleOutcome, Severity, is_within},
    manifest::validation::Violation,
    recording::wire::MetricSpec,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags metrics whose parts do not go together: a source missing or too many for its `type`, no target or two of them,
    /// a target that is not above 0. It applies the API server's own rules. Where a word of another version or a misspelled one
    /// is the reason, it names that.
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
    ///       targetAverageUtilization: 70
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///        name: cpu
    /// -      targetAverageUtilization: 70
    /// +      target: {type: Utilization, averageUtilization: 70}
    /// ```
    ///
    /// ## Fix
    /// Give each metric the one source that its type names, and that source one target above 0. `--fix` writes what
    /// a misplaced or misspelled field means.
    ///
    /// ## References
    /// - kubernetes: `validateMetricSpec` in `pkg/apis/autoscaling/validation/validation.go`; KICS query 2f652c42
    pub(crate) static RULE = {
        code: "HPA005",
        name: "metric-shape",
        summary: "a metric whose source or target the API server refuses",
        severity: Severity::Error,
        is_fixable: true,
        check: Check::Manifest(check),
    }
}

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let violations = refused(cx, Reporter::MetricShape);
    if violations.is_empty() {
        return Ok(Vec::new());
    }
    let mut misplaced: Vec<(Misplaced, bool)> = misplaced(cx.subject)
        .into_iter()
        .map(|one| (one, false))
        .collect();
    let mut findings = Vec::new();
    for violation in &violations {
        let (index, metric_type) = metric(cx, violation);
        let metric_type = match metric_type {
            "" => "no type",
            metric_type => metric_type,
        };
        let metric = format!("metric {index} ({metric_type})");
        let explains = |(one, _): &&mut (Misplaced, bool)| {
            is_missing(violation)
                && (is_within(&violation.field, &one.missing)
                    || is_within(&one.missing, &violation.field))
        };
        if let Some((one, is_reported)) = misplaced.iter_mut().find(explains) {
            if !std::mem::replace(is_reported, true) {
                findings.push(wrong_word(cx, &metric, one));
            }
            continue;
        }
        findings.push(
            cx.finding(&violation.field)
                .message(format!("{metric} {}", problem(violation, index)))
                .help(
                    "give the metric the one source that its type names, with one target above 0",
                ),
        );
    }
    Ok(findings)
}

/// A field of another version or in another spelling, which says what is missing.
fn wrong_word(cx: &Cx<'_, Manifest>, metric: &str, misplaced: &Misplaced) -> Finding {
    let path = &misplaced.path;
    let field = path.split_once("].").map_or(&**path, |(_, field)| field);
    let version = cx.subject.version();
    let finding = cx
        .finding(path)
        .as_written()
        .message(format!(
            "{metric} has {field}, which is not a field of autoscaling/{version}"
        ))
        .help(&*misplaced.help);
    let fix = misplaced.fix.iter().cloned();
    fix.fold(finding, Finding::fix)
}

/// Whether it says that a field is not there, and not that it must not be.
fn is_missing(violation: &Violation) -> bool {
    violation.value.is_none() && !violation.problem.starts_with("Forbidden")
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
        None if is_missing(violation) => format!("lacks {field}: {}", violation.rule),
        None => format!("may not have {field}: {}", violation.rule),
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
        for (metric, expected) in cases {
            assert_eq!(findings(&RULE, &hpa_with_metric("v2", metric)), [expected]);
        }
    }

    #[test]
    fn one_wrong_word_is_one_finding_with_its_fix() {
        use crate::lint::testing::report_with;
        for (version, source, field, help) in [
            (
                "v2",
                "targetAverageUtilization: 70",
                "targetAverageUtilization",
                "write target: {type: Utilization, averageUtilization: 70}",
            ),
            (
                "v2beta1",
                "target: {type: Utilization, averageUtilization: 70}",
                "target",
                "write apiVersion: autoscaling/v2, which has it",
            ),
            (
                "v2",
                "target: {type: Utilization, averageUtilisation: 70}",
                "target.averageUtilisation",
                "write averageUtilization",
            ),
        ] {
            let metric = format!("{{type: Resource, resource: {{name: cpu, {source}}}}}");
            let report = report_with(&RULE, &hpa_with_metric(version, &metric), |settings| {
                settings.enabled = ["HPA004", "HPA005", "HPA010"].into();
            });
            let [found] = &report.findings[..] else {
                panic!("{report:#?}");
            };
            assert_eq!(
                found.finding.message,
                format!(
                    "metric 0 (Resource) has resource.{field}, which is not a field of autoscaling/{version}"
                )
            );
            assert_eq!(found.finding.help, help);
            assert!(!found.finding.fix.is_empty());
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
