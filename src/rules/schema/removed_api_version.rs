//! HPA001 `removed-api-version`.

use crate::{
    lint::{Check, Cx, Finding, FixStep, Manifest, Outcome, Severity},
    model::Provenance,
    yaml::Node,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags `autoscaling/v2beta1` (removed in Kubernetes 1.25) and `autoscaling/v2beta2` (removed in 1.26) if the version is
    /// that one or a later one.
    ///
    /// ## Why is this bad?
    /// Since 1.26 the API server does not know the version: 100 % of the attempts to apply such a manifest fail, and a Helm
    /// release that has one stored can neither be upgraded nor rolled back.
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
    /// Write `autoscaling/v2`, which every version since 1.23 has. From `v2beta2` that is all; in `v2beta1` the targets of
    /// metrics have other names, too.
    ///
    /// ## References
    /// - Kubernetes deprecated API migration guide; kyverno check-deprecated-apis; SumoLogic#2625; openfga#65;
    ///   coredns/helm#101
    pub(crate) static RULE = {
        code: "HPA001",
        name: "removed-api-version",
        summary: "an API version that the declared Kubernetes version no longer has",
        severity: Severity::Error,
        is_fixable: true,
        check: Check::Manifest(check),
    }
}

fn check(cx: &Cx<'_, Manifest>) -> Outcome {
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
        Provenance::Given | Provenance::Inferred => "declared",
        Provenance::Observed => "cluster's",
    };
    let finding = cx
        .finding("apiVersion")
        .message(format!(
            "{} was removed in Kubernetes 1.{removed_in}; the {how} version is {}",
            manifest.source.api_version,
            cx.version()
        ))
        .help("write autoscaling/v2; in v2beta1 the targets of metrics have other names, too");
    let finding = match manifest.version() {
        "v2beta1" => migrated(manifest, finding),
        _ => finding.fix(write_v2()),
    };
    Ok(vec![finding])
}

fn write_v2() -> FixStep {
    FixStep::SetScalar {
        path: "apiVersion".to_owned(),
        text: "autoscaling/v2".to_owned(),
    }
}

/// The fix for v2beta1, if all metrics are of resources: there only the number has another place.
fn migrated(manifest: &Manifest, mut finding: Finding) -> Finding {
    let mut steps = vec![write_v2()];
    let metrics = manifest.source.node.at("spec.metrics");
    for (index, metric) in metrics
        .map(Node::items)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let source = ["resource", "containerResource"]
            .into_iter()
            .find_map(|name| Some((name, metric.get(name)?)));
        let number = |node: &Node| {
            node.as_i64()
                .map(|number| number.to_string())
                .or_else(|| Some(format!("{:?}", node.as_str()?)))
        };
        let moved = source.and_then(|(name, source)| {
            let (old, kind, new) = match source.get("targetAverageUtilization") {
                Some(_) => (
                    "targetAverageUtilization",
                    "Utilization",
                    "averageUtilization",
                ),
                None => ("targetAverageValue", "AverageValue", "averageValue"),
            };
            let number = number(source.get(old)?)?;
            Some((name, old, format!("{{type: {kind}, {new}: {number}}}")))
        });
        let Some((name, old, target)) = moved else {
            return finding;
        };
        let path = format!("spec.metrics[{index}].{name}");
        steps.push(FixStep::Remove {
            path: format!("{path}.{old}"),
        });
        steps.push(FixStep::Insert {
            path,
            key: "target".to_owned(),
            text: target,
        });
    }
    finding.fix = steps;
    finding
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        lint::{
            FixStep,
            testing::{findings, report, report_with, texts},
        },
        model::{ControllerConfig, Input, KubeVersion},
    };

    fn hpa(version: &str, metric: &str) -> String {
        format!(
            "apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
  metrics:
  - {metric}
"
        )
    }

    const CPU: &str = "{type: Resource, resource: {name: cpu, targetAverageUtilization: 50}}";

    #[test]
    fn each_version_is_there_until_it_is_removed() {
        for (version, last) in [("v2beta1", 24), ("v2beta2", 25)] {
            let at = |minor: u32| {
                let report = report_with(&RULE, &hpa(version, CPU), |settings| {
                    let version = KubeVersion { minor, patch: None };
                    settings.configs = vec![ControllerConfig::defaults(Input::assumed(version))];
                });
                texts(&report)
            };
            assert!(at(last).is_empty());
            let next = last + 1;
            let wanted = format!(
                "error apiVersion: autoscaling/{version} was removed in Kubernetes 1.{next}; the assumed version is \
                 1.{next}"
            );
            assert_eq!(at(next), [wanted]);
        }
        assert!(findings(&RULE, &hpa("v2", CPU)).is_empty());
    }

    #[test]
    fn metrics_of_resources_are_moved_and_others_are_left_to_people() {
        assert_eq!(
            report(&RULE, &hpa("v2beta1", CPU)).findings[0].finding.fix,
            [
                FixStep::SetScalar {
                    path: "apiVersion".to_owned(),
                    text: "autoscaling/v2".to_owned()
                },
                FixStep::Remove {
                    path: "spec.metrics[0].resource.targetAverageUtilization".to_owned()
                },
                FixStep::Insert {
                    path: "spec.metrics[0].resource".to_owned(),
                    key: "target".to_owned(),
                    text: "{type: Utilization, averageUtilization: 50}".to_owned()
                },
            ]
        );
        let pods = "{type: Pods, pods: {metricName: rps, targetAverageValue: 10}}";
        let report = report(&RULE, &hpa("v2beta1", pods));
        assert!(report.findings[0].finding.fix.is_empty());
    }
}
