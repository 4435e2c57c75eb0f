//! A user who may read only some objects.

use serde_json::Value;

use crate::{
    plugin::{Plugin, not_read},
    server::{Answer, Server},
    world::{self, EVENTS, HPAS, POD_METRICS, PODS, SCALE, TARGET, forbidden, status},
};

#[track_caller]
fn check(paths: &[&str], what: &str, rule: &str) -> Value {
    let server = Server::start();
    for path in paths {
        server.set(path, Answer::status(&forbidden("it")));
    }
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let entry = not_read(&snapshot, what);
    assert_eq!(
        entry["why"].as_str().unwrap().split(';').next(),
        Some("it is forbidden: User \"eve\" cannot do that")
    );
    assert_eq!(entry["remedy"], format!("needs permission to {rule}"));
    snapshot
}

#[test]
fn what_may_not_be_read_is_named_with_the_missing_rule() {
    for (path, what, rule) in [
        (
            PODS,
            "pods",
            r#"list pods in the core API group, namespace shop: {apiGroups: [""], resources: ["pods"], verbs: ["list"]}"#,
        ),
        (
            POD_METRICS,
            "podMetrics",
            r#"list pods in API group metrics.k8s.io, namespace shop: {apiGroups: ["metrics.k8s.io"], resources: ["pods"], verbs: ["list"]}"#,
        ),
        (
            EVENTS,
            "kubernetesEvents",
            r#"list events in the core API group, namespace shop: {apiGroups: [""], resources: ["events"], verbs: ["list"]}"#,
        ),
    ] {
        let snapshot = check(&[path], what, rule);
        let metrics = snapshot["podMetrics"]["items"].as_array().map(Vec::len);
        assert_eq!(metrics, (what != "podMetrics").then_some(2));
    }
}

#[test]
fn scale_that_may_not_be_read_is_worked_out_from_the_deployment() {
    let snapshot = check(
        &[SCALE],
        "scale",
        r#"get deployments/scale in API group apps, namespace shop: {apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["get"]}"#,
    );
    assert_eq!(snapshot["scale"]["spec"]["replicas"], 2);
    assert_eq!(snapshot["scale"]["status"]["selector"], "app=web");
    assert_eq!(snapshot["pods"].as_array().unwrap().len(), 2);
}

#[test]
fn without_scale_and_target_the_rest_is_still_there() {
    let snapshot = check(
        &[SCALE, TARGET],
        "scale",
        r#"get deployments/scale in API group apps, namespace shop: {apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["get"]}"#,
    );
    assert_eq!(snapshot.get("scale"), None);
    assert_eq!(snapshot["hpa"]["spec"]["maxReplicas"], 10);
    not_read(&snapshot, "target");
}

#[test]
fn refusal_by_a_metrics_adapter_is_everybodys() {
    let server = Server::start();
    server.set(
        POD_METRICS,
        Answer::text(403, "text/plain", "quota of the cloud exceeded"),
    );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        snapshot["podMetrics"]["error"]["message"],
        "quota of the cloud exceeded (get pods.metrics.k8s.io)"
    );
}

#[test]
fn who_may_not_list_hpas_reads_one_by_name() {
    let server = Server::start();
    server.set(HPAS, Answer::status(&forbidden("it")));
    server.set_json(&format!("{HPAS}/web"), &world::hpa("web"));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(snapshot["hpa"]["metadata"]["name"], "web");
    not_read(&snapshot, "otherHpas");
}

#[test]
fn credentials_that_the_server_does_not_accept_are_reported() {
    let server = Server::start();
    server.set(
        HPAS,
        Answer::status(&status(401, "Unauthorized", "Unauthorized")),
    );
    Plugin::of(&server).run(&["capture", "web"]).fails_with(
        "authentication failed (401 Unauthorized): log in again, or use another kubeconfig user",
    );
}

#[test]
fn without_the_hpa_there_is_nothing_to_show() {
    let server = Server::start();
    server
        .set(HPAS, Answer::status(&forbidden("it")))
        .set(&format!("{HPAS}/web"), Answer::status(&forbidden("it")));
    Plugin::of(&server).run(&["capture", "web"]).fails_with(
        "cannot read HPAs: it is forbidden: User \"eve\" cannot do that; needs permission to get horizontalpodautoscalers in API \
         group autoscaling, namespace shop: {apiGroups: [\"autoscaling\"], resources: [\"horizontalpodautoscalers\"], verbs: [\"get\"]}",
    );
}
