//! Manifests with mistakes: `explain` and `simulate` refuse what they would otherwise drop or replace.

use std::{fs, process::Output};

use assert_cmd::Command;

const WEB: &str = "apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, resources: {requests: {cpu: 100m}}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 10
  metrics:
  - type: Resource
    resource:
      name: cpu
      target:
        type: Utilization
        averageUtilization: 60
";

const AGAIN: &str = "---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: default}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 5
";

/// Runs both commands on a file `web.yaml`.
fn both(text: &str) -> [Output; 2] {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("web.yaml"), text).unwrap();
    let run = |arguments: &[&str]| {
        Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
            .current_dir(folder.path())
            .args(arguments)
            .output()
            .unwrap()
    };
    [
        run(&["explain", "-f", "web.yaml"]),
        run(&[
            "simulate", "-f", "web.yaml", "--load", "1cores", "--for", "1m",
        ]),
    ]
}

#[test]
fn what_would_be_dropped_or_replaced_is_refused_with_its_line_and_what_to_write() {
    let unknown = "web.yaml, line 18: unknown field spec.maxReplica has no effect
help: write maxReplicas
";
    let accepted = "  name: web
  annotations: {kubectl-hpa/ignore: unknown-field}
spec:
  scaleTargetRef";
    let cases = [
        // The decoder alone would say only that maxReplicas is missing.
        ("  maxReplicas: 10", "  maxReplica: 10", unknown),
        (
            "averageUtilization: 60",
            "averageUtilizations: 60",
            "web.yaml, line 25: unknown field spec.metrics[0].resource.target.averageUtilizations has no effect
help: write averageUtilization
",
        ),
        // kubectl refuses the field even if `lint` accepts the finding.
        (
            "  name: web\nspec:\n  scaleTargetRef",
            &format!("{accepted}s: {{}}\n  scaleTargetRef"),
            "web.yaml, line 17: unknown field spec.scaleTargetRefs has no effect
help: remove it: scaleTargetRef is already set
",
        ),
        (
            "  maxReplicas: 10",
            "  maxReplicas: 10\n  maxReplicas: 20",
            "web.yaml, line 18: spec.maxReplicas is written twice: kubectl takes the last one, and Kustomize rejects the document
help: remove one of the two
",
        ),
        (
            "        averageUtilization: 60\n",
            &format!("        averageUtilization: 60\n{AGAIN}"),
            "web.yaml, line 29: HPA default/web is also defined in line 14, and only one of the two can apply
help: remove one of the two, or give it another name or namespace
",
        ),
        (
            "minReplicas: 2",
            "minReplicas: 30",
            "web.yaml: HPA default/web: the API server would refuse this spec:
* spec.maxReplicas: Invalid value: 10: must be greater than or equal to `minReplicas` (line 18)
",
        ),
        (
            "averageUtilization: 60",
            "averageUtilization: 60%",
            "averageUtilization: invalid type: string \"60%\", expected an integer (line 25)\n",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(WEB.contains(from), "{from}");
        for run in both(&WEB.replacen(from, to, 1)) {
            let error = String::from_utf8(run.stderr).unwrap();
            assert_eq!(run.status.code(), Some(2), "{to}: {error}");
            assert!(error.ends_with(expected), "{to}: {error}");
            assert!(run.stdout.is_empty(), "{to}");
        }
    }
}

#[test]
fn all_mistakes_of_a_file_are_named_in_their_order() {
    let text = WEB
        .replace("minReplicas: 2", "minReplica: 2")
        .replace("  maxReplicas: 10", "  maxReplicas: 10\n  maxReplicas: 20");
    for run in both(&text) {
        let error = String::from_utf8(run.stderr).unwrap();
        let lines: Vec<&str> = error
            .lines()
            .map(|line| line.get(..26).unwrap_or(line))
            .collect();
        assert_eq!(
            lines,
            [
                "error: web.yaml, line 17: ",
                "help: write minReplicas",
                "web.yaml, line 18: spec.ma",
                "help: remove one of the tw"
            ],
            "{error}"
        );
    }
}

#[test]
fn mistakes_in_an_hpa_that_is_not_chosen_are_nothing_to_the_reader() {
    let other = AGAIN
        .replace(
            "name: web, namespace: default",
            "name: api, labels: {app: api}",
        )
        .replace("name: web}", "name: api}");
    for mistake in [
        other.replace("maxReplicas", "maxReplica"),
        other.replace("maxReplicas: 5", "maxReplicas: many"),
        format!("{other}  minReplicas: 9\n"),
        format!("{other}  maxReplica: 3\n"),
        format!("{other}{other}"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("web.yaml"), format!("{WEB}{mistake}")).unwrap();
        let code = |words: &str| {
            let run = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
                .current_dir(folder.path())
                .args(words.split(' '))
                .args(["-f", "web.yaml"])
                .output()
                .unwrap();
            (run.status.code(), format!("{words}: {mistake}{run:?}"))
        };
        for chosen in [
            "explain web",
            "explain deploy/web -n default",
            "explain -l app!=api",
            "list web",
            "list -l app!=api",
            "simulate web --load=1cores --for=1m",
        ] {
            let (code, run) = code(chosen);
            assert_eq!(code, Some(0), "{run}");
        }
        for all in [
            "explain",
            "list",
            "explain api",
            "list -l app=api",
            "list -n default",
        ] {
            let (code, run) = code(all);
            assert_eq!(code, Some(2), "{run}");
        }
        let (code, run) = code("list nobody");
        assert_eq!(code, Some(2), "{run}");
        assert!(
            run.contains("not found in it. It has default/api and default/web"),
            "{run}"
        );
    }
}

#[test]
fn mistakes_of_other_kinds_are_not_judged() {
    let text = WEB.replace(
        "  replicas: 2\n",
        "  replicas: 2\n  replicas: 2\n  replica: 3\n",
    );
    let of_another_group = AGAIN.replace("autoscaling/v2", "example.com/v1");
    let text = text + &of_another_group.replace("maxReplicas", "most");
    for run in both(&text) {
        assert_eq!(run.status.code(), Some(0), "{run:?}");
    }
}
