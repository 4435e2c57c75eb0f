//! Helpers for tests of rules: the findings of one rule on a few documents.

use hpa_engine::model::{self, KubeVersion};

use super::{File, LintInput, LintSettings, Report, Rule, is_kustomization, run};

/// The start of an HPA `web` whose target is the Deployment `web`. Append lines of its spec.
pub const HPA: &str = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
";

/// The same in autoscaling/v1.
pub const HPA_V1: &str = "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
";

/// The same in autoscaling/v2beta1.
pub const HPA_V2BETA1: &str = "
apiVersion: autoscaling/v2beta1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
";

/// The start of a Deployment `web`, after another document. Append its spec.
pub const DEPLOYMENT: &str = "\
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
";

/// The start of a ScaledObject `web` whose target is the Deployment `web`. Append lines of its spec.
pub const SCALED_OBJECT: &str = "
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web}
spec:
  scaleTargetRef: {name: web}
";

/// Runs one rule on the documents of `yaml`, for Kubernetes 1.36.
pub fn report(rule: &'static Rule, yaml: &str) -> Report {
    report_with(rule, yaml, |_| {})
}

/// Like [`report`], with other settings.
pub fn report_with(
    rule: &'static Rule,
    yaml: &str,
    change: impl FnOnce(&mut LintSettings),
) -> Report {
    let mut input = LintInput::default();
    input.add_text("test.yaml", yaml, true);
    let version = KubeVersion {
        minor: 36,
        patch: None,
    };
    let mut settings = LintSettings::new(model::Input::given(version));
    settings.enabled = [rule.code].into();
    change(&mut settings);
    run(&input, &settings)
}

/// Runs all rules that are on by default on files of a folder, for Kubernetes 1.36.
pub fn report_of_files(files: &[(String, String)]) -> Report {
    let file = |(name, text): &(String, String)| {
        Ok::<_, std::convert::Infallible>(File {
            name: name.clone(),
            bytes: text.clone().into_bytes(),
            is_found: true,
            is_linted: true,
            is_rendered: false,
        })
    };
    let mut input = LintInput::default();
    // A kustomization must be read before the files that it lists.
    for are_kustomizations in [true, false] {
        let alike = files
            .iter()
            .filter(|(name, _)| is_kustomization(name) == are_kustomizations);
        let Ok(()) = input.add_files(alike.map(file));
    }
    let version = KubeVersion {
        minor: 36,
        patch: None,
    };
    run(&input, &LintSettings::new(model::Input::given(version)))
}

/// `severity path: message` of each finding of one rule on the documents of `yaml`.
pub fn findings(rule: &'static Rule, yaml: &str) -> Vec<String> {
    texts(&report(rule, yaml))
}

/// `severity path: message` of each finding of a report.
pub fn texts(report: &Report) -> Vec<String> {
    report
        .findings
        .iter()
        .map(|reported| {
            let finding = &reported.finding;
            format!("{} {}: {}", finding.severity, finding.path, finding.message)
        })
        .collect()
}

/// An HPA `web` with a Deployment or StatefulSet `web` as its target. `hpa` and `workload` are further lines of their
/// `spec`, indented by two spaces.
pub fn hpa_and_workload(kind: &str, hpa: &str, workload: &str) -> String {
    format!(
        "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: {kind}, name: web}}
  maxReplicas: 8
{hpa}
---
apiVersion: apps/v1
kind: {kind}
metadata: {{name: web}}
spec:
  selector: {{matchLabels: {{app: web}}}}
{workload}
"
    )
}

/// An HPA `web` of this version with one metric, in YAML's flow style.
pub fn hpa_with_metric(version: &str, metric: &str) -> String {
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
