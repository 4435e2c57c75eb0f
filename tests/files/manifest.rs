//! Ordinary objects in files, as `explain -f` reads them.

use std::path::Path;

use assert_cmd::Command;
use hpa_engine::model::{MetricSpec, Observation, PolicyType, Reading, SnapshotField};
use hpa_objects::{manifest, recording::Snapshot};
use serde_json::{Value, json};

/// As printed by `kubectl get hpa,deploy,rs,pods,podmetrics -o yaml`.
const WEB: &str = include_str!("web.yaml");

#[test]
fn output_of_kubectl_get_is_explained() {
    for at in [&[][..], &["--at", "2026-11-21T10:41:00Z"]] {
        let run = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
            .env("TZ", "UTC")
            .args(["explain", "-f", "-"])
            .args(at)
            .write_stdin(WEB)
            .output()
            .unwrap();
        let page = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(0));
        assert!(
            page.contains("95% of requests  950m / 1000m, 2 pods") && page.contains("SCALES 2 → 4"),
            "{page}"
        );
        let says_which_time = page.contains("using the newest time in the objects");
        assert_eq!(says_which_time, at.is_empty(), "{page}");
    }
}

/// A Deployment with this many pods, each with its usage, and this many HPAs on it.
#[cfg(target_os = "linux")]
fn crowd(pods: usize, hpas: usize) -> String {
    let containers = json!([{"name": "app", "resources": {"requests": {"cpu": "100m"}}}]);
    let metadata =
        |name: String| json!({"name": name, "namespace": "shop", "labels": {"app": "web"}});
    let mut objects = vec![json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata("web".to_owned()),
        "spec": {"replicas": pods, "selector": {"matchLabels": {"app": "web"}}},
        "status": {"replicas": pods},
    })];
    for pod in 0..pods {
        objects.push(json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": metadata(format!("web-{pod}")),
            "spec": {"containers": containers}, "status": {"phase": "Running"},
        }));
        objects.push(json!({
            "apiVersion": "metrics.k8s.io/v1beta1", "kind": "PodMetrics", "metadata": metadata(format!("web-{pod}")),
            "containers": [{"name": "app", "usage": {"cpu": "50m"}}],
        }));
    }
    let cpu = json!([{"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60},
    }}]);
    objects.extend((0..hpas).map(|hpa| {
        json!({
            "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": metadata(format!("h{hpa}")),
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "maxReplicas": 2 * pods, "metrics": cpu,
            },
        })
    }));
    json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string()
}

/// Pods and other HPAs are not copied for each HPA, and pages are limited: those of 600 HPAs on 1,000 pods would be
/// gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn hpas_that_share_a_target_share_what_is_known_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crowd.json");
    std::fs::write(&file, crowd(1_000, 600)).unwrap();
    let run = explained_within(600_000, &file);
    let pages = String::from_utf8(run.stdout).unwrap();
    let error = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{error}");
    let heads = pages
        .lines()
        .filter(|line| line.contains(" → Deployment/web "));
    assert_eq!(heads.count(), 600);
    assert!(
        pages.contains("599 other HPAs have the same target Deployment/web: h1, "),
        "{error}"
    );
    let lines = pages.lines().count() / 600;
    assert!(lines < 60, "{lines} lines a page");
}

/// As trees these objects would take 600 MB; the text takes 10.
#[cfg(target_os = "linux")]
#[test]
fn objects_of_a_list_are_read_one_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("namespace.json");
    let service = |name: usize| {
        json!({
            "apiVersion": "v1", "kind": "Service",
            "metadata": {"name": format!("s{name}"), "labels": {"app": "web"}, "annotations": {"note": "any"}},
            "spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]}, "status": {"loadBalancer": {}},
        })
    };
    let mut objects: Vec<_> = (0..LARGE_LIST).map(service).collect();
    let of_one_pod: Value = serde_json::from_str(&crowd(1, 1)).unwrap();
    objects.extend(of_one_pod["items"].as_array().unwrap().clone());
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    std::fs::write(&file, list.to_string()).unwrap();
    let run = explained_within(300_000, &file);
    let error = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{error}");
    let page = String::from_utf8(run.stdout).unwrap();
    assert!(page.contains("shop/h0 → Deployment/web"), "{page}");
}

#[cfg(target_os = "linux")]
const LARGE_LIST: usize = 50_000;

/// `explain -f` in an address space of this many KiB.
#[cfg(target_os = "linux")]
fn explained_within(kibibytes: usize, file: &Path) -> std::process::Output {
    let within = format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
    std::process::Command::new("sh")
        .args(["-c", &within])
        .arg(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .args(["explain", "-f"])
        .arg(file)
        .output()
        .unwrap()
}

#[test]
fn objects_become_one_snapshot_per_hpa() {
    let snapshot = only(WEB);
    assert_eq!(snapshot.time.to_string(), "2026-11-21T10:40:03Z");
    let scale = snapshot.scale.clone().unwrap();
    assert_eq!((scale.spec.replicas, scale.status.replicas), (2, 2));
    assert_eq!(scale.status.selector, "app=web,tier notin (cache,db)");
    let target = snapshot.target.clone().unwrap();
    assert_eq!(target.template_containers, ["app"]);
    assert_eq!(target.intermediate_owners[0].name, "web-7f9c");
    let missing: Vec<String> = snapshot
        .not_read
        .iter()
        .map(|one| one.what.to_string())
        .collect();
    assert_eq!(missing, ["time"]);
    let observation = snapshot.observation().unwrap();
    assert_eq!(observation.pods.read().unwrap().len(), 2);
    assert_eq!(observation.pod_metrics.read().unwrap().len(), 2);
    let written = serde_json::to_string(&snapshot).unwrap();
    assert!(
        !written.contains("secret") && !written.contains("last-applied"),
        "{written}"
    );
}

#[test]
fn documents_lists_and_json_are_the_same() {
    let list: Value = serde_saphyr::from_str(WEB).unwrap();
    let documents: Vec<String> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| serde_saphyr::to_string(item).unwrap())
        .collect();
    let lines: Vec<String> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    let expected = only(WEB);
    assert_eq!(only(&list.to_string()), expected, "JSON");
    assert_eq!(
        only(&serde_json::to_string_pretty(&list).unwrap()),
        expected,
        "pretty JSON"
    );
    assert_eq!(
        only(&lines.join("\n")),
        expected,
        "JSON objects one after another"
    );
    let documents = format!("\u{feff}---\n{}\n---\n", documents.join("\n---\n"));
    assert_eq!(only(&documents), expected, "YAML documents");
    assert_eq!(
        only(&documents.replace('\n', "\r\n")),
        expected,
        "lines of Windows"
    );
}

#[test]
fn json_that_would_fill_the_memory_is_refused_where_it_becomes_too_much() {
    let text = format!("{{\n\"a\": [{}0]}}", "0,".repeat(500_000));
    let error = manifest::read(text.as_bytes(), "web.json", now()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "web.json, line 2, column 1000006: a list of more than 500000 elements, which is too much to read"
    );
}

#[test]
fn what_the_api_server_would_fill_in_is_filled_in() {
    let observation = hpa(&json!({
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
        "maxReplicas": 5,
        "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60}},
    }));
    let spec = &observation.hpa.spec;
    assert_eq!(
        (observation.hpa.namespace.as_str(), spec.min_replicas),
        ("default", Some(1))
    );
    let [MetricSpec::Resource(cpu)] = &spec.metrics[..] else {
        panic!("one cpu metric: {:?}", spec.metrics);
    };
    assert_eq!(
        (cpu.name.as_str(), cpu.metric_target.average_utilization),
        ("cpu", Some(80))
    );
    let behavior = spec.behavior.as_ref().unwrap();
    let (up, down) = (
        behavior.scale_up.as_ref().unwrap(),
        behavior.scale_down.as_ref().unwrap(),
    );
    assert_eq!(up.stabilization_window_seconds, Some(0));
    assert_eq!(down.stabilization_window_seconds, Some(60));
    let policies = |policies: &Option<Vec<hpa_engine::model::ScalingPolicy>>| -> Vec<_> {
        policies
            .iter()
            .flatten()
            .map(|policy| (policy.policy_type, policy.value, policy.period_seconds))
            .collect()
    };
    assert_eq!(
        policies(&up.policies),
        [(PolicyType::Pods, 4, 15), (PolicyType::Percent, 100, 15)]
    );
    assert_eq!(policies(&down.policies), [(PolicyType::Percent, 100, 15)]);
}

#[test]
fn removed_versions_of_the_hpa_mean_the_same_as_v2() {
    let meta = json!({"name": "web", "namespace": "shop"});
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
    let service = json!({"apiVersion": "v1", "kind": "Service", "name": "web"});
    let selector = json!({"matchLabels": {"queue": "q0"}});
    let v2 = json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": meta,
        "spec": {"scaleTargetRef": target, "maxReplicas": 9, "metrics": [
            {"type": "Pods", "pods": {"metric": {"name": "hits"}, "target": {"type": "AverageValue", "averageValue": "5"}}},
            {"type": "Object", "object": {"describedObject": service, "metric": {"name": "rate"},
                "target": {"type": "Value", "value": "2k"}}},
            {"type": "External", "external": {"metric": {"name": "depth", "selector": selector},
                "target": {"type": "AverageValue", "averageValue": "30"}}},
            {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}},
        ]},
    });
    let old_metrics = json!([
        {"type": "Pods", "pods": {"metricName": "hits", "targetAverageValue": "5"}},
        {"type": "Object", "object": {"target": service, "metricName": "rate", "targetValue": "2k"}},
        {"type": "External", "external": {"metricName": "depth", "metricSelector": selector, "targetAverageValue": "30"}},
    ]);
    let mut v2beta1 = v2.clone();
    v2beta1["apiVersion"] = "autoscaling/v2beta1".into();
    v2beta1["spec"]["metrics"] = old_metrics.clone();
    v2beta1["spec"]["metrics"].as_array_mut().unwrap().push(
        json!({"type": "Resource", "resource": {"name": "cpu", "targetAverageUtilization": 70}}),
    );
    let mut v2beta2 = v2.clone();
    v2beta2["apiVersion"] = "autoscaling/v2beta2".into();
    let expected = only(&v2.to_string()).observation().unwrap().hpa;
    for old in [&v2beta1, &v2beta2] {
        assert_eq!(
            only(&old.to_string()).observation().unwrap().hpa,
            expected,
            "{}",
            old["apiVersion"]
        );
    }

    // Version 1 supports only CPU. The API server writes the behavior with capital letters.
    let behavior = r#"{"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":"Min","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":30}]}}"#;
    let v1 = json!({
        "apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web", "namespace": "shop", "annotations": {
            "autoscaling.alpha.kubernetes.io/metrics": old_metrics.to_string(),
            "autoscaling.alpha.kubernetes.io/behavior": behavior,
            "autoscaling.alpha.kubernetes.io/current-metrics":
                r#"[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":50,"currentAverageValue":"100m"}}]"#,
            "autoscaling.alpha.kubernetes.io/conditions":
                r#"[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-11-21T10:00:00Z","reason":"ReadyForNewScale"}]"#,
        }},
        "spec": {"scaleTargetRef": target, "maxReplicas": 9, "targetCPUUtilizationPercentage": 70},
        "status": {"currentReplicas": 2, "desiredReplicas": 2, "currentCPUUtilizationPercentage": 50},
    });
    let hpa = only(&v1.to_string()).observation().unwrap().hpa;
    assert_eq!(hpa.spec.metrics, expected.spec.metrics);
    let down = hpa.spec.behavior.unwrap().scale_down.unwrap();
    assert_eq!(down.stabilization_window_seconds, Some(60));
    assert_eq!(down.policies.unwrap()[0].value, 1);
    assert_eq!(hpa.status.conditions[0].reason, "ReadyForNewScale");
    assert_eq!(hpa.status.current_metrics.len(), 1);

    let mut broken = v1.clone();
    broken["metadata"]["annotations"]["autoscaling.alpha.kubernetes.io/behavior"] = "{".into();
    let error = manifest::read(broken.to_string().as_bytes(), "x", now())
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.starts_with("x, document 1 (HorizontalPodAutoscaler shop/web): metadata.annotations[autoscaling.alpha.kubernetes.io/behavior]: "),
        "{error}"
    );
}

#[test]
fn answers_of_the_metrics_apis_are_matched_to_the_metrics() {
    let spec = json!({
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
        "maxReplicas": 9,
        "metrics": [
            {"type": "Pods", "pods": {"metric": {"name": "hits"}, "target": {"type": "AverageValue", "averageValue": "5"}}},
            {"type": "External", "external": {"metric": {"name": "depth"}, "target": {"type": "Value", "value": "3"}}},
            {"type": "External", "external": {"metric": {"name": "lag"}, "target": {"type": "Value", "value": "3"}}},
        ],
    });
    let hpa = json!({"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web", "namespace": "shop"}, "spec": spec});
    let scale = json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"replicas": 3}, "status": {"replicas": 2, "selector": "app=web"}});
    // As `kubectl get --raw` prints them: the items of typed lists do not repeat their kind.
    let hits = json!({"apiVersion": "custom.metrics.k8s.io/v1beta1", "kind": "MetricValueList", "items": [
        {"describedObject": {"kind": "Pod", "namespace": "shop", "name": "web-1"}, "metricName": "hits", "value": "7", "window": 30},
        {"describedObject": {"kind": "Pod", "namespace": "other", "name": "web-1"}, "metricName": "hits", "value": "9"},
    ]});
    let depth = json!({"apiVersion": "external.metrics.k8s.io/v1beta1", "kind": "ExternalMetricValueList", "items": [
        {"metricName": "depth", "metricLabels": {}, "value": "12"},
    ]});
    let text = [&hpa, &scale, &hits, &depth]
        .map(Value::to_string)
        .join("\n");
    let snapshot = only(&text);
    let observation = snapshot.observation().unwrap();
    assert_eq!(observation.scale.read().unwrap().status_replicas, 2);
    let [hits] = &observation.custom_metrics[0].answer.read().unwrap()[..] else {
        panic!("one item: {:?}", observation.custom_metrics);
    };
    assert_eq!(
        (hits.object.as_str(), hits.window_seconds),
        ("web-1", Some(30))
    );
    let [depth, lag] = &observation.external_metrics[..] else {
        panic!("two answers: {:?}", observation.external_metrics);
    };
    assert_eq!((depth.index, depth.answer.read().unwrap().len()), (1, 1));
    assert!(
        matches!(&lag.answer, Reading::NotRead(not_read) if not_read.what == SnapshotField::ExternalMetrics(Some(2)))
    );
    assert!(
        matches!(&observation.pods, Reading::NotRead(_)),
        "no pods in the file is not no pods"
    );
}

#[test]
fn mistakes_are_named_with_file_document_object_and_field() {
    #[track_caller]
    fn check(from: &str, to: &str, expected: &str) {
        assert!(WEB.contains(from), "{from}");
        let text = WEB.replacen(from, to, 1);
        let error = manifest::read(text.as_bytes(), "web.yaml", now())
            .err()
            .unwrap();
        assert_eq!(error.to_string(), expected);
    }
    check(
        "    maxReplicas: 10\n",
        "",
        "web.yaml, document 1, items[0] (HorizontalPodAutoscaler shop/web): spec.maxReplicas: missing field",
    );
    check(
        "averageUtilization: 60",
        "averageUtilization: 60%",
        "web.yaml, document 1, items[0] (HorizontalPodAutoscaler shop/web): \
         spec.metrics[0].resource.target.averageUtilization: invalid type: string \"60%\", expected an integer",
    );
    check(
        "cpu: 480m",
        "cpu: 480q",
        "web.yaml, document 1, items[5] (PodMetrics shop/web-7f9c-a): containers[0].usage.cpu: invalid \
         quantity \"480q\" (wanted: a number and one of the suffixes n u m k M G T P E Ki Mi Gi Ti Pi Ei, as in 250m, 1.5 or 64Mi)",
    );
    check(
        "apiVersion: autoscaling/v2\n",
        "apiVersion: autoscaling/v3\n",
        "web.yaml, document 1, items[0] (HorizontalPodAutoscaler shop/web): apiVersion: unknown HPA \
         version \"autoscaling/v3\": use autoscaling/v2, v2beta2, v2beta1 or v1",
    );
    check(
        "  kind: HorizontalPodAutoscaler\n",
        "",
        "web.yaml, document 1, items[0]: kind: missing field",
    );
    check(
        "kind: HorizontalPodAutoscaler\n",
        "kind: Horizontal\n",
        "web.yaml: no HorizontalPodAutoscaler in it (found: 1 Deployment, 1 Horizontal, 2 Pod, 2 PodMetrics, 1 ReplicaSet)",
    );
    let object = r#"{"apiVersion": "v1", "kind": "Service", "items": {"a": 1}}"#;
    let list = |items: &str| format!(r#"{{"apiVersion": "v1", "kind": "List", "items": {items}}}"#);
    for (text, problem) in [
        (
            list("[]"),
            ": no HorizontalPodAutoscaler in it (it is empty)",
        ),
        (
            list("null"),
            ": no HorizontalPodAutoscaler in it (found: 1 List)",
        ),
        (
            list("[3]"),
            ", document 1, items[0]: apiVersion: missing field",
        ),
        (
            list(&format!("[{object}, null]")),
            ", document 1, items[1]: apiVersion: missing field",
        ),
        (
            format!("{object} 3"),
            ", document 2: apiVersion: missing field",
        ),
        (
            format!("{object} [{object}]"),
            ", document 2: apiVersion: missing field",
        ),
        (
            "- a\n".to_owned(),
            ", document 1: apiVersion: missing field",
        ),
    ] {
        let read = manifest::read(text.as_bytes(), "web.yaml", now());
        let error = read.err().unwrap().to_string();
        assert_eq!(error, format!("web.yaml{problem}"), "{text}");
    }
    let error = manifest::read(b"[a]\nb = 2\n", "web.toml", now())
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.starts_with("web.toml is neither a recording nor a manifest (line 2, "),
        "{error}"
    );
    let error = manifest::read(b"a: [1\nb: 2\n", "web.yaml", now())
        .err()
        .unwrap()
        .to_string();
    assert!(error.starts_with("web.yaml, line "), "{error}");
    let error = manifest::read(b"", "web.yaml", now())
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        error,
        "web.yaml: no HorizontalPodAutoscaler in it (it is empty)"
    );
}

#[test]
fn snapshot_over_several_lines_is_read_as_well() {
    let snapshot = only(WEB);
    assert_eq!(
        only(&serde_json::to_string_pretty(&snapshot).unwrap()),
        snapshot
    );
    assert_eq!(only(&serde_saphyr::to_string(&snapshot).unwrap()), snapshot);
}

fn now() -> jiff::Timestamp {
    "2026-11-21T11:00:00Z".parse().unwrap()
}

/// The snapshot of the only HPA in a file.
fn only(text: &str) -> Snapshot {
    let mut snapshots = manifest::read(text.as_bytes(), "web.yaml", now()).unwrap();
    assert_eq!(snapshots.len(), 1);
    snapshots.remove(0)
}

/// A single HPA in a file, without a namespace.
fn hpa(spec: &Value) -> Observation {
    let hpa = json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"},
        "spec": spec,
    });
    only(&hpa.to_string()).observation().unwrap()
}
