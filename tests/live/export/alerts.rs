//! The alerts of `kubectl hpa export rules`, evaluated by the real Prometheus.

use std::{fs, path::PathBuf, process::Command};

use serde_json::json;

use super::{
    Export,
    prometheus::{
        Settings, hasty, is_played, kube_state_metrics, printed_rules, program, scrape_of_export,
        scrape_of_kube_state_metrics,
    },
    situations,
    truth::MIXIN,
};
use crate::{
    cluster::{cluster, eventually, succeed},
    manifest::{average, deployment, hpa},
    namespace::free_namespace,
};

/// The real Prometheus scrapes the exporter, and each alert is pending exactly where it must be.
#[test]
fn prometheus_evaluates_the_rules_on_what_is_served() {
    if !is_played() {
        return;
    }
    let namespace = free_namespace("alerts");
    situations(&namespace);
    let export = Export::start(&cluster().file("kubeconfig"), &["--namespace=alerts"]);
    let folder = empty_folder("export-prometheus");
    fs::write(folder.join("rules.yaml"), printed_rules()).unwrap();
    let prometheus = Settings {
        folder: &folder,
        scrapes: json!([scrape_of_export(&export.address)]),
        alertmanager: None,
    }
    .start();
    let expected = [
        ("HpaHeldByPodsNotReady", "waiting"),
        ("HpaMetricFails", "fails"),
        ("HpaTargetNotFound", "lost"),
        ("HpaWantsMoreThanMax", "full"),
    ]
    .map(|(alert, name)| (alert.to_owned(), name.to_owned()));
    eventually(&format!("exactly {expected:?} are pending"), || {
        (prometheus.alerts() == expected).then_some(())
    });
    let groups = prometheus.query("/api/v1/rules")["data"]["groups"].take();
    let groups = groups.as_array().unwrap();
    assert_eq!(groups.len(), 2);
    for rule in groups
        .iter()
        .flat_map(|group| group["rules"].as_array().unwrap())
    {
        assert_eq!(rule["health"], "ok", "{rule}");
    }
    eventually("HPAs are counted by verdict", || {
        let verdicts = prometheus.query("/api/v1/query?query=verdict:kubectl_hpa_verdict:count");
        let verdicts = verdicts["data"]["result"].as_array().unwrap();
        let mut counted: Vec<(&str, &str)> = verdicts
            .iter()
            .map(|one| {
                let count = one["value"][1].as_str().unwrap();
                (one["metric"]["verdict"].as_str().unwrap(), count)
            })
            .collect();
        counted.sort_unstable();
        let expected = [
            ("at_max", "1"),
            ("pods_not_ready", "1"),
            ("target_not_found", "1"),
            ("within_tolerance", "2"),
        ];
        (counted == expected).then_some(())
    });
    drop(prometheus);
    export.ends();
}

/// At maxReplicas with nothing missing the alert of kubernetes-mixin fires and ours is silent; below maxReplicas, held by pods that are
/// not ready, it is the other way round. Both sets of rules have what the real servers serve of the same HPAs at the same time.
#[test]
fn alert_on_max_replicas_fires_where_nothing_is_missing_and_ours_where_pods_hold() {
    if !is_played() {
        return;
    }
    let namespace = free_namespace("maxed-out");
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "30"}]}));
    namespace.stop_settling();
    let waiting = deployment("waiting", 8)
        .pods("cpu", "85m")
        .pods("start-age", "1m");
    namespace.apply([
        deployment("even", 3).object(),
        hpa("even")
            .bounds(1, 3)
            .external("queue_depth", average("10"))
            .object(),
        // Pods that were never ready count as idle before scaling up.
        waiting.pods("ready", "false").object(),
    ]);
    let pods = eventually("the pods exist", || {
        let pods = namespace.list("pods");
        (pods.len() == 11).then_some(pods)
    });
    let of_waiting = pods
        .iter()
        .filter(|pod| pod["metadata"]["labels"]["app"] == "waiting");
    for pod in of_waiting.take(6) {
        namespace.annotate_pod(pod, "ready", "true");
    }
    namespace.apply([hpa("waiting").bounds(2, 20).cpu(60).object()]);

    let kubeconfig = cluster().file("kubeconfig");
    let export = Export::start(&kubeconfig, &["--namespace=maxed-out"]);
    let folder = empty_folder("export-mixin");
    let states = kube_state_metrics(&kubeconfig, "maxed-out", &folder);
    fs::write(folder.join("mixin.yaml"), hasty(MIXIN)).unwrap();
    fs::write(folder.join("rules.yaml"), hasty(&printed_rules())).unwrap();
    let prometheus = Settings {
        folder: &folder,
        scrapes: json!([
            scrape_of_export(&export.address),
            scrape_of_kube_state_metrics(&states),
        ]),
        alertmanager: None,
    }
    .start();
    let expected = [
        ("HpaHeldByPodsNotReady", "waiting"),
        ("KubeHpaMaxedOut", "even"),
    ]
    .map(|(alert, name)| (alert.to_owned(), name.to_owned()));
    eventually(&format!("exactly {expected:?} fire"), || {
        (prometheus.firing() == expected).then_some(())
    });
    drop(prometheus);
    export.ends();
}

#[test]
fn promtool_accepts_the_rules_and_each_alert_fires_where_its_test_says() {
    if !is_played() {
        return;
    }
    let folder = empty_folder("export-rules");
    fs::write(folder.join("rules.yaml"), printed_rules()).unwrap();
    let tests = include_str!("../../../deploy/monitoring/rules-test.yaml");
    fs::write(folder.join("rules-test.yaml"), tests).unwrap();
    let checked = succeed(
        Command::new(program("promtool"))
            .args(["check", "rules", "--lint=all", "--lint-fatal", "rules.yaml"])
            .current_dir(&folder),
    );
    assert!(checked.contains("SUCCESS"), "{checked}");
    succeed(
        Command::new(program("promtool"))
            .args(["test", "rules", "rules-test.yaml"])
            .current_dir(&folder),
    );
}

/// A folder for a Prometheus. It is kept, so that a failure can be investigated.
pub(super) fn empty_folder(name: &str) -> PathBuf {
    let folder = cluster().file(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
