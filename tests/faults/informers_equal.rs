//! The state of the watches equals a fresh read of everything.

use hpa_cluster::{Client, GatherScope, InformerChange, Informers, SnapshotDetail, gather};
use serde_json::{Value, json};

use crate::{
    informers::{
        DEPLOYMENTS, EVENTS, HPAS, PODS, SETS, against, event, hpa, poll, replica_set, selection,
        server, snapshot, until,
    },
    living::Living,
    world::{self, status},
};

/// Objects that do not contain their scale.
pub(crate) const WIDGETS: &str = "/apis/example.com/v1/widgets";
const EXTERNAL: &str = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue_depth";
const CUSTOM: &str = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/requests";

/// Reads everything again, and compares.
async fn compare(informers: &mut Informers<'_>, client: &Client, names: &[&str], when: &str) {
    poll(informers).await;
    let anew = gather(
        client,
        selection(names),
        SnapshotDetail::Redacted,
        GatherScope::Decision,
    )
    .await
    .unwrap();
    for anew in anew {
        let key = hpa(&anew.hpa.metadata.name);
        let known = informers.snapshot(&key).unwrap();
        let [mut anew, mut known] = [anew, known].map(|one| serde_json::to_value(one).unwrap());
        for one in [&mut anew, &mut known] {
            for field in ["time", "requests", "clockSkewSeconds"] {
                one.as_object_mut().unwrap().remove(field);
            }
            // Without a scale no selectors are compared.
            if one["scaleError"].is_object() {
                one.as_object_mut().unwrap().remove("otherHpas");
            }
        }
        let differences: Vec<_> = anew
            .as_object()
            .unwrap()
            .keys()
            .chain(known.as_object().unwrap().keys())
            .filter(|field| anew[*field] != known[*field])
            .map(|field| format!("{field}: {} instead of {}", known[field], anew[field]))
            .collect();
        assert!(differences.is_empty(), "{key} {when}: {differences:#?}");
    }
}

/// With two metrics: with more, `explain` has no request left for ReplicaSets.
fn with_metrics(name: &str, first: Value) -> Value {
    let mut hpa = world::hpa(name);
    let cpu = hpa["spec"]["metrics"][0].clone();
    hpa["spec"]["metrics"] = json!([first, cpu]);
    hpa["status"]["conditions"] = json!([{
        "type": "ScalingActive", "status": "True", "reason": "ValidMetricFound", "lastTransitionTime": "2026-01-01T00:00:00Z",
    }]);
    hpa
}

fn external() -> Value {
    json!({"type": "External", "external": {"metric": {"name": "queue_depth"}, "target": {"type": "AverageValue", "averageValue": "10"}}})
}

/// A Pods metric.
pub(crate) fn of_pods() -> Value {
    json!({"type": "Pods", "pods": {"metric": {"name": "requests"}, "target": {"type": "AverageValue", "averageValue": "10"}}})
}

fn requests_of(pods: &[&str]) -> Value {
    let items = pods.iter().map(|pod| {
        json!({
            "describedObject": {"kind": "Pod", "namespace": "shop", "name": pod, "apiVersion": "/v1"},
            "metric": {"name": "requests"}, "timestamp": "2026-01-02T00:00:00Z", "value": "12",
        })
    });
    world::list(items.collect())
}

/// Makes the server know custom and external metrics.
pub(crate) fn metrics(server: &Living) {
    let versions = json!([{"groupVersion": "custom.metrics.k8s.io/v1beta2", "version": "v1beta2"}]);
    server.answer(
        "/apis/custom.metrics.k8s.io",
        json!({"kind": "APIGroup", "name": "custom.metrics.k8s.io", "versions": versions, "preferredVersion": versions[0]}),
    );
    server.answer(CUSTOM, requests_of(&["web-a", "web-b"]));
    let item = json!({"metricName": "queue_depth", "metricLabels": {}, "timestamp": "2026-01-02T00:00:00Z", "value": "35"});
    server.answer(EXTERNAL, world::list(vec![item]));
}

#[test]
fn snapshot_of_watches_is_what_a_new_read_of_everything_gives() {
    let server = server();
    metrics(&server);
    // Two HPAs on one target, and a third whose target selects the same pods and more.
    server.put(HPAS, with_metrics("web", of_pods()));
    server.put(HPAS, with_metrics("rival", external()));
    server.put(
        EVENTS,
        event("b", "SuccessfulRescale", "2026-01-01T00:00:00Z"),
    );
    server.put(
        EVENTS,
        event("a", "SuccessfulRescale", "2026-01-01T00:01:00Z"),
    );
    let mut all = world::deployment();
    all["metadata"]["name"] = json!("all");
    all["spec"]["selector"] = json!({"matchLabels": {"app": "web"}});
    server.put(DEPLOYMENTS, all);
    let mut third = with_metrics("third", of_pods());
    third["spec"]["scaleTargetRef"]["name"] = json!("all");
    server.put(HPAS, third);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&[])).await.unwrap();
        compare(&mut informers, client, &[], "at first").await;

        server.edit(DEPLOYMENTS, "web", |web| {
            web["spec"]["replicas"] = json!(3);
            web["status"]["replicas"] = json!(3);
            web["metadata"]["managedFields"] = json!([{
                "manager": "kubectl-scale", "operation": "Update", "time": "2026-01-02T00:00:00Z",
                "fieldsV1": {"f:spec": {"f:replicas": {}}},
            }]);
        });
        server.edit(HPAS, "web", |hpa| {
            hpa["spec"]["maxReplicas"] = json!(20);
            hpa["metadata"]["managedFields"] = json!([
                {"manager": "kubectl-edit", "operation": "Update", "time": "2026-01-02T00:00:00Z", "fieldsV1": {"f:spec": {"f:maxReplicas": {}}}},
                {"manager": "kube-controller-manager", "operation": "Update", "subresource": "status", "time": "2026-01-02T00:00:05Z", "fieldsV1": {"f:status": {}}},
            ]);
        });
        server.edit(PODS, "web-b", |pod| {
            pod["status"]["conditions"][0]["status"] = json!("False");
        });
        let mut failing = replica_set("web-2", 0);
        failing["status"]["conditions"] =
            json!([{"type": "ReplicaFailure", "status": "True", "message": "exceeded quota"}]);
        server.put(SETS, failing);
        server.put(SETS, replica_set("web-0", 0));
        server.put(
            EVENTS,
            event("c", "FailedGetResourceMetric", "2026-01-02T00:00:00Z"),
        );
        server.put(PODS, world::pod("web-z"));
        until(&mut informers, "all of that", |informers, _| {
            let snapshot = snapshot(informers);
            let target = snapshot.target.as_ref().unwrap();
            snapshot.pods.len() == 3
                && snapshot.kubernetes_events.len() == 3
                && target.intermediate_owners.len() == 2
                && snapshot.scale.as_ref().unwrap().spec.replicas == 3
                && snapshot.hpa.spec.max_replicas == 20
                && snapshot
                    .pods
                    .iter()
                    .any(|pod| pod.status.conditions[0].status == "False")
        })
        .await;
        compare(&mut informers, client, &[], "after changes").await;

        // A metric that only other pods have: the controller's answer.
        server.answer(CUSTOM, requests_of(&["elsewhere"]));
        let no_metrics = status(
            503,
            "ServiceUnavailable",
            "the server is currently unable to handle the request",
        );
        server.answer(world::POD_METRICS, no_metrics);
        server.delete(DEPLOYMENTS, "web");
        until(&mut informers, "the end of the target", |informers, _| {
            snapshot(informers).scale_error.is_some()
        })
        .await;
        compare(&mut informers, client, &[], "without metrics and target").await;
    });
}

/// Makes the server know the kind `Widget`.
pub(crate) fn know_widgets(server: &Living) {
    server.answer(
        "/apis/example.com",
        json!({"kind": "APIGroup", "name": "example.com", "versions": [{"groupVersion": "example.com/v1", "version": "v1"}]}),
    );
    server.answer(
        "/apis/example.com/v1",
        json!({"kind": "APIResourceList", "resources": [
            {"name": "widgets", "kind": "Widget", "namespaced": true},
            {"name": "widgets/scale", "kind": "Scale", "namespaced": true},
        ]}),
    );
}

/// An HPA that scales a widget.
pub(crate) fn hpa_of_widget(name: &str, widget: &str) -> Value {
    let mut hpa = world::hpa(name);
    hpa["spec"]["scaleTargetRef"] =
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "name": widget});
    hpa
}

/// A widget with two replicas.
pub(crate) fn widget(name: &str) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": name, "namespace": "shop"},
        "spec": {"replicas": 2}, "status": {"replicas": 2, "podSelector": "app=web"},
    })
}

#[test]
fn scale_that_an_object_does_not_tell_is_read_when_the_object_changes() {
    let server = server();
    know_widgets(&server);
    let widget = widget("w");
    server.put(WIDGETS, widget.clone());
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        server.put(HPAS, hpa_of_widget("web", "w"));
        let scale = |informers: &Informers<'_>| snapshot(informers).scale;
        until(
            &mut informers,
            "the scale of a kind that is new",
            |informers, _| {
                let target = snapshot(informers).target;
                target.is_some_and(|target| target.kind == "Widget") && scale(informers).is_some()
            },
        )
        .await;
        compare(&mut informers, client, &["web"], "with a widget").await;
        assert_eq!(snapshot(&informers).pods.len(), 2);

        let path = "/apis/example.com/v1/namespaces/shop/widgets/w/scale";
        let before = server.count(&[path]);
        let mut changed = widget;
        changed["spec"]["replicas"] = json!(7);
        server.put(WIDGETS, changed);
        let reported = until(&mut informers, "the new scale", |informers, _| {
            scale(informers).is_some_and(|scale| scale.spec.replicas == 7)
        })
        .await;
        assert!(
            reported.contains(&InformerChange::Around(hpa("web"))),
            "{reported:?}"
        );
        assert_eq!(server.count(&[path]), before + 1);
        compare(&mut informers, client, &["web"], "with more of it").await;
    });
}
