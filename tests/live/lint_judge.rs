//! Findings of `kubectl hpa lint` on manifests, compared with the API server and the controller.

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Stdio},
};

use hpa_engine::model::Input as Given;
use hpa_lint::{LintInput, LintSettings, Severity, run};
use serde_json::{Value, json};

use crate::{
    cluster::{cluster, succeed},
    manifest::{deployment, hpa},
    namespace::{Namespace, namespace},
    releases::version,
};

/// The rules about what the API server refuses.
const JUDGED: [&str; 8] = [
    "HPA001", "HPA004", "HPA005", "HPA009", "HPA011", "HPA012", "HPA101", "HPA105",
];

/// The errors of these rules on one manifest, as `code path: message`.
fn errors(manifest: &str, codes: &[&'static str]) -> Vec<String> {
    let mut input = LintInput::default();
    input.add_text("hpa.json", manifest, true);
    let mut settings = LintSettings::new(Given::given(version()));
    settings.enabled = codes.iter().copied().collect::<BTreeSet<_>>();
    // The API server of the tests has all gates as they are by default.
    let zero = &mut settings.configs[0].feature_gates.hpa_scale_to_zero;
    *zero = Given::given(zero.value);
    let report = run(&input, &settings);
    let errors = report
        .findings
        .iter()
        .filter(|one| one.finding.severity == Severity::Error);
    errors
        .map(|one| {
            format!(
                "{} {}: {}",
                one.rule.code, one.finding.path, one.finding.message
            )
        })
        .collect()
}

/// A `kubectl proxy`, so that hundreds of requests need no process each.
pub(crate) struct Proxy {
    process: Child,
    address: String,
}

impl Proxy {
    pub(crate) fn start() -> Self {
        let mut process = cluster()
            .kubectl(["proxy", "--port=0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim().rsplit(' ').next().unwrap().to_owned();
        Self { process, address }
    }

    /// Sends the API server a manifest without creating anything, and returns status and body of its answer.
    pub(crate) fn dry_run(
        &self,
        namespace: &str,
        resource: &str,
        manifest: &Value,
    ) -> (u16, String) {
        let body = manifest.to_string();
        let api_version = manifest["apiVersion"].as_str().unwrap();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "POST /apis/{api_version}/namespaces/{namespace}/{resource}?dryRun=All HTTP/1.1\r\n\
             Host: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        (status, body.to_owned())
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_api_server_accepts_exactly_what_lint_has_no_error_for() {
    let namespace = namespace("lint-judge");
    let proxy = Proxy::start();
    let manifests = manifests();
    let (mut accepted, mut refused) = (0, 0);
    let mut differences = Vec::new();
    for (what, manifest) in &manifests {
        let (status, body) = proxy.dry_run("lint-judge", "horizontalpodautoscalers", manifest);
        let errors = errors(&manifest.to_string(), &JUDGED);
        let is_accepted = match status {
            201 => true,
            400 | 422 => false,
            _ => panic!("{what}: {status} {body}"),
        };
        *(if is_accepted {
            &mut accepted
        } else {
            &mut refused
        }) += 1;
        if is_accepted != errors.is_empty() {
            let message: Value = serde_json::from_str(&body).unwrap_or_default();
            let printed = if is_accepted {
                "accepted".to_owned()
            } else {
                message["message"].to_string()
            };
            differences.push(format!(
                "{what}\n    API server: {printed}\n    lint: {errors:?}"
            ));
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {} manifests ({accepted} accepted, {refused} refused):\n  {}",
        differences.len(),
        manifests.len(),
        differences.join("\n  ")
    );
    assert!(300 < accepted && 300 < refused, "{accepted} {refused}");
    check_what_kubectl_adds(&namespace);
}

/// kubectl writes a whole number without a fraction, and refuses unknown fields unless `--validate=false` is set.
fn check_what_kubectl_adds(namespace: &Namespace) {
    let file = cluster().file("lint-judge.yaml");
    let apply = |spec: &str, validate: &str| {
        let text = format!(
            "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
{spec}
"
        );
        std::fs::write(&file, &text).unwrap();
        let path = file.to_str().unwrap();
        let arguments = ["create", "--dry-run=server", validate, "-f", path];
        let output = namespace.kubectl(arguments).output().unwrap();
        (output.status.success(), errors(&text, &JUDGED).is_empty())
    };
    let whole = "  maxReplicas: 3.0\n  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, \
                 averageUtilization: 5e1}}}]";
    assert_eq!(apply(whole, "--validate=true"), (true, true));
    assert_eq!(
        apply("  maxReplicas: 3.5", "--validate=false"),
        (false, false)
    );
    let unknown = "  maxReplicas: 3\n  behaviour: {}";
    assert_eq!(apply(unknown, "--validate=true"), (false, true));
    assert_eq!(apply(unknown, "--validate=false"), (true, true));
}

/// Valid manifests of both versions, each with one field after the other taken away or given another value, and many
/// with two such changes.
fn manifests() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for valid in [full(), waking_up(), v1()] {
        let version = valid["apiVersion"].as_str().unwrap().to_owned();
        let mut pointers = Vec::new();
        collect(&valid, "", &mut pointers);
        found.push((version.clone(), valid.clone()));
        let mut changes = Vec::new();
        for pointer in &pointers {
            changes.push((pointer.as_str(), None));
            for value in values() {
                changes.push((pointer, Some(value)));
            }
        }
        for change in &changes {
            let mut manifest = valid.clone();
            apply(&mut manifest, change);
            found.push((format!("{version} {}", words(change)), manifest));
        }
        // Pairs: every one of a sequence that jumps about in the list of changes.
        for step in 0..200 {
            let (one, other) = (
                step * 7919 % changes.len(),
                (step * 104_729 + 13) % changes.len(),
            );
            let mut manifest = valid.clone();
            apply(&mut manifest, &changes[one]);
            apply(&mut manifest, &changes[other]);
            let both = format!(
                "{version} {} and {}",
                words(&changes[one]),
                words(&changes[other])
            );
            found.push((both, manifest));
        }
    }
    found
}

/// Takes a field away, or sets it. One that an earlier change took away stays away.
fn apply(manifest: &mut Value, (pointer, value): &(&str, Option<Value>)) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let name = name.replace("~1", "/");
    match (manifest.pointer_mut(parent), value) {
        (Some(Value::Object(fields)), Some(value)) => {
            fields.insert(name, value.clone());
        }
        (Some(Value::Object(fields)), None) => {
            fields.remove(&name);
        }
        (Some(Value::Array(items)), value) => {
            let Ok(index) = name.parse::<usize>() else {
                return;
            };
            match value {
                Some(value) if index < items.len() => items[index] = value.clone(),
                None if index < items.len() => {
                    items.remove(index);
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn words((pointer, value): &(&str, Option<Value>)) -> String {
    match value {
        None => format!("without {pointer}"),
        Some(value) => format!("{pointer}={value}"),
    }
}

/// Pointers of all fields but those that say what the object is.
pub(crate) fn collect(value: &Value, path: &str, into: &mut Vec<String>) {
    let mut add = |pointer: String, value: &Value| {
        if !["/apiVersion", "/kind", "/metadata"].contains(&pointer.as_str()) {
            into.push(pointer.clone());
        }
        collect(value, &pointer, into);
    };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                add(format!("{path}/{}", name.replace('/', "~1")), value);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                add(format!("{path}/{index}"), value);
            }
        }
        _ => {}
    }
}

fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1),
        json!(1801),
        json!(3601),
        json!(2_147_483_648_i64),
        json!(1.5),
        json!(""),
        json!("x"),
        json!("a/b"),
        json!(".."),
        json!("A b"),
        json!("0"),
        json!("-1"),
        json!(" 10 "),
        json!("1e3"),
        json!("10Ki"),
        json!("x".repeat(254)),
        json!([]),
        json!({}),
        json!([1]),
        json!([{}]),
        json!({"a": "b"}),
        json!({"a": 1}),
    ]
}

/// Every field that an HPA of v2 can have.
pub(crate) fn full() -> Value {
    let metric = |name: &str| {
        json!({
            "name": name,
            "selector": {
                "matchLabels": {"queue": "orders"},
                "matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}],
            },
        })
    };
    let rules = |policies: Value| {
        let mut rules = json!({
            "stabilizationWindowSeconds": 60,
            "selectPolicy": "Min",
            "policies": policies,
        });
        // Older API servers drop it unread; lint reads it whatever the version.
        if 33 <= version().minor {
            rules["tolerance"] = json!("0.05");
        }
        rules
    };
    json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {
            "name": "web",
            "labels": {"app.kubernetes.io/name": "web"},
            "annotations": {"example.com/owner": "someone"},
        },
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": 2,
            "maxReplicas": 10,
            "metrics": [
                {"type": "Resource", "resource": {
                    "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60},
                }},
                {"type": "ContainerResource", "containerResource": {
                    "name": "memory", "container": "main",
                    "target": {"type": "AverageValue", "averageValue": "1Gi"},
                }},
                {"type": "Pods", "pods": {
                    "metric": metric("requests"), "target": {"type": "AverageValue", "averageValue": "10"},
                }},
                {"type": "Object", "object": {
                    "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "web"},
                    "metric": metric("hits"), "target": {"type": "Value", "value": "2k"},
                }},
                {"type": "External", "external": {
                    "metric": metric("depth"), "target": {"type": "AverageValue", "averageValue": "30"},
                }},
            ],
            "behavior": {
                "scaleUp": rules(json!([
                    {"type": "Pods", "value": 4, "periodSeconds": 60},
                    {"type": "Percent", "value": 10, "periodSeconds": 60},
                ])),
                "scaleDown": rules(json!([{"type": "Percent", "value": 100, "periodSeconds": 15}])),
            },
        },
    })
}

/// A small one, in which one change is more often the one that decides.
fn waking_up() -> Value {
    json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "worker"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "v1", "kind": "ReplicationController", "name": "worker"},
            "minReplicas": 1,
            "maxReplicas": 1,
            "metrics": [{"type": "External", "external": {
                "metric": {"name": "depth"}, "target": {"type": "Value", "value": 30},
            }}],
        },
    })
}

fn v1() -> Value {
    let metrics =
        json!([{"type": "Resource", "resource": {"name": "memory", "targetAverageValue": "1Gi"}}]);
    let behavior = json!({"ScaleUp": {"StabilizationWindowSeconds": 30, "SelectPolicy": "Max",
        "Policies": [{"Type": "Pods", "Value": 1, "PeriodSeconds": 30}]}});
    json!({
        "apiVersion": "autoscaling/v1",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {
            "name": "web",
            "annotations": {
                "autoscaling.alpha.kubernetes.io/metrics": metrics.to_string(),
                "autoscaling.alpha.kubernetes.io/behavior": behavior.to_string(),
            },
        },
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": 2,
            "maxReplicas": 10,
            "targetCPUUtilizationPercentage": 60,
        },
    })
}

#[test]
fn the_controller_never_scales_where_lint_says_that_it_does_not() {
    let namespace = namespace("lint-never");
    namespace
        .metrics(&json!({"custom": [{"metric": "hits", "object": "services/web", "value": "1k"}]}));
    let mismatch = json!({
        "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "web"},
        "metric": {"name": "hits"},
        "target": {"type": "Value", "averageValue": "1"},
    });
    let mismatch = hpa("mismatch")
        .metric("Object", "object", mismatch)
        .object();
    let asleep = hpa("asleep").cpu(50).object();
    let (target, paused) = (
        deployment("mismatch", 2).object(),
        deployment("asleep", 0).object(),
    );
    let reported = |rule: &'static str, objects: [&Value; 2]| {
        let text = objects.map(Value::to_string).join("\n---\n");
        let mut input = LintInput::default();
        input.add_text("objects.json", &text, true);
        let mut settings = LintSettings::new(Given::given(version()));
        settings.enabled = [rule].into();
        run(&input, &settings).findings.len()
    };
    assert_eq!(reported("HPA006", [&mismatch, &target]), 1);
    assert_eq!(reported("HPA108", [&asleep, &paused]), 1);
    namespace.apply([target, paused, mismatch, asleep]);
    for _ in 0..2 {
        namespace.decides_for(
            "mismatch",
            "2 → 2: SucceededGetScale !FailedGetObjectMetric",
        );
    }
    let asleep = namespace.get("hpa", "asleep");
    let reasons = asleep["status"]["conditions"].to_string();
    assert!(reasons.contains("ScalingDisabled"), "{reasons}");
    assert_eq!(namespace.get("deployment", "asleep")["spec"]["replicas"], 0);
    succeed(&mut namespace.kubectl(["get", "hpa"]));
}
