//! Users without permission to read everything.

use serde_json::{Value, json};

use crate::{
    cluster::{cluster, succeed},
    manifest::{average, deployment, hpa},
    namespace::namespace,
};

#[test]
fn user_who_may_read_what_decides_gets_the_decision() {
    let namespace = namespace("reader");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["get", "list"]},
        {"apiGroups": ["apps"], "resources": ["deployments/scale"], "verbs": ["get"]},
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]},
        {"apiGroups": ["metrics.k8s.io"], "resources": ["pods"], "verbs": ["list"]},
    ]));
    // This user may not see the controller's flags, so the defaults are assumed, and the page says so.
    let decision =
        namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
    decision.page_says(["assumed"]);
}

/// Every other test of this suite asserts the same at its end, of all requests so far.
#[test]
fn every_request_of_every_command_is_a_read_in_the_log_of_the_api_server() {
    let namespace = namespace("only-reads");
    namespace.apply([
        deployment("web", 2).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    for words in [
        ["explain", "web", "-v"],
        ["explain", "web", "--set=spec.maxReplicas=20"],
        ["list", "-o", "wide"],
        ["lint", "--exit-zero", "--quiet"],
        ["capture", "-o", "-"],
        ["watch", "-o=plain", "--timeout=3s"],
        ["version", "-o", "json"],
    ] {
        let [command, first, second] = words;
        succeed(&mut namespace.kubectl(["hpa", command, first, second]));
    }
    let reads = cluster().assert_only_read();
    assert!(
        50 < reads,
        "only {reads} requests of the plugin are in the log"
    );
}

#[test]
fn user_who_may_not_read_the_scale_learns_which_permission_is_missing() {
    let namespace = namespace("no-scale");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.pass();
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["get"]},
    ]));
    assert_eq!(namespace.page("web")["verdict"]["action"], "unknown");
    let text = namespace.explain("web", []);
    for needed in [
        "UNKNOWN",
        "deployments/scale",
        "desired replicas 6, cpu 90%",
    ] {
        assert!(text.contains(needed), "no {needed:?} in\n{text}");
    }
}

#[test]
fn user_who_may_not_read_pods_and_metrics_learns_which_permissions_are_missing() {
    let namespace = namespace("no-pods");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.pass();
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["get", "list"]},
        {"apiGroups": ["apps"], "resources": ["deployments/scale"], "verbs": ["get"]},
    ]));
    assert_eq!(namespace.page("web")["verdict"]["action"], "unknown");
    let text: String = namespace.explain("web", []).split_whitespace().collect();
    for rule in [
        r#"{apiGroups: [""], resources: ["pods"], verbs: ["list"]}"#,
        r#"{apiGroups: ["metrics.k8s.io"], resources: ["pods"], verbs: ["list"]}"#,
    ] {
        assert!(
            text.contains(&rule.replace(' ', "")),
            "no {rule} in\n{text}"
        );
    }
}

#[test]
fn user_with_the_permissions_of_the_manifest_misses_only_the_lease_of_the_controller() {
    let namespace = namespace("manifest-rights");
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "35"}]}));
    let requests = json!({"metric": {"name": "requests"}, "target": average("100")});
    namespace.apply([
        deployment("web", 2)
            .pods("cpu", "50m")
            .pods("metric.requests", "150")
            .object(),
        hpa("web")
            .cpu(60)
            .metric("Pods", "pods", requests)
            .external("queue_depth", average("10"))
            .object(),
    ]);
    namespace.explain_as_reader_of_the_cluster(&rules_of_the_manifest());
    namespace.decides("2 → 4: SucceededRescale ValidMetricFound !DesiredWithinRange");
    let listed = namespace.listed();
    for read in [&namespace.page("web"), &listed] {
        let not_read: Vec<_> = read["notRead"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|one| one["what"].as_str())
            .collect();
        assert_eq!(
            not_read,
            ["leaderSince"],
            "more than the lease, which the role for kube-system allows"
        );
    }
    assert_eq!(listed["kindsNotRead"], json!([]));
}

/// The permissions that the manifest in `deploy` grants in the whole cluster.
pub(crate) fn rules_of_the_manifest() -> Value {
    let manifest = include_str!("../../deploy/rbac.yaml");
    let (cluster_role, _) = manifest
        .split_once("\n---\n")
        .expect("the role for kube-system comes second");
    let mut cluster_role: Value =
        serde_saphyr::from_str(cluster_role).expect("the manifest is YAML");
    cluster_role["rules"].take()
}
