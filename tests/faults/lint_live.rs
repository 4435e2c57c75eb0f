//! `lint` of a cluster: how many requests it takes, and what it says without rights.

use serde_json::{Value, json};

use crate::{
    plugin::Plugin,
    server::{Answer, Server},
    world::{self, EVENTS, HPAS, POD_METRICS, PODS, forbidden, list},
};

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/shop/deployments";

/// Gives the namespace so many HPAs, each with a Deployment and a pod.
fn populate(server: &Server, number: usize) {
    let names: Vec<String> = (0..number).map(|index| format!("web-{index}")).collect();
    let each = |item: fn(&str) -> Value| list(names.iter().map(|name| item(name)).collect());
    server
        .set_json(HPAS, &each(hpa))
        .set_json(DEPLOYMENTS, &each(deployment))
        .set_json(PODS, &each(pod))
        .set_json(POD_METRICS, &each(usage));
}

fn hpa(name: &str) -> Value {
    let mut hpa = world::hpa(name);
    hpa["spec"]["scaleTargetRef"]["name"] = json!(name);
    hpa["status"]["currentReplicas"] = json!(1);
    hpa["status"]["desiredReplicas"] = json!(1);
    hpa["status"]["conditions"] = json!([
        {"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale", "lastTransitionTime": "2026-01-01T00:00:00Z"},
        {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound", "lastTransitionTime": "2026-01-01T00:00:00Z"},
    ]);
    hpa
}

fn deployment(name: &str) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {
            "replicas": 1, "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [
                {"name": "main", "resources": {"requests": {"cpu": "100m"}}, "readinessProbe": {}},
            ]}},
        },
        "status": {"replicas": 1, "readyReplicas": 1, "updatedReplicas": 1},
    })
}

fn pod(name: &str) -> Value {
    let mut pod = world::pod(name);
    pod["metadata"]["labels"] = json!({"app": name});
    pod
}

fn usage(name: &str) -> Value {
    let mut usage = world::usage(name, "50m");
    usage["metadata"]["labels"] = json!({"app": name});
    usage
}

fn paths(server: &Server) -> Vec<String> {
    let mut paths: Vec<String> = server.seen().into_iter().map(|seen| seen.path).collect();
    paths.sort();
    paths
}

#[test]
fn requests_do_not_grow_with_the_number_of_hpas() {
    let [few, many] = [5, 500].map(|number| {
        let server = Server::start();
        populate(&server, number);
        let run = Plugin::of(&server).run(&["lint"]);
        assert!(run.code.is_some_and(|code| code < 2), "{run:?}");
        assert!(
            !run.stdout.contains("HPA401") && !run.stdout.contains("HPA801"),
            "{run:?}"
        );
        paths(&server)
    });
    assert_eq!(few, many);
    // Nothing is read one by one but the leader's lease and the version.
    assert!(few.len() < 40, "{few:#?}");
    assert!(!few.iter().any(|path| path.contains("/web-")), "{few:#?}");
}

#[test]
fn rules_that_need_what_may_not_be_read_are_named_with_the_missing_right() {
    let server = Server::start();
    populate(&server, 2);
    for (path, what) in [(PODS, "pods"), (EVENTS, "events")] {
        server.set(path, Answer::status(&forbidden(what)));
    }
    let run = Plugin::of(&server).run(&["lint"]);
    assert!(run.code.is_some_and(|code| code < 2), "{run:?}");
    // Notes are wrapped for people.
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for (code, right) in [
        (
            "HPA706",
            "needs the right to list pods in the core API group, namespace shop",
        ),
        (
            "HPA901",
            "needs the right to list events in the core API group, namespace shop",
        ),
    ] {
        let note = text
            .split("note[HPA013 not-evaluated]")
            .find(|note| note.contains(right))
            .unwrap_or_else(|| panic!("no note with {right:?} in {}", run.stdout));
        assert!(note.contains(code), "{note}");
        // What several HPAs miss alike is told once.
        assert!(!note.contains("web-0"), "{note}");
    }
}

#[test]
fn a_target_that_the_list_does_not_have_is_missing() {
    let server = Server::start();
    populate(&server, 2);
    server.set_json(DEPLOYMENTS, &list(vec![deployment("web-0")]));
    let run = Plugin::of(&server).run(&["lint"]);
    assert_eq!(
        server.count("/apis/apps/v1/namespaces/shop/deployments/web-1/scale"),
        0
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("Deployment/web-1 is not in namespace shop"),
        "{text}"
    );
    assert!(!text.contains("Deployment/web-0 is not"), "{text}");
}
