//! Old servers and other distributions: what they lack, and what they report as their version.

use serde_json::{Value, json};

use crate::{
    plugin::{Plugin, not_read},
    server::{Answer, Server},
    world::{BUDGETS, EVENTS, HPAS, POD_METRICS, SCALE, TARGET, forbidden, hpa, list},
};

/// The answer to an unknown path.
fn unknown() -> Answer {
    Answer::text(404, "text/plain; charset=utf-8", "404 page not found\n")
}

/// The page with these words, on one line, without the spaces inside of wrapped paths.
#[track_caller]
fn page(server: &Server, words: &[&str]) -> String {
    let words: Vec<&str> = ["explain", "web"].iter().chain(words).copied().collect();
    let run = Plugin::of(server).run(&words);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(text.contains(part), "no {part:?} in\n{text}");
}

#[test]
fn server_without_autoscaling_v2_is_named_by_every_command_with_the_version_that_has_it() {
    let server = Server::start();
    let version = json!({"gitVersion": "v1.22.17", "platform": "linux/amd64"});
    // The older APIs have the HPA, but its metrics and behavior differ from those in v2.
    let older = HPAS.replace("/v2/", "/v1/");
    server
        .set_json("/version", &version)
        .set_json(&older, &list(vec![hpa("web")]))
        .set(HPAS, unknown());
    let plugin = Plugin::of(&server);
    for words in [
        &["explain", "web"][..],
        &["explain"],
        &["explain", "deploy/web", "--set", "maxReplicas=20"],
        &["capture", "web"],
        &["list"],
        &["list", "-A"],
        &["lint"],
        &["lint", "web"],
        &["watch", "web", "-o", "plain", "--timeout=5s"],
    ] {
        plugin.run(words).fails_with(
            "cannot read HPAs: the server could not find the requested resource (get horizontalpodautoscalers.autoscaling); \
             the server has no autoscaling/v2, which Kubernetes has from 1.23 on",
        );
    }
    assert_eq!(server.count(&older), 0);
    let names = plugin.run(&["__complete", "explain", ""]);
    assert_eq!((names.code, names.stderr.as_str()), (Some(0), ""));
    says(
        &plugin.run(&["version"]).stdout,
        "Server Version: v1.22.17\n",
    );

    // A user who may not list HPAs gets the same message, and not that this one is missing.
    server.set(HPAS, Answer::status(&forbidden("horizontalpodautoscalers")));
    plugin.run(&["explain", "web"]).fails_with(
        "cannot read HPAs: the server could not find the requested resource (get horizontalpodautoscalers.autoscaling web); \
         the server has no autoscaling/v2, which Kubernetes has from 1.23 on",
    );
}

/// An HPA with a metric of each API, on a kind that requires discovery.
fn hpa_of_every_api() -> Value {
    let mut hpa = hpa("web");
    hpa["spec"]["scaleTargetRef"] =
        json!({"apiVersion": "example.com/v1", "kind": "Shop", "name": "web"});
    let target = json!({"type": "AverageValue", "averageValue": "10"});
    hpa["spec"]["metrics"] = json!([
        {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
        {"type": "Pods", "pods": {"metric": {"name": "requests"}, "target": target}},
        {"type": "External", "external": {"metric": {"name": "queue_depth"}, "target": target}},
    ]);
    hpa
}

/// Gives the server the kind of that HPA, in the group and kind lists that every server has had.
fn with_own_kind(server: &Server) {
    const SHOP: &str = "/apis/example.com/v1/namespaces/shop/shops/web";
    let version = json!({"groupVersion": "example.com/v1", "version": "v1"});
    let group =
        json!({"name": "example.com", "versions": [&version], "preferredVersion": &version});
    let scale: Value = serde_json::from_str(&server.answer(SCALE)).unwrap();
    let mut shop: Value = serde_json::from_str(&server.answer(TARGET)).unwrap();
    shop["apiVersion"] = json!("example.com/v1");
    shop["kind"] = json!("Shop");
    server
        .set_json(HPAS, &list(vec![hpa_of_every_api()]))
        .set_json(
            "/apis",
            &json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": [&group]}),
        )
        .set_json("/apis/example.com", &group)
        .set_json(
            "/apis/example.com/v1",
            &json!({"kind": "APIResourceList", "groupVersion": "example.com/v1", "resources": [
                {"name": "shops", "singularName": "shop", "kind": "Shop", "namespaced": true, "verbs": ["get", "list"]},
                {"name": "shops/scale", "kind": "Scale", "group": "autoscaling", "version": "v1", "namespaced": true, "verbs": ["get"]},
            ]}),
        )
        .set_json(SHOP, &shop)
        .set_json(&format!("{SHOP}/scale"), &scale);
}

#[test]
fn kinds_are_found_without_aggregated_discovery_which_is_not_requested() {
    let server = Server::start();
    with_own_kind(&server);
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(snapshot["scale"]["spec"]["replicas"], 2, "{snapshot:#}");
    assert_eq!(snapshot["pods"].as_array().unwrap().len(), 2);
    // A server with the new format returns the old lists to a client that does not request it.
    for seen in server.seen() {
        let accepted = seen.headers["accept"].to_str().unwrap();
        assert!(!accepted.contains("as="), "{}: {accepted}", seen.path);
    }
}

#[test]
fn metrics_apis_that_are_not_there_are_reported_as_the_controller_sees_them() {
    let server = Server::start();
    with_own_kind(&server);
    server.set(POD_METRICS, unknown());
    let text = page(&server, &[]);
    for part in [
        "the server could not find the requested resource (get pods.metrics.k8s.io)",
        "no custom metrics API (custom.metrics.k8s.io) registered",
        "the server could not find the requested resource (get queue_depth.external.metrics.k8s.io)",
        "no API service serves metrics.k8s.io",
        "requests: no API service serves custom.metrics.k8s.io: no adapter for Pods and Object metrics is installed, \
         which is not the same as down.",
        "queue_depth: no API service serves external.metrics.k8s.io: no adapter for External metrics is installed",
    ] {
        says(&text, part);
    }
    let plugin = Plugin::of(&server);
    let listed = plugin.run(&["list"]);
    assert_eq!(listed.stderr, "", "{listed:?}");
    says(&listed.stdout, "web");
    let linted = plugin.run(&["lint"]);
    assert!(linted.code.is_some_and(|code| code < 2), "{linted:?}");
    let watched = plugin.run(&["watch", "web", "-o", "plain", "--timeout=5s"]);
    says(&watched.stdout, "no custom metrics API");
}

#[test]
fn page_is_whole_without_leases_and_events_of_the_new_group_and_names_missing_budgets() {
    let server = Server::start();
    server.set(BUDGETS, unknown());
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let budgets = not_read(&snapshot, "podDisruptionBudgets");
    assert_eq!(snapshot["notRead"], json!([budgets]), "{snapshot:#}");
    assert!(snapshot["controller"]["leaderSince"].is_null());
    says(&page(&server, &["-v"]), "disruption budgets");
    assert_eq!(
        server.count("/apis/events.k8s.io/v1/namespaces/shop/events"),
        0
    );
    assert_ne!(server.count(EVENTS), 0);
}

#[test]
fn versions_of_distributions_decide_which_controller_is_recomputed() {
    for (reported, version) in [
        ("v1.36.3", "1.36.3"),
        ("v1.27.6+f67aeb3", "1.27.6"),
        ("v1.30.2+k3s1", "1.30.2"),
        ("v1.28.9+rke2r1", "1.28.9"),
        ("v1.33.5-eks-113cf36", "1.33.5"),
        ("v1.30.5-gke.1443001", "1.30.5"),
        ("v1.35.0-rc.1", "1.35.0"),
    ] {
        let server = Server::start();
        let answer = json!({
            "major": "1", "minor": "99+", "gitVersion": reported, "platform": "linux/amd64",
        });
        server.set_json("/version", &answer);
        let plugin = Plugin::of(&server);
        says(
            &plugin.run(&["version"]).stdout,
            &format!("Server Version: {reported}\n"),
        );
        let snapshot = plugin.capture(&["web"]);
        let controller = &snapshot["controller"];
        assert_eq!(controller["version"], version, "{reported}");
        assert_eq!(
            controller["provenance"]["version"], "inferred",
            "{reported}"
        );
        assert_eq!(snapshot.get("notRead"), None, "{reported}");
        says(&page(&server, &[]), &format!("Kubernetes {version} "));
    }
}

#[test]
fn server_that_is_newer_than_every_recorded_controller_is_named_by_every_command() {
    for (reported, newer) in [
        (
            "v1.38.0-alpha.1.12+0123abc",
            "Kubernetes 1.38.0 is newer than this program knows",
        ),
        (
            "v1.39.2",
            "Kubernetes 1.39.2 is newer than this program knows",
        ),
    ] {
        let server = Server::start();
        server.set_json(
            "/version",
            &json!({"gitVersion": reported, "platform": "linux/amd64"}),
        );
        let plugin = Plugin::of(&server);
        for words in [
            &["explain", "web"][..],
            &["explain", "web", "-o", "json"],
            &["explain", "web", "-o", "markdown"],
            &["explain", "web", "-o", "html"],
            &["list"],
            &["lint"],
            &["capture", "web"],
            &["watch", "web", "-o", "plain", "--timeout=3s"],
        ] {
            let run = plugin.run(words);
            let said = format!("{} {}", run.stdout, run.stderr);
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains(newer), "{words:?}: {said}");
        }
        assert_eq!(
            plugin.capture(&["web"])["controller"]["version"]
                .as_str()
                .unwrap()
                .get(..4),
            Some("1.38"),
            "{reported}"
        );
    }
}

#[test]
fn version_that_is_none_of_kubernetes_is_reported_and_the_newest_controller_recomputed() {
    let server = Server::start();
    for reported in ["", "unknown", "v2.0.0", "\u{1b}[31mv1"] {
        server.set_json("/version", &json!({"gitVersion": reported}));
        let snapshot = Plugin::of(&server).capture(&["web"]);
        assert_eq!(snapshot["controller"]["version"], "1.38", "{reported:?}");
        let note = not_read(&snapshot, "controller.version");
        assert_eq!(
            note["why"],
            format!(
                "the server's version {reported:?} is not a Kubernetes version; recomputed as 1.38"
            )
        );
        assert_eq!(note["remedy"], "--kube-version sets another version");
    }
}
