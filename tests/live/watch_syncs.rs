//! `watch` of a controller that syncs out of turn, or not when it is due, as there is from Kubernetes 1.37 on.

use serde_json::json;

use crate::{
    cluster::{Cluster, eventually, succeed},
    namespace::{Namespace, free_namespace_in},
    releases::is_too_old_for,
    watched::{Watch, load, shop},
};

#[test]
fn new_and_edited_hpas_are_synced_and_reported_at_once() {
    if is_too_old_for("watch_syncs::new_and_edited_hpas_are_synced_and_reported_at_once") {
        return;
    }
    // No sync in its turn comes before the end of the test.
    let flags = ["--horizontal-pod-autoscaler-sync-period=1h"];
    let cluster = Cluster::with_audit("at-once", &flags);
    let shop = shop(free_namespace_in(&cluster, "at-once"));
    let (kubeconfig, recording) = (cluster.file("kubeconfig"), cluster.file("watch.jsonl"));
    let record = ["--record", recording.to_str().unwrap()];
    let watch = Watch::start_with(&shop, &kubeconfig, &cluster.file("watch"), &record);
    watch.says("web 3 replicas (2 to 20)");
    let target = "/spec/metrics/0/external/target/averageValue";
    edit(&shop, target, json!("5"));
    watch.says("web 3 → 6:");
    watch.knows_of(6);
    edit(&shop, "/spec/maxReplicas", json!(4));
    watch.says("web 6 → 4:");
    watch.knows_of(4);
    edit(&shop, "/spec/maxReplicas", json!(20));
    watch.says("web 4 → 6:");
    watch.knows_of(6);
    // Times in a status are whole seconds, and both of these may be in one. An edit before the first sync has written its
    // status would make that write fail.
    edit(&shop, "/spec/minReplicas", json!(8));
    eventually("the first edit to be synced", || {
        let hpa = shop.get("hpa", "web");
        (hpa["status"]["desiredReplicas"] == 8).then_some(())
    });
    edit(&shop, "/spec/minReplicas", json!(9));
    watch.says("web 6 → 8:");
    watch.says("web 8 → 9:");
    assert_no_alarm(&watch);
    watch.ends();
    succeed(
        cluster
            .kubectl(["hpa", "replay", "--check"])
            .arg(&recording),
    );
}

#[test]
fn syncs_that_a_cache_that_is_behind_skips_are_no_alarm() {
    if is_too_old_for("watch_syncs::syncs_that_a_cache_that_is_behind_skips_are_no_alarm") {
        return;
    }
    let cluster = Cluster::of_its_own("skipped");
    let shop = shop(free_namespace_in(&cluster, "skipped"));
    let (kubeconfig, recording) = (cluster.file("kubeconfig"), cluster.file("watch.jsonl"));
    let record = ["--record", recording.to_str().unwrap()];
    let watch = Watch::start_with(&shop, &kubeconfig, &cluster.file("watch"), &record);
    watch.says("web 3 replicas (2 to 20)");
    // Longer than one sync period and shorter than two: after each write, one sync is skipped.
    let late = "testcluster/hpas-late=1500ms";
    shop.run(["annotate", "namespace", "kube-system", late]);
    for (from, to) in [(3, 5), (5, 7), (7, 9), (9, 12)] {
        load(&shop, to);
        watch.says(&format!("web {from} → {to}: "));
    }
    assert!(0 < skipped(&cluster), "no sync was skipped");
    assert_no_alarm(&watch);
    watch.ends();
    succeed(
        cluster
            .kubectl(["hpa", "replay", "--check"])
            .arg(&recording),
    );
}

/// Sets a field of the HPA.
fn edit(shop: &Namespace, path: &str, value: serde_json::Value) {
    let patch = json!([{"op": "replace", "path": path, "value": value}]).to_string();
    shop.run(["patch", "hpa", "web", "--type=json", "--patch", &patch]);
}

/// How many syncs of HPAs the controller has skipped, as it counts them itself.
fn skipped(cluster: &Cluster) -> u64 {
    let port = "jsonpath={.spec.containers[0].ports[0].containerPort}";
    let port = succeed(&mut cluster.kubectl([
        "get",
        "pod",
        "kube-controller-manager-testcluster",
        "--namespace=kube-system",
        "--output",
        port,
    ]));
    let server = format!("--server=https://127.0.0.1:{port}");
    let metrics = succeed(&mut cluster.kubectl(["get", "--raw", "/metrics", &server]));
    let counter = "horizontal_pod_autoscaler_controller_stale_sync_skips_total{";
    let lines = metrics.lines().filter(|line| line.starts_with(counter));
    lines
        .map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap())
        .sum()
}

#[track_caller]
fn assert_no_alarm(watch: &Watch) {
    let lines = watch.text();
    for accused in ["ALARM", "not synced", "decided otherwise", "written by"] {
        assert!(!lines.contains(accused), "{lines}");
    }
}
