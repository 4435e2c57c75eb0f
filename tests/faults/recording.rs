//! Files, signals and pipes.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::{
    plugin::{Plugin, Run, SpawnLimited as _, files},
    server::{Answer, Server},
    world::{HPAS, POD_METRICS, forbidden, list, usage},
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
    let mut signals = vec!["INT", "TERM", "HUP"];
    if ignores_hup() {
        signals.pop();
    }
    for signal in signals {
        let server = Server::start();
        let plugin = Plugin::of(&server);
        let mut child = plugin
            .command(&["capture", "web", "--every=100ms", "-o", "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn_limited();
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

/// Whether the tests run under `nohup`: then the commands that they start also ignore the signal.
#[cfg(unix)]
fn ignores_hup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|ignored| u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 != 0)
}

#[cfg(unix)]
#[test]
fn ctrl_c_before_the_first_snapshot_leaves_no_file() {
    let server = Server::start();
    let slow = Answer::json(&list(vec![])).after(std::time::Duration::from_mins(1));
    server.set(HPAS, slow);
    let plugin = Plugin::of(&server);
    let child = plugin
        .command(&["capture", "web", "-o", "web.json"])
        .stderr(Stdio::piped())
        .spawn_limited();
    while server.seen().is_empty() {
        std::thread::yield_now();
    }
    kill("INT", child.id());
    let run = Run::from(child.wait_with_output().unwrap());
    run.fails_with("interrupted: nothing is written");
    assert_eq!(files(&plugin.path("")), [".kube"]);
}

/// A service that outlives its terminal is started by `nohup`, which ignores the signal.
#[cfg(target_os = "linux")]
#[test]
fn recording_that_is_to_go_on_without_a_terminal_goes_on() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    let mut child = in_shell(&plugin, "trap '' HUP;", &["capture", "web", "--every=50ms"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn_limited();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    kill("HUP", child.id());
    for _ in 0..20 {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0, "it ended");
    }
    kill("TERM", child.id());
    stdout.read_to_string(&mut line).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

/// A full disk is not needed: for the writing program, a file size limit has the same effect.
#[cfg(target_os = "linux")]
#[test]
fn recording_that_finds_no_room_is_kept_up_to_there_and_named() {
    for (name, blocks) in [("web.jsonl", 48), ("web.jsonl.gz", 8), ("web.jsonl.zst", 8)] {
        let server = Server::start();
        let plugin = Plugin::of(&server);
        let words = ["capture", "web", "--every=50ms", "-o", name];
        let limit = format!("ulimit -f {blocks};");
        let run = Run::from(in_shell(&plugin, &limit, &words).output().unwrap());
        let (kept, count) = kept(&run, name);
        assert_eq!(
            (kept, files(&plugin.path(""))),
            (name, vec![".kube".to_owned(), name.to_owned()])
        );
        let replay = plugin.run(&["replay", "-o=jsonl", name]);
        assert_eq!(
            (replay.code, replay.stderr.as_str()),
            (Some(0), ""),
            "{name}"
        );
        assert_eq!(replay.stdout.lines().count(), count, "{name}");
        let tool = match name.rsplit_once('.') {
            Some((_, "gz")) => "zcat",
            Some((_, "zst")) => "zstdcat",
            _ => "cat",
        };
        let printed = Command::new(tool).arg(plugin.path(name)).output().unwrap();
        assert!(
            printed.status.success() && printed.stderr.is_empty(),
            "{printed:?}"
        );

        // An existing complete recording is worth more.
        plugin.write(name, "old");
        let run = Run::from(in_shell(&plugin, &limit, &words).output().unwrap());
        let (kept, count) = self::kept(&run, name);
        assert_eq!(fs::read_to_string(plugin.path(name)).unwrap(), "old");
        let lint = plugin.run(&["lint", "-f", kept]);
        assert!(lint.code.is_some_and(|code| code < 2), "{lint:?}");
        let replay = plugin.run(&["replay", "-o=jsonl", kept]);
        assert_eq!(replay.stdout.lines().count(), count, "{name}");
    }
}

/// The part of the error that says where snapshots are kept, and how many.
#[track_caller]
fn kept<'a>(run: &'a Run, name: &str) -> (&'a str, usize) {
    assert_eq!(run.code, Some(2), "{run:?}");
    let begin = format!("error: cannot finish {name} (snapshots kept in ");
    let printed = run
        .stderr
        .strip_prefix(&begin)
        .unwrap_or_else(|| panic!("{run:?}"));
    let (kept, why) = printed.split_once("): ").unwrap();
    assert!(why.starts_with("File too large"), "{run:?}");
    let (kept, count) = kept.split_once(": ").unwrap();
    (kept, count.parse().unwrap())
}

/// The plugin in a shell that runs `before` first.
fn in_shell(plugin: &Plugin, before: &str, words: &[&str]) -> Command {
    let expected = plugin.command(words);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", &format!("{before} exec \"$0\" \"$@\"")])
        .arg(expected.get_program())
        .args(expected.get_args())
        .env_clear()
        .env("HOME", plugin.path(""))
        .current_dir(plugin.path(""));
    command
}

/// Metrics that take longer than the controller leaves the status unchanged: each snapshot is half before and half
/// after a write.
#[test]
fn snapshot_that_is_torn_each_time_is_kept_and_marked() {
    let server = crate::watch::server();
    let pods = list(vec![usage("web-a", "50m"), usage("web-b", "50m")]);
    let slow = std::time::Duration::from_millis(700);
    server.set(POD_METRICS, Answer::json(&pods).after(slow));
    let plugin = Plugin::of(&server);
    let mut child = plugin
        .command(&["capture", "web", "--every=1h", "--for=20s"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn_limited();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let first = std::thread::spawn(move || {
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        line
    });
    let mut cpu = 50;
    while !first.is_finished() {
        cpu += 1;
        server.report(HPAS, "MODIFIED", &crate::watch::written(2, 2, cpu));
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let line = first.join().unwrap();
    assert_eq!(server.count(POD_METRICS), 3, "{line}");
    child.kill().unwrap();
    child.wait().unwrap();
    let snapshot: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(snapshot["torn"], true, "{line}");

    // Nothing is reported about a controller whose inputs are not known.
    plugin.write("web.jsonl", &format!("{snapshot}\n"));
    let replay = plugin.run(&["replay", "-o=jsonl", "web.jsonl"]);
    let mut other = snapshot.clone();
    other["hpa"]["status"] = lines(&replay.stdout)[0]["predicted"]["status"].clone();
    other["hpa"]["status"]["desiredReplicas"] = json!(7);
    other["time"] = json!("2030-01-01T00:00:15Z");
    other["torn"] = json!(false);
    let mut torn = snapshot;
    torn["time"] = json!("2030-01-01T00:00:00Z");
    for (is_torn, disagrees) in [(false, 1), (true, 0)] {
        torn["torn"] = json!(is_torn);
        plugin.write("web.jsonl", &format!("{torn}\n{other}\n"));
        let replay = plugin.run(&["replay", "--check", "web.jsonl"]);
        assert_eq!(replay.code, Some(disagrees), "{is_torn}: {replay:?}");
    }
    plugin.write("web.jsonl", &format!("{torn}\n"));
    let page = plugin.run(&["explain", "-f", "web.jsonl"]);
    assert!(
        page.stdout
            .contains("not compared: the controller wrote it while"),
        "{page:?}"
    );
    let json = plugin.run(&[
        "explain",
        "-f",
        "web.jsonl",
        "-o",
        "jsonpath={.crossCheck.agreement}",
    ]);
    assert_eq!(json.stdout, "torn", "{json:?}");
}

#[test]
fn clock_of_the_server_neither_ends_a_recording_nor_prolongs_it() {
    let record = |server: &Server, length: &str| {
        let plugin = Plugin::of(server);
        let child = plugin
            .command(&["capture", "web", "--every=50ms", length, "-o=web.jsonl"])
            .stderr(Stdio::piped())
            .spawn_limited();
        while server.count(HPAS) < 3 {
            std::thread::yield_now();
        }
        (plugin, child)
    };
    let server = Server::start();
    let (_plugin, mut child) = record(&server, "--for=1h");
    server.set_date("Fri, 01 Jan 2100 00:00:00 GMT");
    let later = server.count(HPAS) + 10;
    while server.count(HPAS) < later {
        assert!(child.try_wait().unwrap().is_none(), "the recording ended");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let server = Server::start();
    let (_plugin, mut child) = record(&server, "--for=2s");
    server.set_date("Thu, 01 Jan 2015 00:00:00 GMT");
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if deadline < std::time::Instant::now() {
            child.kill().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert!(status.success(), "{status:?}");
}

/// Sends a signal to a process.
pub(crate) fn kill(signal: &str, process: u32) {
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
        .spawn_limited();
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
        "a file that cannot be written is noticed first"
    );
}

#[test]
fn recording_outlives_a_server_that_is_away_for_a_short_time() {
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
        .spawn_limited();
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
        let late = std::time::Duration::from_mins(1);
        server.set(HPAS, Answer::json(&hpas).after(late));
    };
    let child = plugin
        .command(&words)
        .stderr(Stdio::piped())
        .spawn_limited();
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
        .spawn_limited();
    while server.count(HPAS) < 3 {
        std::thread::yield_now();
    }
    server.set_json(HPAS, &list(vec![]));
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stderr
            .starts_with("the recording ends: HPA \"web\" not found in namespace shop"),
        "{run:?}"
    );
    assert_eq!(files(&plugin.path("")), [".kube", "web.jsonl.gz"]);
}
