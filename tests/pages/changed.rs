//! The page of a changed spec next to today's decision, from recordings.

use assert_cmd::Command;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

/// How the program ended.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

fn explain(example: &str, arguments: &[&str], input: &str) -> Run {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .env("COLUMNS", "80")
        .args(["explain", "-f", &format!("examples/{example}.jsonl")])
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap();
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The page, which must fit into 80 columns.
#[track_caller]
fn page(example: &str, arguments: &[&str], input: &str) -> String {
    let run = explain(example, arguments, input);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let is_wide = |line: &&str| 80 < line.width();
    assert_eq!(run.out.lines().find(is_wide), None, "{}", run.out);
    run.out
}

/// The block above the page, and the first line of the page.
#[track_caller]
fn block(example: &str, arguments: &[&str], input: &str) -> String {
    let page = page(example, arguments, input);
    let mut parts = page.splitn(3, "\n\n");
    let mut part = || parts.next().unwrap();
    let (changes, comparison) = (part(), part());
    let headline = part().lines().next().unwrap();
    format!("{changes}\n\n{comparison}\n\n{headline}")
}

#[test]
fn higher_maximum_and_another_target_stand_beside_the_decision_of_today() {
    let set = [
        "--set",
        "spec.maxReplicas=30",
        "--set",
        "metrics[name=cpu].resource.target.averageUtilization=70",
    ];
    insta::assert_snapshot!(block("more-than-max", &set, ""));
}

#[test]
fn other_formats_have_the_comparison_too() {
    let set = "--set=maxReplicas=30";
    let markdown = explain("more-than-max", &[set, "-o", "markdown"], "").out;
    assert!(
        markdown.contains("- spec.maxReplicas  20 → 30\n"),
        "{markdown}"
    );
    assert!(
        markdown.contains(
            "| verdict | **STAYS AT 20 (maxReplicas)** | **SCALES 20 → 30 (maxReplicas)** |"
        ),
        "{markdown}"
    );
    let html = explain("more-than-max", &[set, "-o", "html"], "").out;
    assert!(
        html.contains("<li>spec.maxReplicas  20 → 30</li>"),
        "{html}"
    );
}

/// Setting one field of the behavior fills in the others, and the recommendation history holds the replicas for a
/// shorter time.
#[test]
fn window_that_is_taken_away_lets_the_replicas_go() {
    let set = ["--set", "scaleDown.stabilizationWindowSeconds=0"];
    insta::assert_snapshot!(block("held-by-window", &set, ""));
}

#[test]
fn manifest_replaces_the_spec_and_the_metric_that_fails_is_gone() {
    let manifest = "
        {apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: other},
         spec: {scaleTargetRef: {kind: Deployment, name: other}, maxReplicas: 3}}
        ---
        {apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: worker},
         spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: worker},
                minReplicas: 1, maxReplicas: 5, targetCPUUtilizationPercentage: 40}}
    "
    .replace("\n        ", "\n");
    insta::assert_snapshot!(block("broken-metric", &["--with", "-"], &manifest));
}

#[test]
fn tolerance_of_a_direction_is_dropped_where_its_gate_is_off() {
    let arguments = [
        "--feature-gate=HPAConfigurableTolerance=false",
        "--set=scaleUp.tolerance=0.01",
    ];
    let page = page("not-ready-pods", &arguments, "");
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(
            "! spec.behavior.scaleUp.tolerance is dropped by the API server: the feature gate \
             HPAConfigurableTolerance is off"
        ),
        "{page}"
    );
    assert!(page.contains("STAYS AT 8"), "{page}");
    let before = ["--kube-version=1.32", "--set=scaleUp.tolerance=0.01"];
    let run = explain("not-ready-pods", &before, "");
    assert!(
        run.out.contains("versions before 1.33 do not know it"),
        "{}",
        run.out
    );
}

#[test]
fn program_gets_the_changes_today_and_the_steps_that_differ() {
    let arguments = ["-o", "json", "--set", "maxReplicas=30"];
    let run = explain("more-than-max", &arguments, "");
    let page: Value = serde_json::from_str(&run.out).unwrap();
    let changed = &page["changed"];
    assert_eq!(
        changed["changes"],
        json!([{"path": "spec.maxReplicas", "before": "20", "after": "30", "byDefault": false}])
    );
    assert_eq!(changed["today"]["verdict"]["to"], 20);
    assert_eq!(changed["today"]["verdict"]["rule"], "max-replicas");
    assert_eq!(page["verdict"]["to"], 30);
    assert_eq!(page["crossCheck"]["agreement"], "spec-changed");
    let limits = changed["steps"].as_array().unwrap();
    let limits = limits.iter().find(|step| step["kind"] == "limits").unwrap();
    assert_eq!(limits["today"]["outcome"], "20");
    assert_eq!(limits["changed"]["outcome"], "30");
    // Without a change, the output has nothing about it.
    let run = explain("more-than-max", &["-o", "json"], "");
    let page: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(page.get("changed"), None);
}

#[test]
fn change_that_cannot_be_made_says_what_is_wrong_and_prints_no_page() {
    let cases: [(&[&str], &str); 15] = [
        (
            &["--set=maxReplica=3"],
            "spec.maxReplica: no such field. Did you mean maxReplicas?",
        ),
        (
            &["--set=cpu=90%"],
            "cpu is a metric, not a field of the spec.\nTo change its target:\n  \
             --set 'metrics[name=cpu].resource.target.averageUtilization=90'\n",
        ),
        (
            &["--set=stabilizationWindowSeconds=3"],
            "Did you mean spec.behavior.scaleDown.stabilizationWindowSeconds or \
             spec.behavior.scaleUp.stabilizationWindowSeconds?",
        ),
        (
            &["--set=metrics[0].target.averageUtilization=3"],
            "Did you mean spec.metrics[0].resource.target?",
        ),
        (
            &["--set=metrics[name=memory].resource.target.averageUtilization=3"],
            "no entry matches. Values of name: cpu",
        ),
        (
            &["--set=metrics[3].type=Pods"],
            "the last index of spec.metrics is 0",
        ),
        (
            &["--set=maxReplicas=many"],
            "spec.maxReplicas: expected a whole number, found \"many\"",
        ),
        (
            &["--set=maxReplicas=3000000000"],
            "expected a whole number from -2147483648 to 2147483647, found 3000000000",
        ),
        (
            &["--set=maxReplicas[0]=3"],
            "spec.maxReplicas is a whole number",
        ),
        (
            &["--set=metrics=[{kind: Pods}]"],
            "spec.metrics[0].kind: no such field",
        ),
        (
            &["--set=behavior-"],
            "spec.behavior: is not set, so it cannot be removed",
        ),
        (
            &["--set=metrics[0].resource.target.averageValue=1x"],
            "spec.metrics[0].resource.target.averageValue: ",
        ),
        (&["--set=maxReplicas"], "use PATH=VALUE"),
        (&["--with=examples/none.yaml"], "examples/none.yaml"),
        (
            &["--with=tests/files/web.yaml"],
            "has no HPA api/api. It has shop/web",
        ),
    ];
    for (arguments, expected) in cases {
        let run = explain("more-than-max", arguments, "");
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert_eq!(run.out, "", "{arguments:?}");
    }
}

#[test]
fn invalid_spec_is_refused_with_all_violations() {
    let arguments = [
        "--set=minReplicas=0",
        "--set=scaleUp.policies[0].value=-1",
        "--feature-gate=HPAScaleToZero=false",
    ];
    let run = explain("more-than-max", &arguments, "");
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    insta::assert_snapshot!(run.err);
}

/// Messages changed between the versions of the API server.
#[test]
fn older_api_servers_are_quoted_in_their_own_words() {
    let printed = |version: &str| {
        let arguments = [
            "--set=maxReplicas=0",
            "--set=scaleTargetRef.apiVersion=v1",
            "--kube-version",
            version,
        ];
        explain("more-than-max", &arguments, "").err
    };
    let source = "{name: cpu, container: app, target: {type: Utilization, averageUtilization: 60}}";
    let metric =
        format!("--set=metrics[0]={{type: ContainerResource, containerResource: {source}}}");
    let gate = "--feature-gate=HPAContainerMetrics=false";
    let run = explain("more-than-max", &["--kube-version=1.26", gate, &metric], "");
    assert!(
        run.err.contains(
            "* spec.metrics[0].containerResource: Required value: must populate information for the given metric \
             source (only allowed when HPAContainerMetrics feature is enabled)\n"
        ) && run.err.contains("note: spec.metrics[0].containerResource is dropped by the API server"),
        "{}",
        run.err
    );
    let (old, new) = (printed("1.33"), printed("1.36"));
    assert!(
        old.contains("* spec.maxReplicas: Invalid value: 0: must be greater than 0\n"),
        "{old}"
    );
    assert!(!old.contains("apiVersion"), "{old}");
    assert!(
        new.contains("* spec.maxReplicas: Required value: must be set and greater than 0\n"),
        "{new}"
    );
    assert!(
        new.contains("apiVersion: Invalid value: \"v1\": apiVersion must specify API group"),
        "{new}"
    );
}
