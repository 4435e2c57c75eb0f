//! Strings that kubectl reads as booleans or numbers. `tests/live/lint_texts.rs` compares the fields with a real API
//! server.

use std::{fs, process::Command};

use hpa_engine::model::Input as Given;
use hpa_lint::{LintInput, LintSettings, run};
use hpa_testing::version;
use serde_json::Value;

/// A value as written, and what kubectl reads.
const WORDS: [(&str, &str); 12] = [
    ("yes", "a boolean"),
    ("No", "a boolean"),
    ("on", "a boolean"),
    ("OFF", "a boolean"),
    ("y", "a boolean"),
    ("N", "a boolean"),
    ("true", "a boolean"),
    ("0777", "the number 511"),
    ("1_000", "the number 1000"),
    ("1.10", "the number 1.1"),
    ("1e3", "the number 1000"),
    ("8080", "a number"),
];

/// One object of each kind, with `@` in fields that are strings and whose value says nothing else.
const OBJECTS: [&str; 8] = [
    "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, labels: {a: @}, annotations: {example.com/a: @}}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 9
  metrics:
  - {type: External, external: {metric: {name: depth, selector: {matchLabels: {q: @}}}, target: {type: Value, value: 30}}}
",
    "apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, annotations: {autoscaling.keda.sh/paused: @}}
spec:
  scaleTargetRef: {name: web}
  triggers:
  - {type: prometheus, metadata: {serverAddress: 'http://p', query: up, threshold: '1', ignoreNullValues: @}}
",
    "apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: other, labels: {a: @}}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: other}
  updatePolicy: {updateMode: @}
  resourcePolicy: {containerPolicies: [{containerName: '*', mode: @}]}
",
    "apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {a: @}}
spec:
  selector: {matchLabels: {app: web, canary: @}}
  template:
    metadata: {labels: {app: web, canary: @}, annotations: {prometheus.io/scrape: @}}
    spec:
      nodeSelector: {gpu: @}
      tolerations: [{key: gpu, value: @}]
      containers:
      - {name: web, image: web, args: [--flag, @], env: [{name: A, value: @}]}
",
    "apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: r}
spec:
  selector: {matchLabels: {app: r}}
  template: {metadata: {labels: {app: r, a: @}}}
",
    "apiVersion: apps/v1
kind: StatefulSet
metadata: {name: s, labels: {a: @}}
spec:
  selector: {matchExpressions: [{key: a, operator: In, values: [@]}]}
  template:
    metadata: {labels: {a: @}}
    spec: {initContainers: [{name: i, command: [@], env: [{name: A, value: @}]}]}
  volumeClaimTemplates: [{metadata: {name: v, annotations: {a: @}}}]
",
    "apiVersion: batch/v1
kind: CronJob
metadata: {name: c, annotations: {a: @}}
spec: {schedule: '* * * * *', jobTemplate: {spec: {template: {spec: {containers: [{name: c, args: [@]}]}}}}}
",
    "apiVersion: v1
kind: Pod
metadata: {name: p, labels: {a: @}}
spec: {containers: [{name: p, livenessProbe: {exec: {command: [@]}}}]}
",
];

/// `line severity object help` of each finding of HPA012, and the message after the field.
fn found(yaml: &str) -> Vec<(usize, String, String)> {
    let mut input = LintInput::default();
    input.add_text("all.yaml", yaml, true);
    let version = version(36);
    let report = run(&input, &LintSettings::new(Given::given(version)));
    let found = report
        .findings
        .iter()
        .filter(|one| one.rule.code == "HPA012");
    found
        .map(|one| {
            assert_eq!(one.finding.severity.as_str(), "error");
            let location = one.location.expect("it is from a file");
            let (line, _) = input.sources.line_and_column(location.file, location.start);
            let texts = [&one.finding.message, &one.finding.help];
            let [message, help] = texts.map(ToString::to_string);
            (line, message, help)
        })
        .collect()
}

#[test]
fn every_string_that_kubectl_reads_as_something_else_is_named_with_its_line_and_the_quotes() {
    for object in OBJECTS {
        for (written, read_as) in WORDS {
            let yaml = object.replace('@', written);
            let found = found(&yaml);
            assert_eq!(found.len(), object.matches('@').count(), "{yaml}{found:#?}");
            for (line, message, help) in found {
                let place = yaml.lines().nth(line - 1).unwrap();
                assert!(place.contains(written), "{place}: {message}");
                let end =
                    format!(": kubectl reads {written} as {read_as}, but the field needs a string");
                assert!(message.ends_with(&end), "{message}");
                assert_eq!(help, format!("put the value in quotes: \"{written}\""));
            }
        }
        for quoted in [
            "'yes'",
            "\"0777\"",
            "12:30",
            "2024-01-01",
            "1.2.3",
            "~",
            "1e",
        ] {
            assert_eq!(found(&object.replace('@', quoted)), [], "{quoted}");
        }
    }
}

#[test]
fn a_field_that_takes_a_boolean_a_number_or_a_quantity_has_no_finding() {
    let yaml = "apiVersion: apps/v1
kind: Deployment
metadata: {name: web, generation: 3}
spec:
  replicas: 010
  paused: no
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      hostNetwork: off
      terminationGracePeriodSeconds: 30
      securityContext: {runAsNonRoot: yes, runAsUser: 0777}
      containers:
      - name: web
        image: web
        tty: on
        ports: [{containerPort: 8080}]
        resources: {requests: {cpu: 1, memory: 1e9}}
        readinessProbe: {httpGet: {port: 8080}, periodSeconds: 5}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web}
spec:
  scaleTargetRef: {name: web}
  minReplicaCount: 1
  advanced: {restoreToOriginalReplicaCount: yes}
  triggers:
  - {type: prometheus, useCachedMetrics: on, metadata: {serverAddress: 'http://p', query: up, threshold: '1'}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: any}
data: {a: yes}
";
    assert_eq!(found(yaml), []);
}

#[test]
fn what_is_meant_is_judged_as_if_it_were_quoted() {
    let judged = |mode: &str| {
        let mut input = LintInput::default();
        let hpa = OBJECTS[0].replace('@', "a");
        let vertical = OBJECTS[2]
            .replace("other", "web")
            .replace("updateMode: @", &format!("updateMode: {mode}"))
            .replace("containerPolicies: [{containerName: '*', mode: @}]", "")
            .replace('@', "a");
        let hpa = hpa.replace(
            "  metrics:\n",
            "  metrics:\n  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}\n",
        );
        input.add_text("all.yaml", &format!("{hpa}---\n{vertical}"), true);
        let version = version(36);
        let report = run(&input, &LintSettings::new(Given::given(version)));
        let codes = report.findings.iter().map(|one| one.rule.code);
        let mut codes: Vec<_> = codes
            .filter(|one| ["HPA012", "HPA608"].contains(one))
            .collect();
        codes.sort_unstable();
        codes
    };
    assert_eq!(judged("'Off'"), [""; 0]);
    assert_eq!(judged("Off"), ["HPA012"]);
    assert_eq!(judged("Auto"), ["HPA608"]);
}

#[test]
fn what_kustomize_reads_as_a_string_is_no_mistake_in_a_file_that_it_builds() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let deployment = OBJECTS[3];
    let lint = || {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["lint", "-f", ".", "-o", "json"])
            .current_dir(folder.path())
            .env("KUBECONFIG", "/dev/null")
            .output()
            .unwrap();
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = found["findings"].as_array().unwrap().clone();
        let paths = findings.iter().filter(|one| one["code"] == "HPA012");
        paths
            .map(|one| one["path"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    write("web.yaml", &deployment.replace('@', "yes"));
    assert_eq!(lint().len(), 8);
    write("kustomization.yaml", "resources: [web.yaml]\n");
    assert_eq!(lint(), [""; 0]);
    // It keeps booleans and numbers, except in the object's own annotations.
    write("web.yaml", &deployment.replace('@', "true"));
    let found = lint();
    assert_eq!(found.len(), 7, "{found:?}");
    assert!(!found.contains(&"metadata.annotations.a".to_owned()));
    write("kustomization.yaml", "resources: [other.yaml]\n");
    assert_eq!(lint().len(), 8);
}

#[test]
fn comments_annotations_and_paths_accept_it_as_any_finding() {
    let deployment = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    a: yes
    b: c
";
    let run = |yaml: &str, flags: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("web.yaml"), yaml).unwrap();
        let config = "paths: [{files: ['**'], ignore: [HPA012]}]\n";
        fs::write(folder.path().join("config.yaml"), config).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["lint", "-f", "web.yaml", "-o", "json"])
            .args(flags)
            .current_dir(folder.path())
            .env("KUBECONFIG", "/dev/null")
            .output()
            .unwrap();
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let count = |list: &str| found[list].as_array().unwrap().len();
        (count("findings"), count("suppressed"))
    };
    assert_eq!(run(deployment, &[]), (1, 0));
    let commented = deployment.replace("a: yes", "a: yes # kubectl-hpa: ignore HPA012 (known)");
    assert_eq!(run(&commented, &[]), (0, 1));
    let annotated = deployment.replace("b: c", "kubectl-hpa/ignore: HPA012");
    assert_eq!(run(&annotated, &[]), (0, 1));
    assert_eq!(run(deployment, &["--config", "config.yaml"]), (0, 1));
}
