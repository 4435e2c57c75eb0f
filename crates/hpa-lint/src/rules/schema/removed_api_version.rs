//! HPA001 `removed-api-version`.

use crate::{
    lint::{Check, Cx, Finding, FixStep, Manifest, RuleOutcome, Severity},
    model::Provenance,
    yaml::{YamlNode, parse},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags `autoscaling/v2beta1` (removed in Kubernetes 1.25) and `autoscaling/v2beta2` (removed in 1.26).
    /// It applies if the declared version is that one or later.
    ///
    /// ## Why is this bad?
    /// The API server does not know the version and rejects the manifest.
    /// A Helm release that has such a manifest stored can be neither upgraded nor rolled back.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2beta2
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
    /// Use instead:
    /// ```yaml
    /// @@
    /// -apiVersion: autoscaling/v2beta2
    /// +apiVersion: autoscaling/v2
    ///  kind: HorizontalPodAutoscaler
    /// ```
    ///
    /// ## Fix
    /// Write `autoscaling/v2`, which every version since 1.23 has.
    /// For `v2beta2` nothing else changes. In `v2beta1` the targets of metrics also have other names.
    ///
    /// ## References
    /// - [Deprecated API migration guide](https://kubernetes.io/docs/reference/using-api/deprecation-guide/)
    pub(crate) static RULE = {
        code: "HPA001",
        name: "removed-api-version",
        summary: "an API version that the declared Kubernetes version no longer has",
        severity: Severity::Error,
        is_fixable: true,
        check: Check::Manifest(check),
    }
}

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

/// The fix for v2beta1, if all metrics are resource metrics: only the number moves there.
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
        let Some(moved) = moved(metric, &format!("spec.metrics[{index}]")) else {
            return finding;
        };
        steps.extend(moved);
    }
    finding.fix = steps;
    finding
}

/// Steps that turn the single number of a resource into a target. It keeps its position and comments.
pub(super) fn moved(metric: &YamlNode, path: &str) -> Option<[FixStep; 2]> {
    let mut sources = ["resource", "containerResource"]
        .into_iter()
        .filter_map(|name| Some((name, metric.get(name)?)));
    let (name, source) = sources.next()?;
    let number = |old: &str| source.get(old).and_then(scalar);
    let utilization = number("targetAverageUtilization");
    let value = number("targetAverageValue");
    let (old, target) = match (utilization, value) {
        (Some(number), None) => (
            "targetAverageUtilization",
            format!("{{type: Utilization, averageUtilization: {number}}}"),
        ),
        (None, Some(number)) => (
            "targetAverageValue",
            format!("{{type: AverageValue, averageValue: {number}}}"),
        ),
        _ => return None,
    };
    let path = format!("{path}.{name}");
    Some([
        FixStep::RenameKey {
            path: format!("{path}.{old}"),
            key: "target".to_owned(),
        },
        FixStep::SetScalar {
            path: format!("{path}.target"),
            text: target,
        },
    ])
}

/// A number or a quantity in YAML, quoted only if necessary.
fn scalar(node: &YamlNode) -> Option<String> {
    if let Some(number) = node.as_i64() {
        return Some(number.to_string());
    }
    let text = node.as_str()?;
    let is_plain = text
        .chars()
        .all(|one| one.is_ascii_alphanumeric() || one == '.')
        && matches!(&parse(text)[..], [Ok(document)] if document.root.as_str() == Some(text));
    Some(if is_plain {
        text.to_owned()
    } else {
        format!("{text:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        lint::{
            FixStep,
            testing::{findings, hpa_with_metric, report, report_with, texts},
        },
        model::{ControllerConfig, Input, KubeVersion},
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
    fn metrics_of_resources_are_moved_and_others_are_left_to_people() {
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
        let pods = "{type: Pods, pods: {metricName: rps, targetAverageValue: 10}}";
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
