//! `explain --set` and `--with`: the decision under a changed spec, and specs that the API server refuses.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::{
    cluster::{cluster, succeed},
    manifest::{average, deployment, hpa},
    namespace::{Namespace, namespace},
    releases::{is_too_old_for, version},
};

/// A valid change of an HPA: as `explain --set` has it, and as the API server gets it.
struct Change {
    hpa: &'static str,
    set: &'static [&'static str],
    /// RFC 6902.
    patch: Value,
    to: i64,
}

#[test]
fn decision_under_a_changed_spec_is_the_one_that_follows_the_change() {
    let namespace = namespace("changed-spec");
    let lasting = json!({"scaleDown": {"stabilizationWindowSeconds": 3600}});
    let disabled = json!({"scaleUp": {"selectPolicy": "Disabled"}});
    let web = |name, usage| deployment(name, 4).pods("cpu", usage).object();
    namespace.metrics(&json!({
        "external": [{"metric": "queue_depth", "value": "70"}],
        "custom": [{"metric": "http_requests", "selector": "app=pods", "value": "30"}],
    }));
    namespace.apply([
        web("bound", "100m"),
        hpa("bound").bounds(1, 4).cpu(50).object(),
        web("target", "50m"),
        hpa("target").cpu(50).object(),
        web("window", "20m"),
        hpa("window").cpu(80).behavior(lasting).object(),
        web("policy", "100m"),
        hpa("policy").cpu(50).behavior(disabled).object(),
        web("tolerance", "54m"),
        hpa("tolerance").cpu(50).object(),
        web("minimum", "10m"),
        hpa("minimum").bounds(4, 10).cpu(50).down_at_once().object(),
        web("broken", "10m"),
        hpa("broken")
            .cpu(50)
            .external("nobody_knows", average("10"))
            .down_at_once()
            .object(),
        deployment("forgotten", 3)
            .pods("cpu-total", "390m")
            .object(),
        hpa("forgotten").cpu(100).object(),
        deployment("remembered", 3)
            .pods("cpu-total", "390m")
            .object(),
        hpa("remembered").cpu(100).behavior(json!({})).object(),
        web("pods", "50m"),
        hpa("pods").cpu(50).object(),
        web("usage", "100m"),
        hpa("usage")
            .external("queue_depth", average("17500m"))
            .object(),
        deployment("other", 3).pods("cpu", "100m").object(),
        web("moved", "50m"),
        hpa("moved").cpu(50).object(),
        web("queue", "50m"),
        hpa("queue").cpu(50).object(),
    ]);
    namespace.pass();
    let replace = |path: &str, value: Value| json!([{"op": "add", "path": path, "value": value}]);
    let utilization = "/spec/metrics/0/resource/target/averageUtilization";
    let policies = json!([{"type": "Pods", "value": 2, "periodSeconds": 60}]);
    let changes = [
        Change {
            hpa: "bound",
            set: &["spec.maxReplicas=30"],
            patch: replace("/spec/maxReplicas", json!(30)),
            to: 8,
        },
        Change {
            hpa: "target",
            set: &["metrics[name=cpu].resource.target.averageUtilization=25"],
            patch: replace(utilization, json!(25)),
            to: 8,
        },
        Change {
            hpa: "window",
            set: &["scaleDown.stabilizationWindowSeconds=0"],
            patch: replace(
                "/spec/behavior/scaleDown/stabilizationWindowSeconds",
                json!(0),
            ),
            to: 1,
        },
        Change {
            hpa: "policy",
            set: &[
                "scaleUp.selectPolicy=Max",
                "scaleUp.policies=[{type: Pods, value: 2, periodSeconds: 60}]",
            ],
            patch: replace(
                "/spec/behavior/scaleUp",
                json!({"selectPolicy": "Max", "policies": policies, "stabilizationWindowSeconds": 0}),
            ),
            to: 6,
        },
        Change {
            hpa: "tolerance",
            set: &["scaleUp.tolerance=0.05"],
            patch: replace("/spec/behavior", json!({"scaleUp": {"tolerance": "0.05"}})),
            to: 5,
        },
        Change {
            hpa: "minimum",
            set: &["minReplicas-"],
            patch: json!([{"op": "remove", "path": "/spec/minReplicas"}]),
            to: 1,
        },
        Change {
            hpa: "broken",
            set: &["metrics[name=nobody_knows]-"],
            patch: json!([{"op": "remove", "path": "/spec/metrics/1"}]),
            to: 1,
        },
    ];
    // The metrics and pods of the new spec were not read for the old one.
    let requests = json!({"metric": {"name": "http_requests"}, "target": average("20")});
    // Both have just been scaled by one; only the one with a behavior is remembered as such, and an edit clears nothing.
    let limited = |hpa: &'static str, set: &'static [&'static str], value: i32, to: i64| {
        let policies = json!([{"type": "Pods", "value": value, "periodSeconds": 1800}]);
        Change {
            hpa,
            set,
            patch: json!([
                {"op": "replace", "path": utilization, "value": 50},
                {"op": "add", "path": "/spec/behavior", "value": {"scaleUp": {"policies": policies}}},
            ]),
            to,
        }
    };
    let changes = changes.into_iter().chain([
        limited(
            "forgotten",
            &[
                "metrics[0].resource.target.averageUtilization=50",
                "scaleUp.policies=[{type: Pods, value: 1, periodSeconds: 1800}]",
            ],
            1,
            5,
        ),
        limited(
            "remembered",
            &[
                "metrics[0].resource.target.averageUtilization=50",
                "scaleUp.policies=[{type: Pods, value: 2, periodSeconds: 1800}]",
            ],
            2,
            5,
        ),
        Change {
            hpa: "pods",
            set: &[
                "metrics[1]={type: Pods, pods: {metric: {name: http_requests}, \
                 target: {type: AverageValue, averageValue: 20}}}",
            ],
            patch: replace("/spec/metrics/-", json!({"type": "Pods", "pods": requests})),
            to: 6,
        },
        Change {
            hpa: "usage",
            set: &[
                "metrics[1].type=Resource",
                "metrics[1].resource={name: cpu, target: {type: Utilization, averageUtilization: 80}}",
            ],
            patch: replace("/spec/metrics/-", hpa("x").cpu(80).object()["spec"]["metrics"][0].clone()),
            to: 5,
        },
    ]);
    // Before 1.35, the API server drops the field.
    let changes: Vec<Change> = changes
        .filter(|change| change.hpa != "tolerance" || 35 <= version().minor)
        .collect();
    for change in &changes {
        let flags = change.set.iter().flat_map(|set| ["--set", set]);
        check_prediction(&namespace, change.hpa, flags, (4, change.to));
    }
    let with_queue = hpa("queue")
        .cpu(50)
        .external("queue_depth", average("10"))
        .object();
    let file = cluster().file("with-queue.json");
    std::fs::write(&file, with_queue.to_string()).unwrap();
    let with = ["--with", file.to_str().unwrap()];
    check_prediction(&namespace, "queue", with, (4, 7));
    let elsewhere = ["--set", "scaleTargetRef.name=other"];
    check_prediction(&namespace, "moved", elsewhere, (3, 6));

    for change in &changes {
        let patch = change.patch.to_string();
        namespace.run(["patch", "hpa", change.hpa, "--type=json", "-p", &patch]);
    }
    namespace.apply([with_queue]);
    let elsewhere = replace("/spec/scaleTargetRef/name", json!("other")).to_string();
    namespace.run(["patch", "hpa", "moved", "--type=json", "-p", &elsewhere]);
    namespace.pass_begun_before_the_edit();
    for change in &changes {
        assert_eq!(replicas(&namespace, change.hpa), 4, "{}", change.hpa);
    }
    namespace.pass();
    for change in &changes {
        assert_eq!(
            replicas(&namespace, change.hpa),
            change.to,
            "{}",
            change.hpa
        );
    }
    assert_eq!(replicas(&namespace, "queue"), 7);
    assert_eq!(replicas(&namespace, "other"), 6);
}

/// Checks that `explain` says what happens today (nothing) and with the change.
#[track_caller]
fn check_prediction<'a>(
    namespace: &Namespace,
    hpa: &str,
    flags: impl IntoIterator<Item = &'a str> + Clone,
    (from, to): (i64, i64),
) {
    let explain = |output: &str| {
        let mut command = namespace.kubectl(["hpa", "explain", hpa, output]);
        succeed(command.args(flags.clone()))
    };
    let text = explain("--output=text");
    let page: Value = serde_json::from_str(&explain("--output=json")).unwrap();
    let today = &page["changed"]["today"]["verdict"];
    assert_eq!(today["to"], 4, "{hpa} today\n{text}");
    assert_eq!(page["verdict"]["from"], from, "{hpa}\n{text}");
    assert_eq!(page["verdict"]["to"], to, "{hpa}\n{text}");
    assert_eq!(page["verdict"]["range"], Value::Null, "{hpa}\n{text}");
    assert_eq!(page["predicted"]["scaleTo"], to, "{hpa}\n{text}");
    assert_ne!(page["changed"]["changes"], json!([]), "{hpa}\n{text}");
    assert!(text.contains(&format!("SCALES {from} → {to}")), "{text}");
    let when = if version().minor < 37 {
        "at the controller's next sync"
    } else {
        "the controller syncs an edit immediately"
    };
    assert!(text.contains(when), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

fn replicas(namespace: &Namespace, deployment: &str) -> i64 {
    let deployment = namespace.get("deployment", deployment);
    deployment["spec"]["replicas"].as_i64().unwrap()
}

#[test]
fn invalid_specs_are_refused_in_the_words_of_the_api_server() {
    if is_too_old_for("changed_spec::invalid_specs_are_refused_in_the_words_of_the_api_server") {
        return;
    }
    let namespace = namespace("invalid-specs");
    let object = hpa("web").cpu(50).object();
    namespace.apply([object.clone()]);
    let specs = invalid_specs();
    let documents: Vec<Value> = specs
        .iter()
        .map(|(_, spec)| {
            let mut object = object.clone();
            object["metadata"]["namespace"] = json!("invalid-specs");
            object["spec"] = spec.clone();
            object
        })
        .collect();
    let text: Vec<String> = documents.iter().map(Value::to_string).collect();
    // All together: each refusal is one line, in order.
    let arguments = ["replace", "--dry-run=server", "--validate=false", "-f", "-"];
    let refused = with_input(
        namespace.kubectl(arguments),
        &format!("---\n{}", text.join("\n---\n")),
    );
    let refused = String::from_utf8(refused.stderr).unwrap();
    let refusals: Vec<&str> = refused.lines().collect();
    assert_eq!(refusals.len(), specs.len(), "{refused}");

    let today = cluster().file("valid.json");
    let live = namespace.get("hpa", "web");
    std::fs::write(&today, live.to_string()).unwrap();
    // The file does not say which version refuses it.
    let version = version().to_string();
    let mut differences = String::new();
    for (((name, _), document), refusal) in specs.iter().zip(&text).zip(refusals) {
        let arguments = [
            "hpa",
            "explain",
            "--with",
            "-",
            "-f",
            today.to_str().unwrap(),
            "--kube-version",
            &version,
        ];
        let printed = with_input(namespace.kubectl(arguments), document);
        assert_eq!(printed.status.code(), Some(2), "{name}");
        assert!(printed.stdout.is_empty(), "{name}: a page in spite of it");
        let printed = String::from_utf8(printed.stderr).unwrap();
        let violations: Vec<&str> = printed
            .lines()
            .filter_map(|line| line.strip_prefix("* "))
            .collect();
        let printed = match violations[..] {
            [only] => only.to_owned(),
            _ => format!("[{}]", violations.join(", ")),
        };
        let (_, expected) = refusal.split_once(" is invalid: ").unwrap_or(("", refusal));
        if printed != expected {
            differences += &format!("{name}\n  said     {printed}\n  API says {expected}\n");
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// Specs that are wrong in one way each, and some in several.
fn invalid_specs() -> Vec<(&'static str, Value)> {
    let valid = || hpa("web").cpu(50).object()["spec"].clone();
    let with = |pointer: &str, value: Value| {
        let mut spec = valid();
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        spec.pointer_mut(parent).unwrap()[field] = value;
        spec
    };
    let behavior = |behavior: Value| with("/behavior", behavior);
    let metric = |metric: Value| with("/metrics", json!([metric]));
    let target = |target: Value| {
        metric(json!({"type": "Resource", "resource": {"name": "cpu", "target": target}}))
    };
    let percent = json!({"type": "Utilization", "averageUtilization": 50});
    let policy = |policy: Value| behavior(json!({"scaleUp": {"policies": [policy]}}));
    let container = |name: &str, container: &str| {
        metric(json!({"type": "ContainerResource", "containerResource": {
            "name": name, "container": container, "target": percent,
        }}))
    };
    let object = |described: Value, target: Value| {
        metric(json!({"type": "Object", "object": {
            "describedObject": described, "metric": {"name": "hits"}, "target": target,
        }}))
    };
    let external = |name: &str, target: Value| {
        metric(
            json!({"type": "External", "external": {"metric": {"name": name}, "target": target}}),
        )
    };
    let ten = json!({"type": "AverageValue", "averageValue": "10"});
    let target_ref = |api_version: &str, kind: &str, name: &str| {
        let reference = json!({"apiVersion": api_version, "kind": kind, "name": name});
        with("/scaleTargetRef", reference)
    };
    let long = "x".repeat(64);
    vec![
        ("max 0", with("/maxReplicas", json!(0))),
        ("max negative", with("/maxReplicas", json!(-3))),
        ("min 0", with("/minReplicas", json!(0))),
        ("min negative", with("/minReplicas", json!(-1))),
        ("max below min", with("/minReplicas", json!(11))),
        ("no kind", target_ref("apps/v1", "", "web")),
        ("no name", target_ref("apps/v1", "Deployment", "")),
        (
            "name with slash",
            target_ref("apps/v1", "Deployment", "a/b%c"),
        ),
        ("name of dots", target_ref("apps/v1", "Deployment", "..")),
        ("no group", target_ref("v1", "Deployment", "web")),
        ("two slashes", target_ref("a/b/c", "Deployment", "web")),
        ("unknown type", metric(json!({"type": "Memory"}))),
        (
            "no type",
            metric(json!({"resource": {"name": "cpu", "target": percent}})),
        ),
        ("no source", metric(json!({"type": "Pods"}))),
        (
            "source of another type",
            metric(json!({"type": "Pods", "resource": {"name": "cpu", "target": percent}})),
        ),
        (
            "two sources",
            metric(json!({
                "type": "Resource",
                "resource": {"name": "cpu", "target": percent},
                "external": {"metric": {"name": "q"}, "target": ten},
            })),
        ),
        (
            "no resource name",
            metric(json!({"type": "Resource", "resource": {"name": "", "target": percent}})),
        ),
        (
            "utilization 0",
            target(json!({"type": "Utilization", "averageUtilization": 0})),
        ),
        ("no number", target(json!({"type": "Utilization"}))),
        (
            "two numbers",
            target(json!({"type": "Utilization", "averageUtilization": 50, "averageValue": "1"})),
        ),
        (
            "average 0",
            target(json!({"type": "AverageValue", "averageValue": "0"})),
        ),
        (
            "negative value, canonical",
            target(json!({"type": "AverageValue", "averageValue": "-0.5", "value": "-1000m"})),
        ),
        (
            "target of unknown type",
            target(json!({"type": "Foo\"<b>", "averageUtilization": 5})),
        ),
        (
            "target without type",
            target(json!({"averageUtilization": 5})),
        ),
        ("no container", container("cpu", "")),
        ("container in capitals", container("cpu", "Main")),
        ("container with dots", container("cpu", "main.side")),
        ("long container", container("cpu", &long)),
        ("unknown resource", container("foo", "main")),
        ("resource of quotas", container("pods", "main")),
        ("resource of a bad name", container("-foo/b_", "main")),
        ("resource with slashes", container("a/b/c", "main")),
        (
            "requests of something",
            container("requests.example.com/gpu", "main"),
        ),
        ("no container resource", container("", "main")),
        (
            "pods by value",
            metric(json!({"type": "Pods", "pods": {
                "metric": {"name": "rps"}, "target": {"type": "Value", "value": "1"},
            }})),
        ),
        ("no metric name", external("", ten.clone())),
        ("metric name with slash", external("a/b", ten.clone())),
        (
            "external without number",
            external("q", json!({"type": "Value"})),
        ),
        (
            "external with both",
            external(
                "q",
                json!({"type": "Value", "value": "1", "averageValue": "1"}),
            ),
        ),
        (
            "object without anything",
            object(json!({"kind": "", "name": ""}), json!({"type": ""})),
        ),
        (
            "object of a bad version",
            object(
                json!({"apiVersion": "a/b/c", "kind": "Service", "name": "web"}),
                ten.clone(),
            ),
        ),
        (
            "window negative",
            behavior(json!({"scaleUp": {"stabilizationWindowSeconds": -1}})),
        ),
        (
            "window long",
            behavior(json!({"scaleDown": {"stabilizationWindowSeconds": 3601}})),
        ),
        (
            "select policy",
            behavior(json!({"scaleDown": {"selectPolicy": "Average"}})),
        ),
        (
            "no policies",
            behavior(json!({"scaleDown": {"policies": []}})),
        ),
        (
            "policy type",
            policy(json!({"type": "Ratio", "value": 1, "periodSeconds": 1})),
        ),
        (
            "policy of nothing",
            policy(json!({"type": "Pods", "value": 0, "periodSeconds": 0})),
        ),
        (
            "policy negative",
            policy(json!({"type": "Pods", "value": -1, "periodSeconds": -5})),
        ),
        (
            "policy long",
            policy(json!({"type": "Percent", "value": 1, "periodSeconds": 1801})),
        ),
        ("policy empty", policy(json!({}))),
        (
            "tolerance negative",
            behavior(json!({"scaleUp": {"tolerance": "-0.10"}})),
        ),
        ("many", {
            let mut spec =
                behavior(json!({"scaleUp": {"policies": []}, "scaleDown": {"selectPolicy": ""}}));
            spec["maxReplicas"] = json!(0);
            spec["minReplicas"] = json!(-1);
            spec["scaleTargetRef"] = json!({"kind": "", "name": ""});
            spec["metrics"] = json!([{"type": ""}, {"type": "Object"}]);
            spec
        }),
    ]
}

fn with_input(mut command: Command, input: &str) -> Output {
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    process.wait_with_output().unwrap()
}
