//! Files, signals and pipes.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{
    plugin::{Plugin, Run, files},
    server::{Answer, Server},
    world::{HPAS, forbidden, list},
};

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn recording_has_one_snapshot_per_interval_and_one_at_the_end() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    let run = plugin.run(&[
        "capture",
        "web",
        "--every=300ms",
        "--for=1s",
        "-o",
        "web.jsonl",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    let snapshots = lines(&fs::read_to_string(plugin.path("web.jsonl")).unwrap());
    assert!((3..=5).contains(&snapshots.len()), "{}", snapshots.len());
    assert_eq!(
        snapshots[0]["controllerStarted"], true,
        "an HPA without a status was never looked at"
    );
    assert_eq!(snapshots[1].get("controllerStarted"), None);
    assert_eq!(files(&plugin.path("")), [".kube", "web.jsonl"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_recording_with_what_there_is() {
    for signal in ["INT", "TERM"] {
        let server = Server::start();
        let plugin = Plugin::of(&server);
        let mut child = plugin
            .command(&["capture", "web", "--every=100ms", "-o", "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        stdout.read_line(&mut text).unwrap();
        kill(signal, child.id());
        stdout.read_to_string(&mut text).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{signal}");
        assert!(2 <= lines(&text).len());
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_before_the_first_snapshot_leaves_no_file() {
    let server = Server::start();
    let slow = Answer::json(&list(vec![])).after(std::time::Duration::from_secs(60));
    server.set(HPAS, slow);
    let plugin = Plugin::of(&server);
    let child = plugin
        .command(&["capture", "web", "-o", "web.json"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while server.seen().is_empty() {
        std::thread::yield_now();
    }
    kill("INT", child.id());
    let run = Run::from(child.wait_with_output().unwrap());
    run.fails_with("interrupted: nothing is written");
    assert_eq!(files(&plugin.path("")), [".kube"]);
}

fn kill(signal: &str, process: u32) {
    let status = Command::new("kill")
        .args(["-s", signal, &process.to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn closed_pipe_is_no_error() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    let mut child = plugin
        .command(&["capture", "web", "--every=50ms"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn failure_leaves_no_file_and_keeps_an_old_one() {
    let server = Server::start();
    server.set(HPAS, Answer::status(&forbidden("it")));
    let plugin = Plugin::of(&server);
    plugin.write("web.json", "old");
    let run = plugin.run(&["capture", "-A", "-o", "web.json"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(fs::read_to_string(plugin.path("web.json")).unwrap(), "old");
    assert_eq!(files(&plugin.path("")), [".kube", "web.json"]);
    let run = plugin.run(&["capture", "web", "-o", "no/such/folder/web.json"]);
    assert!(
        run.stderr
            .starts_with("error: cannot write no/such/folder/web.json: "),
        "{run:?}"
    );
    assert_eq!(
        server.count(HPAS),
        0,
        "a file that can't be written is noticed first"
    );
}

#[test]
fn recording_outlives_a_server_that_is_away_for_a_moment() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    let child = plugin
        .command(&[
            "capture",
            "web",
            "--every=100ms",
            "--for=2s",
            "-o",
            "web.jsonl",
        ])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while server.count(HPAS) < 2 {
        std::thread::yield_now();
    }
    server.set(HPAS, Answer::text(502, "text/plain", "bad gateway"));
    let failed = server.count(HPAS) + 2;
    while server.count(HPAS) < failed {
        std::thread::yield_now();
    }
    server.set_json(HPAS, &list(vec![crate::world::hpa("web")]));
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stderr.contains(
            "no snapshot this time: cannot read HPAs: an error on the server (\"bad gateway\")"
        ),
        "{run:?}"
    );
    assert!(2 < lines(&fs::read_to_string(plugin.path("web.jsonl")).unwrap()).len());
}

#[test]
fn recording_does_not_wait_beyond_its_end_for_a_server_that_does_not_answer() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    let words = [
        "capture",
        "web",
        "--every=100ms",
        "--for=1s",
        "-o=web.jsonl",
    ];
    let hang = || {
        let hpas = list(vec![crate::world::hpa("web")]);
        let late = std::time::Duration::from_secs(60);
        server.set(HPAS, Answer::json(&hpas).after(late));
    };
    let child = plugin
        .command(&words)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while server.count(HPAS) < 3 {
        std::thread::yield_now();
    }
    hang();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(
        run.stderr,
        "no last snapshot: the cluster did not answer in time\n"
    );
    let written = fs::read_to_string(plugin.path("web.jsonl")).unwrap();
    assert!(!lines(&written).is_empty());
    fs::remove_file(plugin.path("web.jsonl")).unwrap();
    plugin
        .run(&words)
        .fails_with("the cluster did not answer within --for: nothing is written");
    assert_eq!(files(&plugin.path("")), [".kube"]);
}

#[test]
fn recording_ends_with_the_hpa() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    let child = plugin
        .command(&["capture", "web", "--every=100ms", "-o", "web.jsonl.gz"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while server.count(HPAS) < 3 {
        std::thread::yield_now();
    }
    server.set_json(HPAS, &list(vec![]));
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stderr
            .starts_with("the recording ends: there is no HPA \"web\" in namespace shop"),
        "{run:?}"
    );
    assert_eq!(files(&plugin.path("")), [".kube", "web.jsonl.gz"]);
}
