//! The page of `explain` in a faulty world: it still says everything it can.

use serde_json::{Value, json};

use crate::{
    plugin::{Plugin, Run, SpawnLimited as _},
    server::Server,
    world::{self, HPAS, POD_METRICS, SCALE, hpa},
};

fn explain(server: &Server, words: &[&str]) -> Run {
    let words: Vec<&str> = ["explain", "web"].iter().chain(words).copied().collect();
    let run = Plugin::of(server).run(&words);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run
}

fn page(server: &Server) -> String {
    // One line, so that wrapping does not matter.
    let page = explain(server, &[]).stdout;
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn json(server: &Server) -> Value {
    serde_json::from_str(&explain(server, &["-o", "json"]).stdout).unwrap()
}

#[test]
fn all_is_well() {
    let server = Server::start();
    let explanation = json(&server);
    assert_eq!(explanation["verdict"]["action"], "hold");
    assert_eq!(explanation["verdict"]["to"], 2);
    assert_eq!(explanation["predicted"]["status"]["desiredReplicas"], 2);
    let page = page(&server);
    assert!(
        page.starts_with("shop/web → Deployment/web STAYS AT 2"),
        "{page}"
    );
    assert!(page.contains("50% of requests"), "{page}");
}

#[test]
fn broken_selector_is_the_controllers_problem() {
    let server = Server::start();
    server.set_json(
        SCALE,
        &json!({"spec": {"replicas": 2}, "status": {"replicas": 2, "selector": "app in (web"}}),
    );
    let explanation = json(&server);
    assert_eq!(explanation["verdict"]["action"], "failed");
    let conditions = explanation["predicted"]["status"]["conditions"].to_string();
    assert!(conditions.contains("InvalidSelector"), "{conditions}");
}

#[test]
fn metrics_of_pods_that_are_gone_do_not_count() {
    let server = Server::start();
    let usages = ["web-a", "web-b", "web-gone"].map(|name| world::usage(name, "50m"));
    server.set_json(POD_METRICS, &world::list(usages.to_vec()));
    assert_eq!(json(&server)["verdict"]["to"], 2);
}

#[test]
fn closed_pipe_is_no_error() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    let mut command = plugin.command(&["explain", "web"]);
    let mut child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn_limited();
    drop(child.stdout.take());
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn missing_hpa_is_an_error() {
    let server = Server::start();
    server.set_json(HPAS, &world::list(vec![hpa("api")]));
    Plugin::of(&server)
        .run(&["explain", "web"])
        .fails_with("HPA \"web\" not found in namespace shop. HPAs: api");
}
