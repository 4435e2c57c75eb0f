//! What happens to the replicas: the requests for it, and what remains without permissions.

use serde_json::json;

use crate::{
    plugin::Plugin,
    server::{Answer, Server},
    world::{self, BUDGETS, EVENTS, PODS, QUOTAS, SCALE, forbidden},
};

const NODES: &str = "/api/v1/nodes";

/// The page on one line.
fn page(server: &Server) -> String {
    reported(server, &["explain", "web"])
}

fn reported(server: &Server, words: &[&str]) -> String {
    let run = Plugin::of(server).run(words);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_says(page: &str, text: &str) {
    assert!(page.contains(text), "no {text:?} in {page}");
}

/// `web` with its ReplicaSet; `web-b` has no node.
fn world_with_a_pod_without_node() -> Server {
    let server = Server::start();
    let owned = |name: &str| {
        let mut pod = world::pod(name);
        pod["metadata"]["ownerReferences"] =
            json!([{"kind": "ReplicaSet", "name": "web-5c9", "controller": true}]);
        pod
    };
    let mut waiting = owned("web-b");
    waiting["status"] = json!({"phase": "Pending", "conditions": [{
        "type": "PodScheduled", "status": "False", "reason": "Unschedulable",
        "message": "0/2 nodes are available: 2 Insufficient cpu.",
    }]});
    server.set_json(PODS, &world::list(vec![owned("web-a"), waiting]));
    server
}

#[test]
fn nodes_are_requested_only_where_they_can_matter() {
    let server = Server::start();
    page(&server);
    assert_eq!(server.count(NODES), 0);
    assert_eq!((server.count(QUOTAS), server.count(BUDGETS)), (1, 1));

    let server = world_with_a_pod_without_node();
    let node = |cpu: &str| json!({"metadata": {"name": cpu}, "status": {"allocatable": {"cpu": cpu, "pods": "110"}}});
    server.set_json(NODES, &world::list(vec![node("350m"), node("250m")]));
    let page = page(&server);
    assert_eq!(server.count(NODES), 1);
    assert_says(&page, "! 2 wanted, 2 created, 1 scheduled, 1 ready");
    assert_says(
        &page,
        "! 1 pod has no node (web-b): 0/2 nodes are available: 2 Insufficient cpu",
    );
    // Three pods of 100m in 350m, two in 250m.
    assert_says(
        &page,
        "! 2 nodes: none takes the 1 waiting pod, says the scheduler (2 Insufficient cpu); by requests alone, they would hold at most 5 pods of 100m cpu when empty; max is 10",
    );
}

#[test]
fn what_may_not_be_read_downstream_costs_one_request_each_and_one_line() {
    let server = world_with_a_pod_without_node();
    for path in [QUOTAS, BUDGETS, NODES] {
        server.set(path, Answer::status(&forbidden("it")));
    }
    let page = page(&server);
    assert_says(&page, "! 2 wanted, 2 created, 1 scheduled, 1 ready");
    assert_says(
        &page,
        "quotas, disruption budgets and nodes (optional; -v names the permissions)",
    );
    for path in [QUOTAS, BUDGETS, NODES] {
        assert_eq!(server.count(path), 1, "{path}");
    }
    let verbose = reported(&server, &["explain", "web", "-v"]);
    for rule in [
        r#"{apiGroups: [""], resources: ["resourcequotas"], verbs: ["list"]}"#,
        r#"{apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: ["list"]}"#,
        r#"{apiGroups: [""], resources: ["nodes"], verbs: ["list"]}"#,
    ] {
        assert_says(&verbose, rule);
    }
}

/// Events of a Deployment are not requested: its ReplicaSets have a condition.
#[test]
fn failed_creations_are_looked_up_only_where_no_condition_shows_them() {
    let server = Server::start();
    let scale = json!({"spec": {"replicas": 4}, "status": {"replicas": 2, "selector": "app=web"}});
    server.set_json(SCALE, &scale);
    page(&server);
    assert_eq!(server.count(EVENTS), 1);
}

#[test]
fn capture_keeps_quotas_and_budgets_without_their_labels() {
    let server = Server::start();
    let labels = json!({"team": "secret"});
    let quota = json!({
        "metadata": {"name": "compute", "namespace": "shop", "labels": labels},
        "spec": {"hard": {"cpu": "2"}},
        "status": {"hard": {"cpu": "2"}, "used": {"cpu": "200m"}},
    });
    let budget = |name: &str, app: &str| {
        json!({
            "metadata": {"name": name, "namespace": "shop", "labels": labels},
            "spec": {"minAvailable": "50%", "selector": {"matchLabels": {"app": app}}},
        })
    };
    server.set_json(QUOTAS, &world::list(vec![quota])).set_json(
        BUDGETS,
        &world::list(vec![budget("web", "web"), budget("other", "other")]),
    );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        snapshot["surroundings"]["downstream"],
        json!({
            "resourceQuotas": [{
                "metadata": {"name": "compute", "namespace": "shop"},
                "spec": {},
                "status": {"hard": {"cpu": "2"}, "used": {"cpu": "200m"}},
            }],
            "podDisruptionBudgets": [{
                "metadata": {"name": "web", "namespace": "shop"},
                "spec": {"minAvailable": "50%", "selector": {"matchLabels": {"app": "web"}}},
                "status": {"disruptionsAllowed": 0, "expectedPods": 0},
            }],
        })
    );
}

/// An object that does not decide costs a line of the page, and not the recording.
#[test]
fn quota_that_makes_no_sense_counts_as_not_read() {
    let server = Server::start();
    let quota = json!({
        "metadata": {"name": "compute", "namespace": "shop"},
        "spec": {"hard": {"pods": "10"}},
        "status": {"hard": {"pods": "10"}, "used": {"pods": "NaN"}},
    });
    server.set_json(QUOTAS, &world::list(vec![quota]));
    let plugin = Plugin::of(&server);
    plugin.write("web.jsonl", &plugin.capture(&["web"]).to_string());
    for source in [&["web"][..], &["-f", "web.jsonl"]] {
        let run = plugin.run(&[&["explain", "-v"], source].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        let words: Vec<&str> = run.stdout.split_whitespace().collect();
        let printed = "quotas: resourceQuotas[0].status.used: invalid quantity \"NaN\"";
        assert!(words.join(" ").contains(printed), "{run:?}");
    }
    for words in [&["replay", "web.jsonl"][..], &["lint", "-f", "web.jsonl"]] {
        let run = plugin.run(words);
        assert!(run.code.is_some_and(|code| code < 2), "{run:?}");
    }
}
