//! A world in which every command sends every possible request.
//!
//! `web` has metrics of all kinds, one of them not served, a pod without a node and a young one. `worker` scales a
//! custom kind, and one of its pods is missing. There are other autoscalers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::world::{self, list};

/// The clock of the server.
pub(crate) const NOW: &str = "Fri, 02 Jan 2026 00:00:00 GMT";

/// All answers, by path.
pub(crate) fn answers() -> BTreeMap<String, Value> {
    let mut answers: BTreeMap<String, Value> = BTreeMap::new();
    let mut set = |path: &str, body: Value| answers.insert(path.to_owned(), body);
    for (path, body) in world::answers() {
        set(path, body);
    }
    set(world::HPAS, list(vec![web(), worker()]));
    set(&format!("{}/web", world::HPAS), web());
    set(&format!("{}/worker", world::HPAS), worker());
    set(world::PODS, list(pods()));
    set(
        world::POD_METRICS,
        list(vec![
            world::usage("web-a", "50m"),
            world::usage("web-b", "50m"),
        ]),
    );
    set(world::DEPLOYMENTS, list(vec![world::deployment()]));
    set(
        "/apis/apps/v1/namespaces/shop/replicasets",
        list(vec![json!({
            "metadata": {
                "name": "web-1", "namespace": "shop", "labels": {"app": "web"},
                "ownerReferences": [{"kind": "Deployment", "name": "web", "controller": true}],
            },
            "status": {"replicas": 4},
        })]),
    );
    set(
        "/api/v1/nodes",
        list(vec![
            json!({"metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "4", "pods": "110"}}}),
        ]),
    );
    set(
        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager",
        json!({"spec": {"holderIdentity": "a_1", "acquireTime": "2026-01-01T00:00:00.000000Z"}}),
    );
    set("/api/v1/namespaces", table(&["Name"], &[&["shop"]]));
    metrics(&mut set);
    autoscalers(&mut set);
    workers(&mut set);
    answers
}

/// The table that completes names.
pub(crate) fn table(columns: &[&str], rows: &[&[&str]]) -> Value {
    let columns: Vec<Value> = columns.iter().map(|name| json!({"name": name})).collect();
    let rows: Vec<Value> = rows.iter().map(|cells| json!({"cells": cells})).collect();
    json!({"kind": "Table", "apiVersion": "meta.k8s.io/v1", "columnDefinitions": columns, "rows": rows})
}

fn web() -> Value {
    let mut hpa = world::hpa("web");
    let target = json!({"type": "AverageValue", "averageValue": "10"});
    let described = json!({"apiVersion": "v1", "kind": "Service", "name": "web"});
    let metrics = hpa["spec"]["metrics"].as_array_mut().unwrap();
    metrics
        .push(json!({"type": "Pods", "pods": {"metric": {"name": "requests"}, "target": target}}));
    metrics.push(json!({"type": "Object", "object": {
        "metric": {"name": "hits"}, "describedObject": described, "target": {"type": "Value", "value": "10"},
    }}));
    metrics.push(json!({"type": "External", "external": {"metric": {"name": "queue_depth"}, "target": target}}));
    hpa
}

fn worker() -> Value {
    let mut hpa = world::hpa("worker");
    hpa["spec"]["scaleTargetRef"] =
        json!({"apiVersion": "example.com/v1", "kind": "Worker", "name": "worker"});
    hpa["spec"]["metrics"][0]["resource"]["name"] = json!("memory");
    hpa
}

/// Two running pods of `web`, a young one, and one without a node; one of `worker`.
fn pods() -> Vec<Value> {
    let mut young = world::pod("web-c");
    young["metadata"]["creationTimestamp"] = json!("2026-01-01T23:58:00Z");
    let mut waiting = world::pod("web-d");
    waiting["status"] = json!({"phase": "Pending", "conditions": [{
        "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes are available",
    }]});
    let mut worker = world::pod("worker-0");
    worker["metadata"]["labels"] = json!({"app": "worker"});
    let mut pods = vec![
        world::pod("web-a"),
        world::pod("web-b"),
        young,
        waiting,
        worker,
    ];
    for pod in &mut pods[..4] {
        pod["metadata"]["ownerReferences"] =
            json!([{"kind": "ReplicaSet", "name": "web-1", "controller": true}]);
    }
    pods
}

/// The custom and external metrics APIs. `queue_depth` and `hits` are not served.
fn metrics(set: &mut impl FnMut(&str, Value) -> Option<Value>) {
    let custom = "/apis/custom.metrics.k8s.io/v1beta1";
    let external = "/apis/external.metrics.k8s.io/v1beta1";
    let version = json!({"groupVersion": "custom.metrics.k8s.io/v1beta1", "version": "v1beta1"});
    set(
        "/apis/custom.metrics.k8s.io",
        json!({"kind": "APIGroup", "name": "custom.metrics.k8s.io", "versions": [version], "preferredVersion": version}),
    );
    for api in [custom, external] {
        set(
            api,
            json!({"kind": "APIResourceList", "resources": [{"name": "pods/other", "kind": "MetricValueList"}]}),
        );
    }
    let value = |pod: &str| {
        json!({
            "describedObject": {"kind": "Pod", "namespace": "shop", "name": pod, "apiVersion": "/v1"},
            "metricName": "requests", "timestamp": "2026-01-01T23:59:50Z", "value": "10",
        })
    };
    set(
        &format!("{custom}/namespaces/shop/pods/*/requests"),
        list(vec![value("web-a"), value("web-b")]),
    );
    set(
        &format!("{custom}/namespaces/shop/services/web/hits"),
        list(vec![]),
    );
    set(world::EXTERNAL_METRICS, list(vec![]));
}

fn autoscalers(set: &mut impl FnMut(&str, Value) -> Option<Value>) {
    let kinds = [
        ("keda.sh", "v1alpha1", "scaledobjects"),
        ("autoscaling.k8s.io", "v1", "verticalpodautoscalers"),
        ("argoproj.io", "v1alpha1", "rollouts"),
    ];
    let groups: Vec<Value> = kinds
        .iter()
        .map(|(group, version, _)| {
            let version = json!({"groupVersion": format!("{group}/{version}"), "version": version});
            json!({"name": group, "versions": [version], "preferredVersion": version})
        })
        .collect();
    set("/apis", json!({"kind": "APIGroupList", "groups": groups}));
    for (group, version, resource) in kinds {
        set(
            &format!("/apis/{group}/{version}/namespaces/shop/{resource}"),
            list(vec![]),
        );
    }
}

/// A kind that needs discovery, and an object of it that has one pod of two.
fn workers(set: &mut impl FnMut(&str, Value) -> Option<Value>) {
    let version = json!({"groupVersion": "example.com/v1", "version": "v1"});
    set(
        "/apis/example.com",
        json!({"kind": "APIGroup", "name": "example.com", "versions": [version], "preferredVersion": version}),
    );
    set(
        "/apis/example.com/v1",
        json!({"kind": "APIResourceList", "resources": [
            {"name": "workers", "kind": "Worker", "namespaced": true},
            {"name": "workers/scale", "kind": "Scale", "namespaced": true},
        ]}),
    );
    let object = json!({
        "apiVersion": "example.com/v1", "kind": "Worker",
        "metadata": {"name": "worker", "namespace": "shop"}, "spec": {"replicas": 2}, "status": {"replicas": 1},
    });
    let path = "/apis/example.com/v1/namespaces/shop/workers";
    set(&format!("{path}/worker"), object.clone());
    set(path, list(vec![object]));
    set(
        &format!("{path}/worker/scale"),
        json!({"spec": {"replicas": 2}, "status": {"replicas": 1, "selector": "app=worker"}}),
    );
}
