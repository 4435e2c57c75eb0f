//! HPA201 `metrics-defaulted`.

use crate::{
    Check, Cx, FixStep, HpaSubject, Rule, RuleOutcome, Severity, rules::schema::meant_metrics,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA201",
    name: "metrics-defaulted",
    summary: "no metric is set",
    severity: Severity::Info,
    is_fixable: true,
    check: Check::Hpa(check),
    docs: include_str!("metrics_defaulted.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    // HPA010 reports a misspelled field of metrics, and what the API server inserts.
    if !cx.subject.written.metrics.is_empty() || meant_metrics(&cx.subject.manifest).is_some() {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding("spec")
        .message("no metric is set, so the API server inserts CPU at 80% of the requests")
        .help("write the metric that is meant");
    let manifest = &cx.subject.manifest;
    // A written empty list is where the new one would go.
    let spec = manifest.source.node.at("spec");
    let is_there = spec.is_some_and(|spec| spec.entry("metrics").is_some());
    let (key, text) = match manifest.version() {
        "v1" => ("targetCPUUtilizationPercentage", "80"),
        "v2beta1" => (
            "metrics",
            "[{type: Resource, resource: {name: cpu, targetAverageUtilization: 80}}]",
        ),
        _ => (
            "metrics",
            "[{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]",
        ),
    };
    Ok(vec![if is_there {
        finding
    } else {
        finding.fix(FixStep::Insert {
            path: "spec".to_owned(),
            key: key.to_owned(),
            text: text.to_owned(),
        })
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn no_metric_is_set_by_a_field_an_annotation_or_a_list() {
        table(
            &RULE,
            |[version, metadata, spec]| {
                format!(
                    "
apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata: {{name: web, {metadata}}}
spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}, maxReplicas: 3, {spec}}}
"
                )
            },
            r#"
none in v1 | v1 | | => info spec: no metric is set, so the API server inserts CPU at 80% of the requests
the field of v1 | v1 | | targetCPUUtilizationPercentage: 60
the annotation of v1 | v1 | annotations: {autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":60}}]'} |
an empty list | v2 | | metrics: [] => info spec: no metric is set, so the API server inserts CPU at 80% of the requests
"#,
        );
    }
}
