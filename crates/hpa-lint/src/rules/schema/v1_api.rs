//! HPA002 `v1-api`.

use crate::{Check, Cx, FixStep, Manifest, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA002",
    name: "v1-api",
    summary: "autoscaling/v1 has a field for CPU utilization only",
    severity: Severity::Info,
    is_fixable: true,
    yields_to: &["HPA003"],
    check: Check::Manifest(check),
    docs: include_str!("v1_api.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let manifest = cx.subject;
    // A cluster answers in the requested version, not in the written one.
    if manifest.version() != "v1" || manifest.object.origin.is_none() {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding("apiVersion")
        .message(
            "autoscaling/v1 has a field for CPU utilization only, so other metrics and behavior need annotations",
        )
        .help("write apiVersion: autoscaling/v2, with a Resource metric for targetCPUUtilizationPercentage");
    let node = &manifest.source.node;
    let has_annotations = node.at("metadata.annotations").is_some_and(|annotations| {
        let mut entries = annotations.entries().iter();
        entries.any(|entry| super::roundtrip_annotation::is_one(&entry.key))
    });
    let percent = "spec.targetCPUUtilizationPercentage";
    let written = node.at(percent);
    // v2 would apply or reject fields that v1 silently drops.
    let has_dropped_fields = super::fields::has_unknown(node, "v1");
    let is_no_number = written.is_some_and(|percent| percent.as_i32().is_none());
    if has_annotations || has_dropped_fields || is_no_number {
        return Ok(vec![finding]);
    }
    let finding = finding.fix(FixStep::SetScalar {
        path: "apiVersion".to_owned(),
        text: "autoscaling/v2".to_owned(),
    });
    let Some(number) = written.and_then(kubectl_hpa_yaml::YamlNode::as_i32) else {
        return Ok(vec![finding]);
    };
    Ok(vec![
        finding
            .fix(FixStep::RenameKey {
                path: percent.to_owned(),
                key: "metrics".to_owned(),
            })
            .fix(FixStep::SetScalar {
                path: "spec.metrics".to_owned(),
                text: format!(
                    "[{{type: Resource, resource: {{name: cpu, target: {{type: Utilization, averageUtilization: {number}}}}}}}]"
                ),
            }),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn what_v1_keeps_in_annotations_or_drops_is_not_changed_by_machine() {
        table(
            &RULE,
            |[annotations, more]| {
                format!(
                    "apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {{name: web, annotations: {{{annotations}}}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
  {more}
"
                )
            },
            r"
nothing of the spec | owner: me | => …
  fix: [SetScalar { … }]
a part of the spec in an annotation | autoscaling.alpha.kubernetes.io/behavior: '{}' | => …
  fix: none
behavior that it drops | | targetCPUUtilizationPercentage: 60\n  behavior: {scaleUp: {selectPolicy: Disabled}} => …
  fix: none
metrics that it drops | | targetCPUUtilizationPercentage: 60\n  metrics: [{type: Resource, resource: {name: memory, targetAverageUtilization: 80}}] => …
  fix: none
",
        );
    }
}
