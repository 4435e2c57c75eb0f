//! HPA001 `removed-api-version`.

use hpa_engine::model::Provenance;
use kubectl_hpa_yaml::YamlNode;

use super::old_form::new_form;
use crate::{Check, Cx, Finding, FixStep, Manifest, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA001",
    name: "removed-api-version",
    summary: "an API version that the declared Kubernetes version no longer has",
    severity: Severity::Error,
    is_fixable: true,
    check: Check::Manifest(check),
    docs: include_str!("removed_api_version.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let manifest = cx.subject;
    let removed_in = match manifest.version() {
        "v2beta1" => 25,
        "v2beta2" => 26,
        _ => return Ok(Vec::new()),
    };
    if cx.version().minor < removed_in {
        return Ok(Vec::new());
    }
    let how = match cx.config.version.provenance {
        Provenance::Assumed => "assumed",
        Provenance::AtLeast | Provenance::Given | Provenance::Inferred => "declared",
        Provenance::Observed => "cluster's",
    };
    let finding = cx
        .finding("apiVersion")
        .message(format!(
            "{} was removed in Kubernetes 1.{removed_in}, and the {how} version is {}, so the API server rejects it",
            manifest.source.api_version,
            cx.version()
        ))
        .help(if manifest.version() == "v2beta1" {
            "write apiVersion: autoscaling/v2, where targetAverageUtilization: N becomes \
             target: {type: Utilization, averageUtilization: N}"
        } else {
            "write apiVersion: autoscaling/v2; nothing else changes"
        });
    let finding = match manifest.version() {
        "v2beta1" => migrated(manifest, finding),
        _ => finding.fix(write_v2()),
    };
    Ok(vec![finding])
}

pub(super) fn write_v2() -> FixStep {
    FixStep::SetScalar {
        path: "apiVersion".to_owned(),
        text: "autoscaling/v2".to_owned(),
    }
}

/// The fix for v2beta1, if each metric has one present form.
fn migrated(manifest: &Manifest, mut finding: Finding) -> Finding {
    let node = &manifest.source.node;
    let annotations = node.at("metadata.annotations").map(YamlNode::entries);
    let mut annotations = annotations.unwrap_or_default().iter();
    if annotations.any(|entry| super::roundtrip_annotation::is_one(&entry.key)) {
        // The behavior in them would be dropped.
        return finding;
    }
    if super::fields::has_unknown(node, "v2beta1") {
        // A behavior there was dropped, but would be applied.
        return finding;
    }
    let metrics = node
        .at("spec.metrics")
        .map(YamlNode::items)
        .unwrap_or_default();
    let mut steps = vec![write_v2()];
    for (index, metric) in metrics.iter().enumerate() {
        let Some(form) = new_form(metric, &format!("spec.metrics[{index}]")) else {
            return finding;
        };
        steps.extend(form.steps);
    }
    finding.fix = steps.into();
    finding
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{ControllerConfig, Input, KubeVersion};

    use super::RULE;
    use crate::{
        FixStep,
        testing::{findings, hpa_with_metric, report, report_with, texts},
    };

    const CPU: &str = "{type: Resource, resource: {name: cpu, targetAverageUtilization: 50}}";

    #[test]
    fn each_version_is_there_until_it_is_removed() {
        for (version, last) in [("v2beta1", 24), ("v2beta2", 25)] {
            let at = |minor: u32| {
                let report = report_with(&RULE, &hpa_with_metric(version, CPU), |settings| {
                    let version = KubeVersion { minor, patch: None };
                    settings.configs = vec![ControllerConfig::defaults(Input::assumed(version))];
                });
                texts(&report)
            };
            assert!(at(last).is_empty());
            let next = last + 1;
            let expected = format!(
                "error apiVersion: autoscaling/{version} was removed in Kubernetes 1.{next}, and the assumed version \
                 is 1.{next}, so the API server rejects it"
            );
            assert_eq!(at(next), [expected]);
        }
        assert!(findings(&RULE, &hpa_with_metric("v2", CPU)).is_empty());
    }

    #[test]
    fn metrics_are_moved_unless_their_form_is_ambiguous() {
        assert_eq!(
            report(&RULE, &hpa_with_metric("v2beta1", CPU)).findings[0]
                .finding
                .fix,
            [
                FixStep::SetScalar {
                    path: "apiVersion".to_owned(),
                    text: "autoscaling/v2".to_owned()
                },
                FixStep::RenameKey {
                    path: "spec.metrics[0].resource.targetAverageUtilization".to_owned(),
                    key: "target".to_owned(),
                },
                FixStep::SetScalar {
                    path: "spec.metrics[0].resource.target".to_owned(),
                    text: "{type: Utilization, averageUtilization: 50}".to_owned()
                },
            ]
        );
        let pods = "{type: Pods, pods: {metricName: rps}}";
        let both = "{type: Resource, resource: {name: cpu, targetAverageUtilization: 50, targetAverageValue: 1}}";
        let annotated = hpa_with_metric("v2beta1", CPU).replace(
            "{name: web}\nspec",
            "{name: web, annotations: {autoscaling.alpha.kubernetes.io/behavior: '{}'}}\nspec",
        );
        let dropped =
            hpa_with_metric("v2beta1", CPU) + "  behavior: {scaleUp: {selectPolicy: Disabled}}\n";
        for left in [
            hpa_with_metric("v2beta1", pods),
            hpa_with_metric("v2beta1", both),
            annotated,
            dropped,
        ] {
            let report = report(&RULE, &left);
            assert!(report.findings[0].finding.fix.is_empty(), "{left}");
        }
    }
}
