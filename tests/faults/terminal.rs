//! Text of the cluster cannot take over the terminal.

use serde_json::json;

use crate::{
    plugin::{Plugin, Run},
    server::{Answer, Server},
    world::{self, HPAS, POD_METRICS, hpa, status},
};

const NASTY: &str = "a\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}b\r\nc";

#[track_caller]
fn assert_harmless(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        let bad = text.chars().find(|letter| {
            (letter.is_control() && *letter != '\n') || matches!(letter, '\u{202a}'..='\u{202e}')
        });
        assert_eq!(bad, None, "{run:?}");
        assert!(!text.contains("owned"), "{run:?}");
    }
}

#[test]
fn names_and_messages_in_errors_are_harmless() {
    let server = Server::start();
    server.set_json(HPAS, &world::list(vec![hpa(NASTY)]));
    let plugin = Plugin::of(&server);
    assert_harmless(&plugin.run(&["capture", "web"]));
    server.set(HPAS, Answer::status(&status(500, "InternalError", NASTY)));
    let run = plugin.run(&["capture", "web"]);
    assert!(run.stderr.contains("ab"), "{run:?}");
    assert_harmless(&run);
}

#[test]
fn version_of_the_server_is_harmless() {
    let server = Server::start();
    server.set_json("/version", &json!({"gitVersion": NASTY, "platform": ""}));
    assert_harmless(&Plugin::of(&server).run(&["version"]));
}

#[test]
fn page_is_harmless() {
    let server = Server::start();
    let mut nasty = hpa("web");
    nasty["status"]["conditions"] =
        json!([{"type": "AbleToScale", "status": "True", "reason": NASTY, "message": NASTY}]);
    server.set_json(HPAS, &world::list(vec![nasty])).set(
        POD_METRICS,
        Answer::status(&status(500, "InternalError", NASTY)),
    );
    let run = Plugin::of(&server).run(&["explain", "web", "-v"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_harmless(&run);
}
