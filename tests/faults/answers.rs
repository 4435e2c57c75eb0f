//! Answers that are late, wrong, truncated or of another time.

use std::time::Duration;

use serde_json::json;

use crate::{
    plugin::{Plugin, not_read},
    server::{Answer, Server},
    world::{self, EVENTS, HPAS, POD_METRICS, PODS, SCALE, TARGET, status, usage},
};

#[test]
fn snapshot_has_what_decides_and_nothing_secret() {
    let server = Server::start();
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(snapshot["hpa"]["metadata"]["name"], "web");
    assert_eq!(snapshot["scale"]["status"]["selector"], "app=web");
    assert_eq!(snapshot["pods"].as_array().unwrap().len(), 2);
    assert_eq!(
        snapshot["podMetrics"]["items"][0]["containers"][0]["usage"]["cpu"],
        "50m"
    );
    assert_eq!(
        snapshot["target"]["replicasWrittenBy"][0]["manager"],
        "argocd"
    );
    assert_eq!(snapshot["controller"]["provenance"]["version"], "inferred");
    assert_eq!(snapshot.get("notRead"), None);
    assert!(!snapshot.to_string().contains("hunter2"));
}

#[test]
fn whole_answers_are_kept_on_request_only() {
    let server = Server::start();
    let snapshot = Plugin::of(&server).capture(&["web", "--no-redact"]);
    assert!(snapshot["answers"].to_string().contains("hunter2"));
    assert!(!snapshot["pods"].to_string().contains("hunter2"));
}

#[test]
fn one_hpa_takes_at_most_ten_requests_and_one_for_each_kind_around_it() {
    let server = Server::start();
    Plugin::of(&server).run(&["explain", "web"]);
    let decisive = server.decisive();
    assert!(decisive.len() <= 10, "{decisive:?}");
    let seen = server.seen();
    for request in &seen {
        let same = seen
            .iter()
            .filter(|other| other.path == request.path)
            .count();
        assert_eq!(same, 1, "{}", request.path);
    }
    let metrics = seen
        .iter()
        .find(|seen| seen.path.starts_with(POD_METRICS))
        .unwrap();
    assert!(
        metrics.path.ends_with("/pods?labelSelector=app%3Dweb"),
        "{}",
        metrics.path
    );
}

#[test]
fn absent_metrics_api_is_the_error_that_the_controller_gets() {
    let server = Server::start();
    server.set(
        POD_METRICS,
        Answer::text(404, "text/plain", "404 page not found\n"),
    );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        snapshot["podMetrics"]["error"]["message"],
        "the server could not find the requested resource (get pods.metrics.k8s.io)"
    );
}

#[test]
fn unavailable_metrics_api_is_requested_once() {
    let server = Server::start();
    server.set(
        POD_METRICS,
        Answer::text(503, "text/plain", "service unavailable\n"),
    );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        snapshot["podMetrics"]["error"]["message"],
        "the server is currently unable to handle the request (get pods.metrics.k8s.io)"
    );
    assert_eq!(server.count(POD_METRICS), 1);
}

#[test]
fn quantity_that_no_client_can_read_makes_an_error_of_the_answer() {
    let server = Server::start();
    server.set_json(
        POD_METRICS,
        &world::list(vec![usage("web-a", "50m"), usage("web-b", "lots")]),
    );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let message = snapshot["podMetrics"]["error"]["message"].as_str().unwrap();
    assert!(message.contains("quantities must match"), "{message}");
}

#[test]
fn deleted_target_is_the_error_that_the_controller_gets() {
    let server = Server::start();
    let deleted = status(404, "NotFound", "deployments.apps \"web\" not found");
    server
        .set(SCALE, Answer::status(&deleted))
        .set(TARGET, Answer::status(&deleted));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        snapshot["scaleError"]["message"],
        "deployments.apps \"web\" not found"
    );
    assert_eq!(snapshot.get("notRead"), None);
    assert_eq!(
        server.count(PODS),
        0,
        "without a selector there are no pods"
    );
}

#[test]
fn slow_metrics_are_waited_for_only_so_long() {
    let server = Server::start();
    let slow = Answer::json(&world::list(vec![])).after(Duration::from_mins(1));
    server.set(POD_METRICS, slow);
    let snapshot = Plugin::of(&server).capture(&["web", "--request-timeout", "300ms"]);
    let why = not_read(&snapshot, "podMetrics")["why"].as_str().unwrap();
    assert_eq!(
        why,
        format!(
            "{} gave no answer within 300ms (--request-timeout)",
            server.url()
        )
    );
    assert_eq!(snapshot["pods"].as_array().unwrap().len(), 2);
}

#[test]
fn slow_hpa_is_an_error() {
    let server = Server::start();
    server.set(
        HPAS,
        Answer::json(&world::list(vec![])).after(Duration::from_mins(1)),
    );
    let run = Plugin::of(&server).run(&["capture", "web", "--request-timeout", "200ms"]);
    run.fails_with(&format!(
        "{} gave no answer within 200ms (--request-timeout)",
        server.url()
    ));
}

#[test]
fn page_of_a_proxy_is_no_answer_of_the_api() {
    let server = Server::start();
    server.set(
        HPAS,
        Answer::text(200, "text/html", "<html>please log in</html>"),
    );
    let run = Plugin::of(&server).run(&["capture", "web"]);
    run.fails_with(&format!(
        "{} answers text/html instead of the Kubernetes API's JSON",
        server.url()
    ));
}

#[test]
fn answer_that_ends_early_says_so() {
    let server = Server::start();
    let whole = world::list(vec![world::pod("web-a")]).to_string();
    server.set(PODS, Answer::text(200, "application/json", &whole[..100]));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let why = not_read(&snapshot, "pods")["why"].as_str().unwrap();
    assert_eq!(
        why,
        format!("the answer of {} ends early, after 100 bytes", server.url())
    );
}

#[test]
fn connection_that_breaks_off_says_so() {
    let server = Server::start();
    server.set(
        PODS,
        Answer::json(&world::list(vec![world::pod("web-a")])).broken_off(),
    );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let why = not_read(&snapshot, "pods")["why"].as_str().unwrap();
    let start = format!(
        "the connection to {} broke off in the middle of an answer: ",
        server.url()
    );
    assert!(why.starts_with(&start), "{why}");
}

#[test]
fn answer_of_the_wrong_shape_names_the_mistake() {
    let server = Server::start();
    server.set_json(PODS, &json!({"items": [{"metadata": {"name": 7}}]}));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let why = not_read(&snapshot, "pods")["why"].as_str().unwrap();
    assert!(why.contains("expected a string"), "{why}");
}

#[test]
fn broken_events_cost_the_events_only() {
    let server = Server::start();
    server.set(EVENTS, Answer::text(500, "text/plain", "boom"));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert!(
        not_read(&snapshot, "kubernetesEvents")["why"]
            .as_str()
            .unwrap()
            .contains("boom")
    );
    assert_eq!(snapshot["pods"].as_array().unwrap().len(), 2);
}

#[test]
fn clock_of_the_server_is_the_clock() {
    let server = Server::start();
    server.set_date("Thu, 01 Jan 2026 12:00:00 GMT");
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let time = snapshot["time"].as_str().unwrap();
    assert!(time.starts_with("2026-01-01T12:00:0"), "{time}");
    assert!(snapshot["clockSkewSeconds"].as_f64().unwrap() < -3600.0);
}

#[test]
fn version_that_is_not_known_yet_is_recomputed_as_the_newest_and_says_so() {
    let server = Server::start();
    server.set_json(
        "/version",
        &json!({"gitVersion": "v1.61.0", "platform": "linux/arm64"}),
    );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(snapshot["controller"]["version"], "1.38");
    assert_eq!(snapshot["controller"]["architecture"], "arm64");
    let why = not_read(&snapshot, "controller.version")["why"]
        .as_str()
        .unwrap();
    assert!(why.contains("1.61"), "{why}");
    let given = Plugin::of(&server).capture(&["web", "--kube-version", "1.30"]);
    assert_eq!(given["controller"]["version"], "1.30");
    assert_eq!(given.get("notRead"), None);
}

#[test]
fn flags_of_the_controller_are_seen_in_its_pod() {
    let server = Server::start();
    let pod = json!({"metadata": {"name": "kube-controller-manager-a"}, "spec": {"nodeName": "a", "containers": [{
        "image": "registry.k8s.io/kube-controller-manager:v1.35.2",
        "command": ["kube-controller-manager", "--horizontal-pod-autoscaler-tolerance=0.25", "--feature-gates=HPAScaleToZero=true"],
    }]}});
    server.set_json(
        "/api/v1/namespaces/kube-system/pods",
        &world::list(vec![pod]),
    );
    let snapshot = Plugin::of(&server).capture(&["web", "--assume-sync-period", "20s"]);
    let controller = &snapshot["controller"];
    assert_eq!(controller["version"], "1.35.2");
    assert_eq!(controller["tolerance"], 0.25);
    assert_eq!(controller["provenance"]["tolerance"], "observed");
    assert_eq!(controller["featureGates"]["HPAScaleToZero"], true);
    assert_eq!(controller["syncPeriodSeconds"], 20.0);
    assert_eq!(
        controller["provenance"].get("syncPeriodSeconds"),
        None,
        "what is given needs no word"
    );
}

#[test]
fn list_without_an_end_is_reported_and_the_rest_is_still_there() {
    let server = Server::start();
    let mut full = world::list(vec![world::pod("web-a")]);
    full["metadata"]["continue"] = json!("again");
    let mut empty = world::list(vec![]);
    empty["metadata"]["continue"] = json!("again");
    for pods in [full, empty] {
        server.set_json(PODS, &pods);
        let before = server.count(PODS);
        let snapshot = Plugin::of(&server).capture(&["web"]);
        assert_eq!(
            not_read(&snapshot, "pods")["why"],
            format!(
                "the list of pods of {} has no end: its continue token repeats",
                server.url()
            )
        );
        assert_eq!(server.count(PODS), before + 2);
        assert_eq!(snapshot["scale"]["spec"]["replicas"], 2);
        let run = Plugin::of(&server).run(&["list"]);
        assert!(run.stdout.contains("web"), "{run:?}");
    }
}

#[test]
fn list_of_countless_tiny_items_is_reported_and_the_rest_is_still_there() {
    let server = Server::start();
    let items = r#"{"metadata":{"name":""}},"#.repeat(100_000);
    let items = items.trim_end_matches(',');
    let metadata = r#"{"continue":"again"}"#;
    let body = format!(
        r#"{{"kind":"PodList","apiVersion":"v1","metadata":{metadata},"items":[{items}]}}"#
    );
    server.set(PODS, Answer::text(200, "application/json", &body));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let why = not_read(&snapshot, "pods")["why"].as_str().unwrap();
    assert!(
        why.ends_with("has no end: its items are shorter than any object of Kubernetes"),
        "{why}"
    );
    assert_eq!(server.count(PODS), 1);
}

#[test]
fn answer_that_would_fill_the_memory_is_reported_and_the_rest_is_still_there() {
    let server = Server::start();
    let items = r#"{"apiVersion":"v1","kind":"Pod"},"#.repeat(200_001);
    let items = items.trim_end_matches(',');
    let body = format!(r#"{{"kind":"PodList","apiVersion":"v1","items":[{items}]}}"#);
    server.set(PODS, Answer::text(200, "application/json", &body));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        not_read(&snapshot, "pods")["why"],
        format!(
            "the answer of {} has a list of more than 200000 elements, which is too much to read",
            server.url()
        )
    );
    assert_eq!(snapshot["scale"]["spec"]["replicas"], 2);
}

#[test]
fn watch_reports_a_list_without_an_end_and_goes_on() {
    let server = crate::watch::server();
    let mut pods = world::list(vec![world::pod("web-a")]);
    pods["metadata"]["continue"] = json!("again");
    server.set_json(PODS, &pods);
    let run = Plugin::of(&server).run(&["watch", "web", "-o", "plain", "--timeout=5s"]);
    let reported = format!(
        "pods cannot be read: a list of {} has no end: its continue token repeats",
        server.url()
    );
    assert!(run.stdout.contains(&reported), "{run:?}");
}
