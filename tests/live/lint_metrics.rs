//! What the rules about metrics call broken, compared with the real controller.

use hpa_engine::model;
use hpa_lint::{LintInput, LintSettings, Severity, rules, run};
use serde_json::{Value, json};

use crate::{
    manifest::{average, deployment, hpa, value},
    namespace::namespace,
    releases::version,
};

#[test]
fn metrics_that_lint_calls_broken_fail_in_every_pass() {
    let namespace = namespace("lint-broken");
    let target = json!({"type": "Utilization", "averageUtilization": 60});
    let absent = json!({"name": "cpu", "container": "absent", "target": target});
    let object = json!({
        "metric": {"name": "hits"},
        "describedObject": {"kind": "Ingress", "name": "web"},
        "target": value("10"),
    });
    namespace.metrics(&json!({"custom": [
        {"metric": "hits", "object": "ingresses.networking.k8s.io/web", "value": "100"},
    ]}));
    let situations = [
        (
            "HPA202",
            deployment("request", 1).container("proxy", json!({})),
            hpa("request").cpu(60),
            "FailedGetResourceMetric",
        ),
        (
            "HPA205",
            deployment("injected", 1),
            hpa("injected").cpu(60),
            "FailedGetResourceMetric",
        ),
        (
            "HPA230",
            deployment("unserved", 1),
            hpa("unserved").resource("ephemeral-storage", average("1Gi")),
            "FailedGetResourceMetric",
        ),
        (
            "HPA204",
            deployment("zero", 1),
            hpa("zero").cpu(60),
            "FailedGetResourceMetric",
        ),
        (
            "HPA207",
            deployment("container", 1),
            hpa("container").metric("ContainerResource", "containerResource", absent),
            "FailedGetContainerResourceMetric",
        ),
        (
            "HPA229",
            deployment("object", 1),
            hpa("object").metric("Object", "object", object),
            "FailedGetObjectMetric",
        ),
    ];
    let mut reasons = Vec::new();
    for (code, workload, hpa, reason) in situations {
        let (mut workload, hpa) = (workload.pods("cpu", "500m").object(), hpa.object());
        let template = &mut workload["spec"]["template"];
        if code == "HPA204" {
            container(template)["requests"] = json!({"cpu": "0"});
        }
        if code == "HPA205" {
            template["metadata"]["annotations"]["linkerd.io/inject"] = json!("enabled");
        }
        let severity = match code {
            // What injectors do, and what other metrics servers serve, cannot be seen in a manifest.
            "HPA205" | "HPA230" => Severity::Warning,
            _ => Severity::Error,
        };
        assert_eq!(worst(code, &workload, &hpa), Some(severity), "{code}");
        if code == "HPA205" {
            // As the pods are once the webhook has seen them.
            let containers = &mut workload["spec"]["template"]["spec"]["containers"];
            let proxy = json!({"name": "linkerd-proxy", "image": "example.com/image"});
            containers.as_array_mut().unwrap().push(proxy);
        }
        reasons.push((hpa["metadata"]["name"].clone(), reason));
        namespace.apply([workload, hpa]);
    }
    for _ in 0..2 {
        namespace.pass();
        for (name, reason) in &reasons {
            let name = name.as_str().unwrap();
            let status = namespace.get("hpa", name)["status"].take();
            let conditions = status["conditions"].as_array().unwrap();
            let failed = conditions
                .iter()
                .any(|one| one["type"] == "ScalingActive" && one["reason"] == *reason);
            assert!(failed, "{name}: {status:#}");
            let replicas = namespace.get("deployment", name)["spec"]["replicas"].take();
            assert_eq!(replicas, 1, "{name}");
        }
    }
}

#[test]
fn targets_that_lint_calls_unreachable_hold_at_full_usage() {
    let namespace = namespace("lint-unreachable");
    // Each uses all that its limit allows, and then a twentieth more, as a measurement may say.
    let situations = [
        ("HPA209", hpa("percent").cpu(96), Some(Severity::Error)),
        ("HPA209", hpa("edge").cpu(91), Some(Severity::Warning)),
        ("HPA209", hpa("reached").cpu(90), None),
        (
            "HPA224",
            hpa("average").resource("cpu", average("96m")),
            Some(Severity::Error),
        ),
        (
            "HPA224",
            hpa("average-reached").resource("cpu", average("90m")),
            None,
        ),
    ];
    for (code, hpa, severity) in situations {
        let hpa = hpa.object();
        let name = hpa["metadata"]["name"].as_str().unwrap();
        let mut workload = deployment(name, 2).pods("cpu", "100m").object();
        container(&mut workload["spec"]["template"])["limits"] = json!({"cpu": "100m"});
        assert_eq!(worst(code, &workload, &hpa), severity, "{name}");
        namespace.apply([workload, hpa]);
    }
    let replicas = |name: &str| namespace.get("deployment", name)["spec"]["replicas"].take();
    namespace.pass();
    let after = ["percent", "edge", "average", "reached", "average-reached"].map(replicas);
    assert_eq!(after, [2, 2, 2, 3, 3]);
    for name in ["percent", "edge", "average"] {
        namespace.annotate_pods(name, "cpu", "105m");
    }
    namespace.pass();
    let after = ["percent", "edge", "average"].map(replicas);
    assert_eq!(after, [2, 3, 2]);
}

#[test]
fn of_two_metrics_that_lint_calls_duplicates_the_stricter_decides() {
    let namespace = namespace("lint-duplicate");
    let workload = |name: &str| deployment(name, 4).pods("cpu", "20m").object();
    let both = hpa("both").cpu(80).cpu(60).down_at_once().object();
    assert_eq!(
        worst("HPA216", &workload("both"), &both),
        Some(Severity::Warning)
    );
    let one = hpa("one").cpu(60).down_at_once().object();
    assert_eq!(worst("HPA216", &workload("one"), &one), None);
    namespace.apply([workload("both"), both, workload("one"), one]);
    // A third of 60% asks for 2 of 4 pods, a quarter of 80% would ask for 1; then 120% for twice as many, not 1.5 times.
    for (usage, replicas) in [("20m", 2), ("120m", 4), ("64m", 4), ("45m", 3)] {
        for name in ["both", "one"] {
            namespace.annotate_pods(name, "cpu", usage);
        }
        namespace.pass();
        for name in ["both", "one"] {
            let found = namespace.get("deployment", name)["spec"]["replicas"].take();
            assert_eq!(found, replicas, "{name} at {usage}");
        }
    }
}

#[test]
fn a_target_that_lint_calls_blended_does_not_scale_up_a_throttled_app() {
    let namespace = namespace("lint-blended");
    let mut workload = deployment("web", 2)
        .container("proxy", json!({"cpu": "100m"}))
        .pods("cpu.main", "100m")
        .pods("cpu.proxy", "10m")
        .object();
    container(&mut workload["spec"]["template"])["limits"] = json!({"cpu": "100m"});
    let blended = hpa("web").cpu(60).object();
    assert_eq!(worst("HPA206", &workload, &blended), Some(Severity::Info));
    namespace.apply([workload, blended]);
    namespace.pass();
    let replicas = || namespace.get("deployment", "web")["spec"]["replicas"].take();
    assert_eq!(replicas(), 2);
    // By the container that does the work, as the rule advises, it does.
    let target = json!({"type": "Utilization", "averageUtilization": 60});
    let main = json!({"name": "cpu", "container": "main", "target": target});
    let metric = json!([{"type": "ContainerResource", "containerResource": main}]);
    let patch = json!({"spec": {"metrics": metric}}).to_string();
    let patch = format!("--patch={patch}");
    namespace.run(["patch", "hpa", "web", "--type=merge", &patch]);
    namespace.pass_begun_before_the_edit();
    namespace.pass();
    assert_eq!(replicas(), 4);
}

#[test]
fn a_backlog_that_lint_warns_of_grows_the_replicas_in_every_sync() {
    let namespace = namespace("lint-backlog");
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "200"}]}));
    let at_once = json!({"scaleUp": {
        "stabilizationWindowSeconds": 0,
        "policies": [{"type": "Percent", "value": 900, "periodSeconds": 1}],
    }});
    let queue = |name: &str, target: Value| {
        let metric = hpa(name).external("queue_depth", target);
        metric.bounds(1, 20).behavior(at_once.clone()).object()
    };
    let (total, average) = (
        queue("total", value("100")),
        queue("average", average("50")),
    );
    let workload = |name: &str| deployment(name, 2).object();
    for (hpa, severity) in [(&total, Some(Severity::Warning)), (&average, None)] {
        assert_eq!(worst("HPA220", &workload("any"), hpa), severity);
    }
    namespace.apply([workload("total"), total, workload("average"), average]);
    for expected in [[4, 4], [8, 4], [16, 4], [20, 4]] {
        namespace.pass();
        let replicas = |name: &str| namespace.get("deployment", name)["spec"]["replicas"].take();
        assert_eq!(["total", "average"].map(replicas), expected);
    }
}

/// Resources of the first container of a template.
fn container(template: &mut Value) -> &mut Value {
    &mut template["spec"]["containers"][0]["resources"]
}

/// The severity of what one rule says of a situation, if it says anything.
pub(crate) fn worst(code: &str, workload: &Value, hpa: &Value) -> Option<Severity> {
    let mut settings = LintSettings::new(model::Input::given(version()));
    settings.enabled = [rules::find(code).unwrap().code].into();
    settings.is_complete = true;
    let mut input = LintInput::default();
    input.add_text("workload.json", &workload.to_string(), true);
    input.add_text("hpa.json", &hpa.to_string(), true);
    let report = run(&input, &settings);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    let findings = report.findings.iter();
    findings.map(|one| one.finding.severity).max()
}
