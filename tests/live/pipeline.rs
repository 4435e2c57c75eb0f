//! The metrics pipeline: which servers serve the metrics, which cause of `<unknown>` it is, and what adapters answer.

use serde_json::json;

use crate::{
    cluster::{Cluster, eventually, succeed},
    manifest::{average, deployment, hpa, value},
    namespace::{Namespace, namespace, namespace_in},
};

/// What the page with `-v` says, in one line.
fn everything(namespace: &Namespace) -> String {
    let page = namespace.explain("web", ["-v"]);
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(page: &str, text: &str) {
    assert!(page.contains(text), "no {text:?} in\n{page}");
}

#[test]
fn each_cause_of_unknown_is_distinguished() {
    let namespace = namespace("pipeline-causes");
    namespace.metrics(&json!({"apis": {"metrics.k8s.io": "503"}}));
    namespace.apply([
        deployment("web", 4).pods("cpu", "30m").object(),
        hpa("web").cpu(60).object(),
    ]);
    // The API is there, its server answers with an error.
    let decision = namespace.decides("4 → 4: SucceededGetScale !FailedGetResourceMetric");
    decision.page_says([
        "cpu: Service kube-system/testcluster-metrics has been available since",
        "but answered 503 in",
        "Ask it: kubectl get --raw",
    ]);

    // It answers, with nothing.
    namespace.metrics(&json!({"apis": {"metrics.k8s.io": "ok"}}));
    namespace.annotate_pods("web", "no-metrics", "true");
    let decision = namespace.decides("4 → 4: SucceededGetScale !FailedGetResourceMetric");
    decision.page_says([
        "no metrics returned from resource metrics API",
        "without metrics of the 4 pods that app=web matches",
    ]);

    // It answers, but one container of one pod has no request.
    namespace.annotate_pods("web", "no-metrics", "false");
    // Of several such pods the controller names any.
    namespace.apply([deployment("web", 1)
        .pods("cpu", "30m")
        .container("proxy", json!({}))
        .object()]);
    let decision = namespace.decides("1 → 1: SucceededGetScale !FailedGetResourceMetric");
    decision.page_says([
        "missing request for cpu in container proxy",
        "cpu: Service kube-system/testcluster-metrics answered in",
        "with a sample of the only pod: it is not why TARGETS shows <unknown>.",
    ]);
    says(
        &everything(&namespace),
        "FailedGetResourceMetric in Events since",
    );

    // Everything works again, but the last status does not show it yet.
    namespace.apply([deployment("web", 4)
        .pods("cpu", "60m")
        .pods("metrics-age", "10s")
        .object()]);
    let decision =
        namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "all of them can be read here now, but the controller last wrote FailedGetResourceMetric since",
    ]);
    let page = everything(&namespace);
    for text in [
        "cpu: v1beta1.metrics.k8s.io: Service kube-system/testcluster-metrics, available since",
        "cpu: samples of all 4 pods,",
        "old, over 15 s each",
        "a change of load counts in full after up to",
    ] {
        says(&page, text);
    }
}

#[test]
fn samples_that_are_old_or_absent_are_named() {
    let namespace = namespace("pipeline-ages");
    namespace.apply([
        deployment("web", 4)
            .pods("cpu", "60m")
            .pods("metrics-age", "570s")
            .object(),
        hpa("web").cpu(60).object(),
    ]);
    let pods = namespace.list("pods");
    let name = |index: usize| pods[index]["metadata"]["name"].as_str().unwrap();
    let decision =
        namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says(["cpu: every sample is old, the oldest 9 min"]);

    for pod in &pods[..2] {
        namespace.annotate_pod(pod, "metrics-age", "5s");
    }
    namespace.annotate_pod(&pods[2], "no-metrics", "true");
    let decision =
        namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        &format!("old samples: {} (9 min)", name(3)),
        &format!("{} has run for more than 2 min without a sample", name(2)),
    ]);
    let page = everything(&namespace);
    says(&page, "cpu: samples of 3 of the 4 pods");
    says(&page, &format!("no metrics: {}", name(2)));
    says(&page, &format!("the oldest first: {} 9 min", name(3)));
}

#[test]
fn adapters_that_answer_with_nothing_are_quoted_with_the_request() {
    let namespace = namespace("pipeline-adapters");
    namespace.metrics(&json!({"external": [
        {"metric": "queue_depth", "labels": {"queue": "mail"}, "value": "30"},
    ]}));
    let requests = json!({"metric": {"name": "http_requests"}, "target": average("100")});
    let metric = json!({"name": "queue_depth", "selector": {"matchLabels": {"queue": "mial"}}});
    namespace.apply([
        deployment("web", 2).object(),
        hpa("web")
            .metric("Pods", "pods", requests)
            .metric(
                "External",
                "external",
                json!({"metric": metric, "target": average("10")}),
            )
            .object(),
    ]);
    let decision = namespace.decides("2 → 2: SucceededGetScale !FailedGetPodsMetric");
    decision.page_says([
        "Pods metric http_requests and External metric queue_depth",
        "http_requests: Service kube-system/testcluster-metrics has been available since",
        "but answered 404 in",
        "Adapter kube-system/testcluster-metrics has no metric http_requests: check its name",
        "with no series of queue_depth that queue=mial matches",
    ]);
    let around = decision.page["around"].to_string();
    for path in [
        "/apis/custom.metrics.k8s.io/v1beta2/namespaces/pipeline-adapters/pods/*/http_requests?labelSelector=app%3Dweb",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/pipeline-adapters/queue_depth?labelSelector=queue%3Dmial",
    ] {
        says(&around, &format!("Ask it: kubectl get --raw '{path}'"));
    }
}

#[test]
fn object_target_of_the_wrong_type_is_accepted_and_fails() {
    let namespace = namespace("pipeline-object");
    namespace.metrics(
        &json!({"custom": [{"metric": "hits", "object": "services/frontend", "value": "200"}]}),
    );
    let source = |target_type: &str| {
        json!({
            "metric": {"name": "hits"},
            "describedObject": {"apiVersion": "v1", "kind": "Service", "name": "frontend"},
            "target": {"type": target_type, "averageValue": "100"},
        })
    };
    let web = |target_type: &str| {
        hpa("web")
            .metric("Object", "object", source(target_type))
            .down_at_once()
            .object()
    };
    namespace.apply([deployment("web", 4).object(), web("Value")]);
    let decision = namespace.decides("4 → 4: SucceededGetScale !FailedGetObjectMetric");
    decision.page_says([
        "neither a value target nor an average value target was set",
        "target.type is Value, but the field that is set is averageValue",
        "Set target.type to AverageValue; then it asks for 2.",
    ]);
    namespace.apply([web("AverageValue")]);
    namespace.pass_begun_before_the_edit();
    namespace.decides("4 → 2: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn value_and_average_value_are_reported_side_by_side() {
    let namespace = namespace("pipeline-value");
    namespace.metrics(&json!({"external": [
        {"metric": "queue_depth", "labels": {"queue": "mail"}, "value": "30"},
        {"metric": "queue_depth", "labels": {"queue": "spam"}, "value": "2500m"},
        {"metric": "queue_depth", "value": "10"},
    ]}));
    let web = |target| hpa("web").external("queue_depth", target).object();
    namespace.apply([deployment("web", 3).object(), web(average("10"))]);
    let page = everything(&namespace);
    for text in [
        "queue_depth: 42.5 in all, of 3 series: 30 of {queue=mail}, 2.5 of {queue=spam} and 10 without labels",
        "AverageValue 10 asks for 5 (total ÷ target); Value 10 would ask for 13 (ratio × ready pods)",
        "asked with kubectl get --raw",
    ] {
        says(&page, text);
    }
    // Read only if a metric gives no value.
    assert!(!page.contains("It lists"), "{page}");
    namespace.decides("3 → 5: SucceededRescale ValidMetricFound !DesiredWithinRange");
    namespace.apply([web(value("10"))]);
    namespace.pass_begun_before_the_edit();
    says(
        &everything(&namespace),
        "Value 10 asks for 22 (ratio × ready pods); AverageValue 10 would ask for 5 (total ÷ target)",
    );
    namespace.decides("5 → 10: SucceededRescale ValidMetricFound TooManyReplicas");
}

#[test]
fn one_broken_metric_of_several_is_reported_with_what_the_others_ask_for() {
    let namespace = namespace("pipeline-several");
    let memory = json!({"type": "Utilization", "averageUtilization": 50});
    namespace.apply([
        deployment("web", 4)
            .pods("cpu", "20m")
            .pods("memory", "75Mi")
            .object(),
        hpa("web")
            .cpu(60)
            .resource("memory", memory)
            .external("queue_depth", average("10"))
            .down_at_once()
            .object(),
    ]);
    namespace.pass();
    let decision = namespace.decides("4 → 4: SucceededGetScale !FailedGetExternalMetric");
    decision.page_says([
        "CANNOT SCALE DOWN, stays at 4",
        "External metric queue_depth cannot be read, and memory asks for 3 replicas: an HPA does not scale down while a metric \
         fails, \
         held (since",
        "no metrics returned from external metrics API",
        "cpu 2 · memory 3 · queue_depth failed",
        "queue_depth: Service kube-system/testcluster-metrics answered in",
    ]);
    says(
        &everything(&namespace),
        "FailedGetExternalMetric in Events since",
    );
    // It scales up anyway.
    namespace.annotate_pods("web", "memory", "150Mi");
    let decision =
        namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "queue_depth cannot be read: only scaling up works",
        "the highest of cpu 2 · memory 6 · queue_depth failed",
    ]);
}

#[test]
fn api_that_is_not_installed_and_one_that_is_down_are_distinguished() {
    let cluster = Cluster::with_hidden_flags("pipeline", &["--without=custom.metrics.k8s.io"]);
    let settings = json!({"apis": {"external.metrics.k8s.io": "down"}});
    cluster.apply(&[json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "testcluster-metrics", "namespace": "kube-system"},
        "data": {"metrics.yaml": settings.to_string()},
    })]);
    let name = "v1beta1.external.metrics.k8s.io";
    let condition = "jsonpath={.status.conditions[?(@.type=='Available')].status}";
    eventually("the API service is unavailable", || {
        let mut get = cluster.kubectl(["get", "apiservice", name, "--output", condition]);
        (succeed(&mut get) == "False").then_some(())
    });
    let namespace = namespace_in(&cluster, "shop");
    let requests = json!({"metric": {"name": "http_requests"}, "target": average("100")});
    namespace.apply([
        deployment("web", 4).pods("cpu", "20m").object(),
        hpa("web")
            .cpu(60)
            .metric("Pods", "pods", requests)
            .external("queue_depth", average("10"))
            .object(),
    ]);
    let decision = namespace.decides("4 → 4: SucceededGetScale !FailedGetPodsMetric");
    decision.page_says([
        "Pods metric http_requests and External metric queue_depth cannot be read, and CPU asks for 2 replicas",
        "Cause: no adapter for Pods and Object metrics is installed (no API service serves custom.metrics.k8s.io).",
        "cpu 2 · http_requests failed · queue_depth failed",
        "queue_depth: Service kube-system/testcluster-metrics, which serves API service v1beta1.external.metrics.k8s.io, is not available since",
        "FailedDiscoveryCheck: ",
    ]);
    let report = namespace.lint(["--select=HPA701", "web"]);
    let findings = report["findings"].as_array().unwrap();
    let [missing, down] = &findings[..] else {
        panic!("{report:#}");
    };
    assert_eq!(missing["path"], "spec.metrics[1]");
    assert_eq!(
        missing["message"],
        "API service v1beta1.custom.metrics.k8s.io is missing, so the HPA cannot read its metrics"
    );
    assert_eq!(down["path"], "spec.metrics[2]");
    let message = down["message"].as_str().unwrap();
    let not_available =
        "API service v1beta1.external.metrics.k8s.io is not available (FailedDiscoveryCheck: ";
    assert!(message.starts_with(not_available), "{message}");
}
