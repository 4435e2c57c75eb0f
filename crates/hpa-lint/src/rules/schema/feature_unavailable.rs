//! HPA011 `feature-unavailable`.

use hpa_engine::model::{FeatureGates, GateStage, Input, KubeVersion, Provenance};
use hpa_objects::manifest::validation::{DropCause, Rules, drop_disabled_fields};

use super::refused::{Reporter, refused};
use crate::{Check, Cx, Finding, Manifest, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA011",
    name: "feature-unavailable",
    summary: "a feature that the declared version does not have",
    worst: Some(Severity::Error),
    reports_rejections: true,
    check: Check::Manifest(check),
    docs: include_str!("feature_unavailable.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let gates = &cx.config.feature_gates;
    let Some(written) = cx.subject.defaulted.as_deref() else {
        return Ok(Vec::new());
    };
    let mut spec = written.clone();
    let is_stored = cx.subject.object.origin.is_none();
    let rules = Rules {
        old: is_stored.then_some(written),
        ..cx.api_rules()
    };
    let mut found: Vec<Finding> = drop_disabled_fields(&mut spec, rules)
        .into_iter()
        .map(|dropped| {
            let is_tolerance = dropped.field.ends_with("tolerance");
            let (feature, gate) = if is_tolerance {
                (&TOLERANCE, gates.hpa_configurable_tolerance)
            } else {
                (&CONTAINER_RESOURCE, gates.hpa_container_metrics)
            };
            let finding = unavailable(cx, &dropped.field, feature, gate);
            let help = match dropped.cause {
                DropCause::Unknown { .. } => {
                    let since = feature.since(GateStage::Alpha);
                    format!("remove it, or upgrade to Kubernetes 1.{since}")
                }
                DropCause::GateOff(gate, _) => {
                    format!("remove it, or lint with --feature-gate={gate}=true if the gate is on")
                }
            };
            // Without its source a metric is rejected; a tolerance is only dropped.
            let is_refused = !is_tolerance && is_declared(gate);
            finding.help(help).severity(severity(is_refused))
        })
        .collect();
    let zero = refused(cx, Reporter::Feature);
    if zero
        .iter()
        .any(|violation| violation.field == "spec.minReplicas")
    {
        let gate = gates.hpa_scale_to_zero;
        let finding = unavailable(cx, "spec.minReplicas", &ZERO, gate)
            .help("set minReplicas to 1, or lint with --feature-gate=HPAScaleToZero=true if the gate is on")
            .severity(severity(is_declared(gate)));
        found.push(finding);
    }
    Ok(found)
}

/// A feature behind a gate.
struct Feature {
    name: &'static str,
    gate: &'static str,
    /// The consequence without the feature.
    without: &'static str,
}

impl Feature {
    /// The minor version in which its gate reached a stage.
    fn since(&self, stage: GateStage) -> u32 {
        FeatureGates::since(self.gate, stage).unwrap_or(KubeVersion::NEWEST.minor)
    }
}

const CONTAINER_RESOURCE: Feature = Feature {
    name: "a ContainerResource metric",
    gate: "HPAContainerMetrics",
    without: "the API server rejects this HPA",
};

const TOLERANCE: Feature = Feature {
    name: "tolerance",
    gate: "HPAConfigurableTolerance",
    without: "it is dropped without an error",
};

const ZERO: Feature = Feature {
    name: "minReplicas 0",
    gate: "HPAScaleToZero",
    without: "the API server rejects this HPA",
};

fn unavailable(cx: &Cx<'_, Manifest>, path: &str, feature: &Feature, gate: Input<bool>) -> Finding {
    let Feature {
        name,
        gate: gate_name,
        without,
    } = feature;
    let version = cx.version();
    let (known_since, on_since) = (
        feature.since(GateStage::Alpha),
        feature.since(GateStage::Beta),
    );
    let how = match cx.config.version.provenance {
        Provenance::Assumed => "assumed",
        Provenance::AtLeast | Provenance::Given | Provenance::Inferred => "declared",
        Provenance::Observed => "cluster's",
    };
    let message = if version.minor < known_since {
        format!(
            "{name} needs Kubernetes 1.{known_since}, and the {how} version is {version}, so {without}"
        )
    } else if is_declared(gate) {
        format!("{name} needs the feature gate {gate_name}, which is off, so {without}")
    } else {
        format!(
            "{name} needs Kubernetes 1.{on_since} or the feature gate {gate_name}; the {how} version is {version}, so \
             without the gate {without}"
        )
    };
    cx.finding(path.to_owned()).message(message)
}

/// Whether the gate is declared or read, not assumed.
fn is_declared(gate: Input<bool>) -> bool {
    gate.provenance != Provenance::Assumed
}

fn severity(is_refused: bool) -> Severity {
    if is_refused {
        Severity::Error
    } else {
        Severity::Warning
    }
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{ControllerConfig, Input, KubeVersion};

    use super::RULE;
    use crate::testing::{HPA, report_with, table_of};

    #[test]
    fn a_field_is_unknown_then_behind_a_gate_then_there() {
        table_of(
            |[minor, gate, spec]| {
                let spec = match spec {
                    "tolerance" => "behavior: {scaleDown: {tolerance: '0.2'}}",
                    "zero" => "minReplicas: 0
  metrics: [{type: External, external: {metric: {name: q}, target: {type: AverageValue, averageValue: 1}}}]",
                    _ => "metrics: [{type: ContainerResource, containerResource: {name: cpu, container: main, target: {type: Utilization, averageUtilization: 50}}}]",
                };
                let yaml = format!("{HPA}  maxReplicas: 3\n  {spec}\n");
                report_with(&RULE, &yaml, |settings| {
                    let config = &mut settings.configs[0];
                    let (minor, patch) = (minor.parse().unwrap(), None);
                    *config =
                        ControllerConfig::defaults(Input::given(KubeVersion { minor, patch }));
                    if let Some((name, is_on)) = gate.split_once('=') {
                        *config.feature_gates.by_name_mut(name).unwrap() =
                            Input::given(is_on == "on");
                    }
                })
            },
            r"
tolerance is unknown | 32 | | tolerance => warning spec.behavior.scaleDown.tolerance: tolerance needs Kubernetes 1.33, and the declared version is 1.32, so it is dropped without an error
tolerance is behind a gate | 33 | | tolerance
  warning spec.behavior.scaleDown.tolerance: tolerance needs Kubernetes 1.35 or the feature gate HPAConfigurableTolerance; the declared version is 1.33, so without the gate it is dropped without an error
tolerance is still behind it | 34 | | tolerance
  warning spec.behavior.scaleDown.tolerance: tolerance needs Kubernetes 1.35 or the feature gate HPAConfigurableTolerance; the declared version is 1.34, so without the gate it is dropped without an error
the gate is on | 33 | HPAConfigurableTolerance=on | tolerance
the gate is on in the next | 34 | HPAConfigurableTolerance=on | tolerance
tolerance is there | 35 | | tolerance
tolerance is turned off | 35 | HPAConfigurableTolerance=off | tolerance
  warning spec.behavior.scaleDown.tolerance: tolerance needs the feature gate HPAConfigurableTolerance, which is off, so it is dropped without an error
zero may be behind a gate | 36 | | zero
  warning spec.minReplicas: minReplicas 0 needs Kubernetes 1.37 or the feature gate HPAScaleToZero; the declared version is 1.36, so without the gate the API server rejects this HPA
zero is an error if the gate is declared off | 36 | HPAScaleToZero=off | zero
  error spec.minReplicas: minReplicas 0 needs the feature gate HPAScaleToZero, which is off, so the API server rejects this HPA
the gate of zero is on | 36 | HPAScaleToZero=on | zero
zero is there | 37 | | zero
a container's metric is behind a gate | 26 | | container
  warning spec.metrics[0].containerResource: a ContainerResource metric needs Kubernetes 1.27 or the feature gate HPAContainerMetrics; the declared version is 1.26, so without the gate the API server rejects this HPA
a container's metric is there | 27 | | container
",
        );
    }
}
