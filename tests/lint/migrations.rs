//! Manifests of old API versions, as users write them, and the result of `--fix`.

use hpa_engine::model::Input as Given;
use hpa_lint::{LintInput, LintSettings, fix, run};
use hpa_testing::version;

/// The text after one rule's fixes; it must then have no finding of that rule and the same meaning.
fn fixed(rule: &'static str, text: &str) -> String {
    let read = |text: &str| {
        let mut input = LintInput::default();
        input.add_text("hpa.yaml", text, true);
        input
    };
    let version = version(36);
    let mut settings = LintSettings::new(Given::given(version));
    settings.enabled = [rule].into();
    let before = read(text);
    let report = run(&before, &settings);
    assert_eq!(report.findings.len(), before.manifests.len());
    let round = fix::round(&before, &report);
    assert!(round.refused.is_empty(), "{:?}", round.refused);
    let after = round.texts.into_values().next().unwrap_or_default();
    let input = read(&after);
    assert!(run(&input, &settings).findings.is_empty(), "{after}");
    assert_eq!(input.manifests.len(), before.manifests.len());
    for (old, new) in before.manifests.iter().zip(&input.manifests) {
        let (old, _) = old.decoded(&before.sources);
        let (new, _) = new.decoded(&input.sources);
        assert!(old.defaulted.is_some());
        assert_eq!(old.defaulted, new.defaulted, "{after}");
    }
    after
}

/// With Windows line ends as well.
#[track_caller]
fn becomes(rule: &'static str, before: &str, after: &str) {
    assert_eq!(fixed(rule, before), after);
    let crlf = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(fixed(rule, &crlf(before)), crlf(after), "with CRLF");
}

const V1: &str = "\
# Scales the shop.
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: web
  labels:
    app: web
spec:
  minReplicas: 2
  # Measured in the load test of spring.
  targetCPUUtilizationPercentage: 70  # of requests
  maxReplicas: 10 # the quota
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
";

#[test]
fn the_percentage_of_v1_becomes_a_metric_where_it_stood_with_its_comments() {
    let after = "\
# Scales the shop.
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
  labels:
    app: web
spec:
  minReplicas: 2
  # Measured in the load test of spring.
  metrics: # of requests
  - type: Resource
    resource:
      name: cpu
      target:
        type: Utilization
        averageUtilization: 70
  maxReplicas: 10 # the quota
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
";
    becomes("HPA002", V1, after);
    // The last line of a file may lack a line end, and dashes may be indented differently there.
    let before = "\
kind: Deployment
spec:
  ports:
    - name: http
---
apiVersion: \"autoscaling/v1\"
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 10
  targetCPUUtilizationPercentage: 70";
    let after = "\
kind: Deployment
spec:
  ports:
    - name: http
---
apiVersion: \"autoscaling/v2\"
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 70";
    becomes("HPA002", before, after);
}

#[test]
fn json_stays_json() {
    let before = r#"{
  "apiVersion": "autoscaling/v1",
  "kind": "HorizontalPodAutoscaler",
  "metadata": {"name": "web"},
  "spec": {
    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
    "maxReplicas": 10,
    "targetCPUUtilizationPercentage": 70
  }
}
"#;
    let after = fixed("HPA002", before);
    let metrics = r#""metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}}]"#;
    assert!(after.contains(metrics), "{after}");
    serde_json::from_str::<serde_json::Value>(&after).unwrap();
}

#[test]
fn targets_of_v2beta1_become_mappings_in_the_style_of_the_file() {
    let before = "\
apiVersion: autoscaling/v2beta1
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  maxReplicas: 10
  metrics:
  # Most of the time this one decides.
  - type: Resource
    resource:
      targetAverageUtilization: 60 # percent
      name: cpu

  - type: Resource
    resource:
      name: memory
      # Without the cache.
      targetAverageValue: 500Mi
  - type: Resource
    resource:
      name: ephemeral-storage
      targetAverageValue: '1e9'
  - {type: ContainerResource, containerResource: {name: cpu, container: main, targetAverageUtilization: 50}} # main
";
    let after = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  maxReplicas: 10
  metrics:
  # Most of the time this one decides.
  - type: Resource
    resource:
      target: # percent
        type: Utilization
        averageUtilization: 60
      name: cpu

  - type: Resource
    resource:
      name: memory
      # Without the cache.
      target:
        type: AverageValue
        averageValue: 500Mi
  - type: Resource
    resource:
      name: ephemeral-storage
      target:
        type: AverageValue
        averageValue: \"1e9\"
  - {type: ContainerResource, containerResource: {name: cpu, container: main, target: {type: Utilization, averageUtilization: 50}}} # main
";
    becomes("HPA001", before, after);
}
