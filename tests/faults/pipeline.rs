//! Metrics APIs that are not installed, down, or lack the metric that an HPA uses.

use serde_json::{Value, json};

use crate::{
    plugin::Plugin,
    server::{Answer, Server},
    world::{self, API_SERVICES, EXTERNAL_METRICS, HPAS, POD_METRICS, forbidden, list, status},
};

/// The page with these words, on one line, without the spaces inside of wrapped paths.
fn page(server: &Server, words: &[&str]) -> String {
    let words: Vec<&str> = ["explain", "web"].iter().chain(words).copied().collect();
    let run = Plugin::of(server).run(&words);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(page: &str, text: &str) {
    assert!(page.contains(text), "no {text:?} in\n{page}");
}

/// An API service with the status of its condition Available.
fn api_service(version: &str, group: &str, service: &str, available: &str) -> Value {
    let (namespace, name) = service.split_once('/').unwrap();
    json!({
        "metadata": {"name": format!("{version}.{group}")},
        "spec": {"group": group, "version": version, "service": {"namespace": namespace, "name": name}},
        "status": {"conditions": [{
            "type": "Available", "status": available, "lastTransitionTime": "2026-01-01T11:30:00Z",
            "reason": if available == "True" { "Passed" } else { "MissingEndpoints" },
            "message": if available == "True" { "all checks passed" } else {
                "endpoints for service/metrics-server in \"kube-system\" have no addresses with port name \"https\""
            },
        }]},
    })
}

/// A server with an HPA that uses the external metric `queue_depth`, and this answer for it.
fn with_queue(answer: Answer, services: Vec<Value>) -> Server {
    let server = Server::start();
    let mut hpa = world::hpa("web");
    hpa["spec"]["metrics"] = json!([{"type": "External", "external": {
        "metric": {"name": "queue_depth"}, "target": {"type": "AverageValue", "averageValue": "10"},
    }}]);
    server
        .set_json(HPAS, &list(vec![hpa]))
        .set_json(API_SERVICES, &list(services))
        .set(EXTERNAL_METRICS, answer);
    server
}

#[test]
fn absent_unavailable_and_failing_servers_are_distinguished() {
    let server = Server::start();
    server.set_date("Thu, 01 Jan 2026 12:00:00 GMT");
    server.set(
        POD_METRICS,
        Answer::text(404, "text/plain", "404 page not found\n"),
    );
    let absent = page(&server, &[]);
    says(
        &absent,
        "Cause: metrics-server is not installed (no API service serves metrics.k8s.io).",
    );

    let metrics_server = |available| {
        list(vec![api_service(
            "v1beta1",
            "metrics.k8s.io",
            "kube-system/metrics-server",
            available,
        )])
    };
    server
        .set(
            POD_METRICS,
            Answer::text(503, "text/plain", "service unavailable\n"),
        )
        .set_json(API_SERVICES, &metrics_server("False"));
    let down = page(&server, &[]);
    says(
        &down,
        "Cause: metrics-server serves it and is not available since 11:30:00 (30 min).",
    );
    says(
        &down,
        "cpu: Service kube-system/metrics-server (metrics-server, by its name), which serves API service \
         v1beta1.metrics.k8s.io, is not available since 11:30:00 (30 min): MissingEndpoints: endpoints for \
         service/metrics-server in \"kube-system\" have no addresses with port name \"https\".",
    );

    server
        .set(POD_METRICS, Answer::text(500, "text/plain", "boom"))
        .set_json(API_SERVICES, &metrics_server("True"));
    let failing = page(&server, &[]);
    says(
        &failing,
        "has been available since 11:30:00 (30 min), but answered 500 in",
    );
    says(&failing, "an error on the server (\"boom\")");
}

#[test]
fn without_the_right_to_api_services_one_line_says_what_is_missing() {
    let server = Server::start();
    server
        .set(API_SERVICES, Answer::status(&forbidden("apiservices")))
        .set(world::EVENTS, Answer::status(&forbidden("events")))
        .set(
            POD_METRICS,
            Answer::text(503, "text/plain", "service unavailable\n"),
        );
    let short = page(&server, &[]);
    says(&short, "metrics.k8s.io answered 503 in");
    says(
        &short,
        "whether it is installed, and who serves it, cannot be read here",
    );
    says(
        &short,
        "events and API services (optional; -v names the permissions)",
    );
    assert_eq!(short.matches("not read").count(), 1, "{short}");
    let everything = page(&server, &["-v"]);
    says(
        &everything,
        r#"API services: needs permission to list apiservices in API group apiregistration.k8s.io, all namespaces: {apiGroups: ["apiregistration.k8s.io"], resources: ["apiservices"], verbs: ["list"]}"#,
    );
}

#[test]
fn adapter_that_lists_the_metric_by_another_name_is_queried_once() {
    let missing = status(
        404,
        "NotFound",
        "the server could not find the metric queue_depth",
    );
    let adapter = api_service(
        "v1beta1",
        "external.metrics.k8s.io",
        "monitoring/prometheus-adapter",
        "True",
    );
    let server = with_queue(Answer::status(&missing), vec![adapter]);
    let names = |names: &[&str]| {
        let resources: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        json!({"kind": "APIResourceList", "resources": resources})
    };
    let discovery = "/apis/external.metrics.k8s.io/v1beta1";
    server.set_json(
        discovery,
        &names(&["mail_queue_depth", "orders", "Queue-Depth"]),
    );
    let other = page(&server, &[]);
    says(
        &other,
        "prometheus-adapter lists 3 metrics, but not queue_depth; like it: Queue-Depth and mail_queue_depth.",
    );
    assert_eq!(server.count(discovery), 1);
    assert!(server.decisive().len() <= 10);

    server.set_json(discovery, &names(&["queue_depth"]));
    says(
        &page(&server, &[]),
        "prometheus-adapter lists queue_depth: the name is right, but it has no value for this query.",
    );
    server.set_json(discovery, &names(&["externalmetrics"]));
    says(
        &page(&server, &[]),
        "prometheus-adapter lists one name for all its metrics, so a wrong name cannot be seen.",
    );
    server.set(discovery, Answer::text(503, "text/plain", "no"));
    says(
        &page(&server, &[]),
        "prometheus-adapter cannot list its metrics either: the server is currently unable to handle the request.",
    );
}

#[test]
fn usual_adapters_are_recognized_by_their_names_and_named() {
    for (service, product) in [
        (
            "keda/keda-operator-metrics-apiserver",
            "KEDA's metrics API server",
        ),
        (
            "default/datadog-cluster-agent-metrics-api",
            "Datadog Cluster Agent",
        ),
        ("monitoring/prometheus-adapter", "prometheus-adapter"),
    ] {
        let api = api_service("v1beta1", "external.metrics.k8s.io", service, "True");
        let value = json!({"metricName": "queue_depth", "metricLabels": {}, "timestamp": "2026-01-01T00:00:00Z", "value": "20"});
        let server = with_queue(Answer::json(&list(vec![value])), vec![api]);
        server.set_date("Thu, 01 Jan 2026 12:00:00 GMT");
        let page = page(&server, &["-v"]);
        says(
            &page,
            &format!(
                "Service {service} ({product}, by its name), available since 11:30:00 (30 min); answered in"
            ),
        );
        says(
            &page,
            "queue_depth: its value is 12 h old: the decision reflects that time",
        );
        assert_eq!(server.count("/apis/external.metrics.k8s.io/v1beta1"), 0);
    }
}
