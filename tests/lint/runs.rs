//! Runs of rules on many objects, and for several versions.

use std::fmt::Write as _;

use hpa_engine::model::{ControllerConfig, Input as Given, KubeVersion};
use hpa_lint::{LintInput, LintSettings, Report, run};

fn settings(minors: impl IntoIterator<Item = u32>) -> LintSettings {
    let mut configs = minors
        .into_iter()
        .map(|minor| ControllerConfig::defaults(Given::given(KubeVersion { minor, patch: None })));
    let first = configs.next().expect("there is a version");
    let mut settings = LintSettings::new(first.version);
    settings.configs.extend(configs);
    settings
}

fn texts(report: &Report) -> Vec<String> {
    report
        .findings
        .iter()
        .map(|one| {
            format!(
                "{} {} {}",
                one.object.name, one.rule.code, one.finding.message
            )
        })
        .collect()
}

/// HPAs without their Deployments; every second one has equal bounds.
fn many(count: usize) -> LintInput {
    let mut text = String::new();
    for index in 0..count {
        let max = 4 + index % 2;
        write!(
            text,
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web-{index:04}, namespace: \
             shop}}\nspec:\n  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web-{index:04}}}\n  \
             minReplicas: 4\n  maxReplicas: {max}\n---\n"
        )
        .expect("a String takes everything");
    }
    let mut input = LintInput::default();
    input.add_text("many.yaml", &text, true);
    input
}

#[test]
fn the_order_is_that_of_the_files_however_many_cores_work() {
    let input = many(500);
    let mut settings = settings([36]);
    settings.enabled = ["HPA102"].into();
    let expected: Vec<String> = (0..500)
        .step_by(2)
        .map(|index| format!("web-{index:04} HPA102 minReplicas and maxReplicas are both 4, so no metric changes the replicas"))
        .collect();
    assert_eq!(texts(&run(&input, &settings)), expected);
}

#[test]
fn what_cannot_be_checked_of_many_hpas_for_one_reason_is_one_note() {
    let settings = settings([36]);
    let one = run(&many(1), &settings);
    let several = run(&many(300), &settings);
    assert!(!one.notes.is_empty());
    assert_eq!(one.notes.len(), several.notes.len(), "{:#?}", several.notes);
    let named = several
        .notes
        .iter()
        .find(|note| note.message.contains("Deployment/web-0000"))
        .expect("the Deployments are not given");
    assert!(
        named.message.ends_with(
            " not checked for 300 HPAs: Deployment/web-0000, Deployment/web-0001, Deployment/web-0002 and 297 more \
             are not in the given files"
        ),
        "{}",
        named.message
    );
    assert!(!named.rules.is_empty() && named.object.is_none());
}

#[test]
fn under_several_versions_a_finding_appears_once_and_says_for_which_it_holds() {
    let mut input = LintInput::default();
    input.add_text(
        "hpa.yaml",
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  \
         scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  minReplicas: 4\n  maxReplicas: 4\n  behavior: {scaleUp: {tolerance: 0}}\n",
        true,
    );
    let mut settings = settings(30..=37);
    settings.enabled = ["HPA102", "HPA322"].into();
    let expected = [
        "web HPA102 minReplicas and maxReplicas are both 4, so no metric changes the replicas",
        "web HPA322 tolerance 0 on scale-up reacts to every percentage point, so noise changes the replicas \
         (Kubernetes 1.35 to 1.37)",
    ];
    assert_eq!(texts(&run(&input, &settings)), expected);
}

const ROLLOUT: &str = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web}
  minReplicas: 2
  maxReplicas: 9
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web, namespace: shop}
spec: {workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web-pods}}
";

#[test]
fn an_argo_rollout_is_judged_by_the_template_and_selector_that_it_borrows() {
    let deployment = "---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web-pods, namespace: shop}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 3600
      resources: {requests: {cpu: 1}}
      containers:
      - {name: main, resources: {requests: {cpu: 500m}}}
      - {name: beside, startupProbe: {failureThreshold: 40}, resources: {requests: {cpu: 500m}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: small, namespace: shop}
spec: {hard: {requests.cpu: 3}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: report, namespace: shop}
spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main}]}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: other, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: other}
  maxReplicas: 9
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: other, namespace: shop}
spec:
  selector: {matchLabels: {app: web, part: other}}
  template: {metadata: {labels: {app: web, part: other}}, spec: {containers: [{name: main}]}}
";
    // The other Deployment, which the budget would count, has no pods.
    let alone = deployment
        .split("---\napiVersion: autoscaling")
        .next()
        .unwrap_or_default();
    let found = |more: &str, rule: &'static str| {
        let mut input = LintInput::default();
        input.add_text("all.yaml", &format!("{ROLLOUT}{more}"), true);
        let mut settings = settings([36]);
        settings.enabled = [rule].into();
        run(&input, &settings)
    };
    for rule in [
        "HPA111", "HPA418", "HPA501", "HPA503", "HPA504", "HPA507", "HPA509",
    ] {
        let report = found(alone, rule);
        assert_eq!(report.findings.len(), 1, "{rule}: {:#?}", report.notes);
    }
    let overlapping = found(deployment, "HPA411");
    assert!(!overlapping.findings.is_empty(), "{:#?}", overlapping.notes);
    let unknown = found("", "HPA504");
    assert_eq!(
        unknown.notes[0].message,
        "HPA504 not checked: Deployment/web-pods is not in the given files"
    );
}

/// All results together would be many times the file: they took 250 MB, beside 250 MB of addresses for the program itself and
/// its allocator.
#[cfg(target_os = "linux")]
#[test]
fn results_of_sarif_are_made_while_they_are_written() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("hpas.yaml");
    let hpa = "---
apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 4
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}
";
    let hpas: String = (0..10_000)
        .map(|index| hpa.replace("web", &format!("web-{index:05}")))
        .collect();
    std::fs::write(&file, hpas).expect("there is room for the file");
    let run = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 300000; exec \"$0\" \"$@\""])
        .arg(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(["lint", "-o", "sarif", "-f"])
        .arg(&file)
        .output()
        .expect("there is a shell");
    let error = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{error}");
    let written: serde_json::Value = serde_json::from_slice(&run.stdout).expect("it is JSON");
    let results = written["runs"][0]["results"].as_array();
    assert!(results.is_some_and(|results| 10_000 <= results.len()));
}
