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
    use crate::testing::findings;

    fn hpa(version: &str, metadata: &str, spec: &str) -> String {
        format!(
            "
apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata: {{name: web{metadata}}}
spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}, maxReplicas: 3{spec}}}
"
        )
    }

    #[test]
    fn the_older_version_has_a_field_and_an_annotation_for_metrics() {
        let output =
            ["info spec: no metric is set, so the API server inserts CPU at 80% of the requests"];
        assert_eq!(findings(&RULE, &hpa("v1", "", "")), output);
        let cpu = hpa("v1", "", ", targetCPUUtilizationPercentage: 60");
        assert!(findings(&RULE, &cpu).is_empty());
        let metrics = r#", annotations: {autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":60}}]'}"#;
        assert!(findings(&RULE, &hpa("v1", metrics, "")).is_empty());
    }

    #[test]
    fn an_empty_list_is_no_metric() {
        let output =
            ["info spec: no metric is set, so the API server inserts CPU at 80% of the requests"];
        assert_eq!(findings(&RULE, &hpa("v2", "", ", metrics: []")), output);
    }
}
