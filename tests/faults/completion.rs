//! Pressing Tab against clusters: one request, and silence whatever is wrong.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    plugin::{Plugin, Run, kubeconfig},
    server::{Answer, Server},
    world::HPAS,
};

#[test]
fn names_come_from_one_small_list_in_the_form_that_is_begun() {
    let server = Server::start();
    server.set_json(HPAS, &table());
    let plugin = Plugin::of(&server);
    let mut count = 0;
    let mut offered = |words: &[&str]| {
        let mut all = presses(&plugin, words);
        count += all.len();
        all.pop().unwrap()
    };
    let web = "web\tDeployment/web-app, cpu: 50%/60%, replicas: 4\n";
    let worker = "worker\tStatefulSet/queue, cpu: 5%/60%, replicas: 1\n";
    assert_eq!(offered(&["explain", ""]), format!("{web}{worker}:4\n"));
    assert_eq!(offered(&["watch", "wo"]), format!("{worker}:4\n"));
    // A name that is already on the line is not offered again.
    assert_eq!(offered(&["list", "web", ""]), format!("{worker}:4\n"));
    assert_eq!(
        offered(&["capture", "deploy/"]),
        "deploy/web-app\tHPA web\n:4\n"
    );
    assert_eq!(
        offered(&["lint", "statefulset.apps/q"]),
        "statefulset.apps/queue\tHPA worker\n:4\n"
    );
    assert!(offered(&["explain", "hpa/we"]).starts_with("hpa/web\t"));
    // A kind is followed by a slash.
    assert_eq!(
        offered(&["explain", "dep"]),
        "deploy/\tWhat an HPA scales: Deployment\n:6\n"
    );
    let requests = server.seen();
    let is_one_each = (7..=count).contains(&requests.len());
    assert!(is_one_each, "{count} presses: {requests:?}");
    for request in requests {
        assert_eq!(
            request.path,
            format!("{HPAS}?includeObject=None&resourceVersion=0")
        );
        assert_eq!(
            request.headers["accept"],
            "application/json;as=Table;v=v1;g=meta.k8s.io"
        );
    }
}

#[test]
fn names_of_another_namespace_follow_its_name() {
    let server = Server::start();
    server.set_json(HPAS, &table()).set_json(
        "/apis/autoscaling/v2/namespaces/post/horizontalpodautoscalers",
        &table(),
    );
    let plugin = Plugin::of(&server);
    let names = offered(&plugin, &["explain", "post/wo"]);
    assert!(names.starts_with("post/worker\t"), "{names}");
}

#[test]
fn flags_on_the_line_choose_cluster_and_namespace() {
    let (server, other) = (Server::start(), Server::start());
    let everywhere = "/apis/autoscaling/v2/horizontalpodautoscalers";
    let elsewhere = "/apis/autoscaling/v2/namespaces/lab/horizontalpodautoscalers";
    server.set_json(everywhere, &table());
    other.set_json(elsewhere, &table());
    server.set_json("/api/v1/namespaces", &namespaces());
    let plugin = Plugin::of(&server);
    plugin.write("other", &kubeconfig("test", &other.url()));
    let names = offered(&plugin, &["explain", "-A", "we"]);
    assert!(names.starts_with("web\t"), "{names}");
    for words in [
        &["explain", "-n", "lab", "--kubeconfig", "other", "we"][..],
        &[
            "explain",
            "--kubeconfig=other",
            "--namespace=lab",
            "-v",
            "we",
        ],
        &["list", "--server", &other.url(), "-nlab", "we"],
    ] {
        let names = offered(&plugin, words);
        assert!(names.starts_with("web\t"), "{words:?}: {names}");
    }
    assert_eq!(
        offered(&plugin, &["explain", "web", "-n", "s"]),
        "shop\n:4\n"
    );
    assert_eq!(
        offered(&plugin, &["explain", "--namespace=s"]),
        "--namespace=shop\n:4\n"
    );
    // A command that reads files sends no request.
    let count = server.seen().len();
    assert_eq!(
        reported(&plugin, &["explain", "-f", "incident.jsonl", ""]),
        NOTHING
    );
    assert_eq!(server.seen().len(), count);
}

#[test]
fn cluster_that_fails_is_no_answer_and_no_word_of_it() {
    let server = Server::start();
    let start = server.seen().len();
    let hour = Duration::from_hours(1);
    let forbidden = json!({"kind": "Status", "code": 403, "reason": "Forbidden", "message": "no"});
    for answer in [
        Answer::json(&table()).after(hour),
        Answer::json(&table()).broken_off(),
        Answer::status(&forbidden),
        Answer::text(401, "text/plain", "who are you"),
        Answer::text(503, "text/html", "<html>busy</html>"),
        Answer::text(200, "text/html", "<html>log in</html>"),
        Answer::json(&json!({"kind": "List", "items": []})),
    ] {
        let count = server.seen().len();
        server.set(HPAS, answer.clone());
        server.set("/api/v1/namespaces", answer);
        let plugin = Plugin::of(&server);
        assert_eq!(reported(&plugin, &["explain", ""]), NOTHING);
        assert_eq!(reported(&plugin, &["explain", "-n", ""]), NOTHING);
        // A busy machine can use up the second that completion has before a request is sent.
        assert!(server.seen().len() <= count + 2, "nothing is tried again");
    }
    assert!(start < server.seen().len(), "the cluster is asked");
    let refuses = ["explain", "--server", "http://127.0.0.1:1", ""];
    assert_eq!(reported(&Plugin::of(&server), &refuses), NOTHING);
    assert_eq!(reported(&Plugin::bare(), &["explain", ""]), NOTHING);
    let unknown = ["explain", "--context", "unknown", ""];
    assert_eq!(reported(&Plugin::of(&server), &unknown), NOTHING);
}

#[test]
fn name_that_a_shell_would_run_is_not_offered() {
    let server = Server::start();
    let mut table = table();
    for (at, name) in [(0, "web$(touch${IFS}PWNED)"), (1, "--kubeconfig=sly")] {
        table["rows"][at]["cells"][0] = json!(name);
    }
    let sly = json!({"cells": ["web-2", "Deployment/`id`", "cpu: 5%/60%", "1", "10", 1, "3d"], "object": null});
    table["rows"].as_array_mut().unwrap().push(sly);
    server.set_json(HPAS, &table);
    let plugin = Plugin::of(&server);
    let names = offered(&plugin, &["explain", ""]);
    assert!(names.starts_with("web-2\t"), "{names}");
    assert_eq!(names.lines().count(), 2, "{names}");
    assert!(!reported(&plugin, &["explain", "--"]).contains("sly"));
    let targets = offered(&plugin, &["explain", "deploy/"]);
    assert_eq!(targets, "deploy/web-app\tHPA web$(touch${IFS}PWNED)\n:4\n");
}

#[test]
#[cfg(unix)]
fn credential_plugin_neither_speaks_nor_holds_up_the_line() {
    let server = Server::start();
    server.set_json(HPAS, &table());
    let plugin = Plugin::of(&server).with("PATH", "/usr/bin:/bin");
    let script = "echo Password: >&2; read answer; exec sleep 30";
    let text = kubeconfig("test", &server.url()).replace(
        "{token: secret-of-test}",
        &json!({"exec": {
            "apiVersion": "client.authentication.k8s.io/v1",
            "command": "sh",
            "args": ["-c", script],
            "interactiveMode": "IfAvailable",
        }})
        .to_string(),
    );
    plugin.write(".kube/config", &text);
    assert_eq!(reported(&plugin, &["explain", ""]), NOTHING);
    assert!(server.seen().is_empty());
}

/// What is offered.
#[track_caller]
fn offered(plugin: &Plugin, words: &[&str]) -> String {
    presses(plugin, words).pop().unwrap()
}

/// What each press of Tab offers, up to the first one that offers something. On a busy machine the second that Tab has
/// can be over first.
#[track_caller]
fn presses(plugin: &Plugin, words: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    while all.len() < 20 {
        all.push(reported(plugin, words));
        if all.last().is_some_and(|last| last != NOTHING) {
            return all;
        }
    }
    panic!("{words:?}: nothing is offered")
}

/// No candidate, and no completion of paths.
const NOTHING: &str = ":4\n";

#[track_caller]
fn reported(plugin: &Plugin, words: &[&str]) -> String {
    let words: Vec<&str> = ["__complete"].iter().chain(words).copied().collect();
    let run: Run = plugin.run(&words);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{run:?}");
    run.stdout
}

/// The API server's answer to `kubectl get hpa`, without the objects.
fn table() -> Value {
    let columns = [
        "Name",
        "Reference",
        "Targets",
        "MinPods",
        "MaxPods",
        "Replicas",
        "Age",
    ];
    json!({
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": "7"},
        "columnDefinitions": columns.map(|name| json!({"name": name, "type": "string"})),
        "rows": [
            {"cells": ["web", "Deployment/web-app", "cpu: 50%/60%", "1", "10", 4, "3d"], "object": null},
            {"cells": ["worker", "StatefulSet/queue", "cpu: 5%/60%", "1", "10", 1, "3d"], "object": null},
        ],
    })
}

fn namespaces() -> Value {
    json!({
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "columnDefinitions": [{"name": "Name"}, {"name": "Status"}, {"name": "Age"}],
        "rows": [{"cells": ["lab", "Active", "3d"]}, {"cells": ["shop", "Active", "3d"]}],
    })
}
