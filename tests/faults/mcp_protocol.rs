//! `mcp` line by line: the content of standard output, and how the server ends.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

#[cfg(unix)]
use crate::prometheus::history::{FROM, TO, World};
#[cfg(unix)]
use crate::{
    credentials::hanging,
    server::Answer,
    world::{HPAS, list},
};
use crate::{
    mcp::server,
    plugin::{Plugin, Run, SpawnLimited as _},
};

/// A client that writes lines.
struct Lines {
    server: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Lines {
    fn start(plugin: &Plugin) -> Self {
        Self::with(plugin, &[])
    }

    fn with(plugin: &Plugin, words: &[&str]) -> Self {
        let mut command = plugin.command(&["mcp"]);
        command.args(words);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = pipes.stderr(Stdio::piped()).spawn_limited();
        Self {
            stdin: server.stdin.take(),
            stdout: BufReader::new(server.stdout.take().unwrap()),
            server,
        }
    }

    fn write(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// The next line, which must belong to the protocol.
    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Shakes hands.
    fn open(&mut self) {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "lines", "version": "1"}});
        self.write(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
                .to_string(),
        );
        assert_eq!(self.read()["result"]["serverInfo"]["name"], "kubectl-hpa");
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    }

    fn call(&mut self, id: i32) {
        self.call_with(id, "hpa_list", &json!({}));
    }

    fn call_with(&mut self, id: i32, tool: &str, arguments: &Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.write(
            &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
                .to_string(),
        );
    }

    fn cancel(&mut self, id: i32) {
        let params = json!({"requestId": id, "reason": "a test"});
        let message =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        self.write(&message.to_string());
    }

    /// Closes standard input. Returns the rest of standard output, and how it ended.
    fn close(mut self) -> (String, Run) {
        drop(self.stdin.take());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (rest, Run::from(self.server.wait_with_output().unwrap()))
    }
}

#[test]
fn standard_output_has_the_protocol_alone_and_its_end_is_that_of_standard_input() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut lines = Lines::start(&plugin);
    lines.open();
    // Several in parallel, the last ones without waiting.
    for id in 1..=3 {
        lines.call(id);
    }
    let mut answered: Vec<i64> = (0..3)
        .map(|_| lines.read()["id"].as_i64().unwrap())
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, [1, 2, 3]);
    lines.call(4);
    let (rest, run) = lines.close();
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(run.stderr, "");
    let last: Value = serde_json::from_str(&rest).unwrap();
    assert_eq!(last["id"], 4);
    assert_eq!(last["result"]["isError"], false, "{last}");
}

#[test]
fn client_that_sends_nothing_or_nonsense_ends_the_server_without_a_panic() {
    let plugin = Plugin::bare();
    let (rest, run) = Lines::start(&plugin).close();
    assert_eq!((rest.as_str(), run.code), ("", Some(0)), "{run:?}");
    assert_eq!(run.stderr, "");
    let mut lines = Lines::start(&plugin);
    lines.open();
    lines.write("nonsense");
    lines.write("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/call\", \"params\": 3}");
    lines.write("{\"jsonrpc\": \"2.0\", \"id\": 8, \"method\": \"tools/list\"}");
    loop {
        let message = lines.read();
        if message["id"] == 8 {
            assert_eq!(message["result"]["tools"].as_array().unwrap().len(), 5);
            break;
        }
        assert!(message["error"].is_object(), "{message}");
    }
    let (_, run) = lines.close();
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(!run.stderr.contains("panicked"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_server_before_during_and_after_a_call() {
    for signal in ["INT", "TERM"] {
        for calls in 0..3 {
            let server = server();
            let plugin = Plugin::of(&server);
            let mut lines = Lines::start(&plugin);
            lines.open();
            if 0 < calls {
                lines.call(1);
                assert_eq!(lines.read()["id"], 1);
            }
            if calls == 2 {
                let slow = Answer::json(&list(vec![])).after(std::time::Duration::from_mins(1));
                server.set(HPAS, slow);
                let before = server.count(HPAS);
                lines.call(2);
                while server.count(HPAS) == before {
                    std::thread::yield_now();
                }
            }
            let id = lines.server.id().to_string();
            let mut kill = std::process::Command::new("kill");
            assert!(kill.args(["-s", signal, &id]).status().unwrap().success());
            let mut rest = String::new();
            lines.stdout.read_to_string(&mut rest).unwrap();
            let run = Run::from(lines.server.wait_with_output().unwrap());
            assert_eq!(run.code, Some(0), "{signal} {calls}: {run:?}");
            assert_eq!(
                (rest.as_str(), run.stderr.as_str()),
                ("", ""),
                "{signal} {calls}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn credential_plugin_of_a_call_ends_with_the_server() {
    for signal in [None, Some("INT"), Some("TERM")] {
        let server = server();
        let plugin = hanging(&server);
        let mut lines = Lines::with(&plugin, &["--kubeconfig=config", "-n", "shop"]);
        lines.open();
        lines.call(1);
        let mut alive = BufReader::new(fs::File::open(plugin.path("alive")).unwrap());
        let mut line = String::new();
        alive.read_line(&mut line).unwrap();
        if let Some(signal) = signal {
            let id = lines.server.id().to_string();
            let mut kill = std::process::Command::new("kill");
            assert!(kill.args(["-s", signal, &id]).status().unwrap().success());
        } else {
            drop(lines.stdin.take());
        }
        let mut rest = String::new();
        lines.stdout.read_to_string(&mut rest).unwrap();
        let run = Run::from(lines.server.wait_with_output().unwrap());
        assert_eq!(run.code, Some(0), "{signal:?}: {run:?}");
        // No process has it open any more.
        assert_eq!(alive.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}

/// The first message is answered before a server without the limit could keep it.
#[test]
fn message_that_is_too_long_is_answered_with_its_id_and_the_next_one_is_read() {
    let plugin = Plugin::bare();
    let mut lines = Lines::start(&plugin);
    lines.open();
    let long = "x".repeat(17 << 20);
    for (line, id) in [
        (
            format!(r#"{{"id":"one","method":"tools/call","params":{{"id":2,"a":"{long}"}}}}"#),
            json!("one"),
        ),
        (
            format!(r#"{{"method":"tools/call","params":["{long}"],"id":3}}"#),
            json!(3),
        ),
        (long.clone(), Value::Null),
    ] {
        lines.write(&line);
        let answer = lines.read();
        assert_eq!(answer.as_object().unwrap().get("id"), Some(&id), "{answer}");
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("more than 16 MiB"), "{answer}");
    }
    lines.write(r#"{"jsonrpc": "2.0", "id": 8, "method": "tools/list"}"#);
    assert_eq!(lines.read()["id"], 8);
    let (_, run) = lines.close();
    assert_eq!(run.code, Some(0), "{run:?}");
    let notes = run.stderr.matches("bytes was not read: at most 16 MiB are");
    assert_eq!(notes.count(), 3, "{run:?}");
}

/// Reads of the cluster that never end by themselves, for a simulation.
#[cfg(unix)]
fn endless(server: &crate::server::Server) {
    let never = Answer::json(&list(vec![])).after(std::time::Duration::from_hours(1));
    server.set(HPAS, never);
}

#[cfg(unix)]
fn simulation() -> Value {
    json!({"name": "web", "for": "1m", "seeds": 1, "load": "1cores"})
}

#[cfg(unix)]
#[test]
fn calls_take_turns_too_many_are_refused_and_those_that_are_cancelled_make_room() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut lines = Lines::start(&plugin);
    lines.open();
    let answer = server.answer(HPAS);
    let before = server.count(HPAS);
    endless(&server);
    // Two run, 32 wait.
    for id in 1..=35 {
        lines.call_with(id, "hpa_simulate", &simulation());
    }
    let refused = lines.read();
    assert_eq!(refused["id"], 35, "{refused}");
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("32 calls wait already"), "{refused}");
    while server.count(HPAS) < before + 2 {
        std::thread::yield_now();
    }
    server.set(HPAS, Answer::text(200, "application/json", &answer));
    // Calls of other tools do not wait for them.
    lines.call(100);
    assert_eq!(lines.read()["id"], 100);
    // One that waits leaves without a word.
    lines.cancel(4);
    for id in [1, 2] {
        lines.cancel(id);
    }
    let answered: Vec<i64> = (0..31)
        .map(|_| lines.read()["id"].as_i64().unwrap())
        .collect();
    let mut sorted = answered.clone();
    sorted.sort_unstable();
    let expected: Vec<i64> = (3..=34).filter(|id| *id != 4).collect();
    assert_eq!(sorted, expected);
    // They begin in order, two at a time: at each answer at most one that began before is still running. Which of two
    // ends first depends on the load of the machine.
    for (index, id) in answered.iter().enumerate() {
        let running = answered[index..].iter().filter(|later| *later < id);
        assert!(running.count() <= 1, "{id} in {answered:?}");
    }
    let (rest, run) = lines.close();
    assert_eq!((rest.as_str(), run.code), ("", Some(0)), "{run:?}");
}

/// Of every tool, while its server has no answer; without a token there is none.
#[test]
fn client_that_sends_a_token_sees_progress_until_it_cancels() {
    let world = World::whole();
    let web = json!({"name": "web"});
    let past = json!({"name": "web", "from": FROM, "to": TO});
    let mut lines = Lines::with(&world.plugin, &["--prometheus", &world.url()]);
    lines.open();
    let answer = world.server.answer(HPAS);
    endless(&world.server);
    for (id, tool, arguments) in [
        (1, "hpa_list", &json!({})),
        (3, "hpa_explain", &web),
        (5, "hpa_lint", &web),
        (7, "hpa_simulate", &web),
        (9, "hpa_history", &past),
    ] {
        let token = format!("of {tool}");
        lines.call_with(id + 1, tool, arguments);
        let params =
            json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": token}});
        lines.write(
            &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
                .to_string(),
        );
        for second in 1..=2 {
            let message = lines.read();
            assert_eq!(message["method"], "notifications/progress", "{message}");
            let progress = &message["params"];
            assert_eq!(progress["progressToken"], *token, "{message}");
            assert_eq!(progress["progress"], f64::from(second), "{message}");
            assert_eq!(progress["message"], "reading the cluster", "{message}");
        }
        lines.cancel(id);
        lines.cancel(id + 1);
    }
    let answer = Answer::text(200, "application/json", &answer);
    world.server.set(HPAS, answer);
    lines.call(11);
    assert_eq!(lines.read()["id"], 11);
    let (rest, run) = lines.close();
    assert_eq!((rest.as_str(), run.code), ("", Some(0)), "{run:?}");
}

/// All places of a tool have calls that wait for a server: a later one is answered only if their threads have ended.
#[cfg(unix)]
#[test]
fn cancelled_calls_of_every_tool_end_and_later_ones_are_answered() {
    let world = World::whole();
    let web = json!({"name": "web"});
    let past = json!({"name": "web", "from": FROM, "to": TO});
    for (tool, arguments, places) in [
        ("hpa_history", &past, 2),
        ("hpa_lint", &web, 4),
        ("hpa_list", &json!({}), 4),
        ("hpa_explain", &web, 4),
    ] {
        let mut lines = Lines::with(&world.plugin, &["--prometheus", &world.url()]);
        lines.open();
        let answer = world.server.answer(HPAS);
        let before = world.server.count(HPAS);
        endless(&world.server);
        for id in 1..=places {
            lines.call_with(id, tool, arguments);
        }
        while world.server.count(HPAS) < before + usize::try_from(places).unwrap() {
            std::thread::yield_now();
        }
        let answer = Answer::text(200, "application/json", &answer);
        world.server.set(HPAS, answer);
        lines.call_with(10, tool, arguments);
        for id in 1..=places {
            lines.cancel(id);
        }
        let answer = lines.read();
        assert_eq!(answer["id"], 10, "{tool}: {answer}");
        assert_eq!(answer["result"]["isError"], false, "{tool}: {answer}");
        let (rest, run) = lines.close();
        assert_eq!((rest.as_str(), run.code), ("", Some(0)), "{tool}: {run:?}");
        assert_eq!(run.stderr, "", "{tool}");
    }
}

/// Both places of the tool have calls that wait for the monitoring server, at the start of what they read and near its
/// end. A later call is answered only if these have ended.
#[cfg(unix)]
#[test]
fn history_that_is_cancelled_while_it_reads_asks_for_nothing_more() {
    let past = json!({"name": "web", "from": FROM, "to": TO});
    for series in [
        "kube_horizontalpodautoscaler_",
        "container_cpu_usage_seconds_total",
    ] {
        let is_stalled = Arc::new(AtomicBool::new(false));
        let world = World::stalling(series, &is_stalled);
        let mut lines = Lines::with(&world.plugin, &["--prometheus", &world.url()]);
        lines.open();
        let mut answer = |id: i32| {
            let before = world.requests();
            lines.call_with(id, "hpa_history", &past);
            let answer = lines.read();
            assert_eq!(answer["id"], id, "{series}: {answer}");
            assert_eq!(answer["result"]["isError"], false, "{series}: {answer}");
            (world.requests() - before, answer["result"].clone())
        };
        let whole = answer(1);
        let before = world.reads(series);
        is_stalled.store(true, Ordering::SeqCst);
        for id in [2, 3] {
            lines.call_with(id, "hpa_history", &past);
        }
        while world.reads(series) < before + 2 {
            std::thread::yield_now();
        }
        for id in [2, 3] {
            lines.cancel(id);
        }
        // One that waits for a place is answered by the protocol's thread, after it took the cancellations.
        lines.write(&json!({"jsonrpc": "2.0", "id": 4, "method": "ping"}).to_string());
        assert_eq!(lines.read()["id"], 4);
        is_stalled.store(false, Ordering::SeqCst);
        lines.call_with(5, "hpa_history", &past);
        let answer = lines.read();
        assert_eq!((&answer["id"], &answer["result"]), (&json!(5), &whole.1));
        let after = world.requests();
        let (rest, run) = lines.close();
        assert_eq!(
            (rest.as_str(), run.code),
            ("", Some(0)),
            "{series}: {run:?}"
        );
        assert_eq!(run.stderr, "", "{series}");
        assert_eq!(world.requests(), after, "{series}");
    }
}

/// Each of them would compute for minutes, and the third one waits until they have ended.
#[cfg(unix)]
#[test]
fn simulation_that_is_cancelled_stops_computing() {
    let server = server();
    server.set_json(HPAS, &list(vec![crate::world::hpa("web")]));
    let plugin = Plugin::of(&server);
    let mut lines = Lines::start(&plugin);
    lines.open();
    let long = json!({"name": "web", "for": "24h", "seeds": 32, "load": "1cores",
        "set": ["minReplicas=90", "maxReplicas=90"]});
    for id in [1, 2] {
        lines.call_with(id, "hpa_simulate", &long);
    }
    lines.call_with(3, "hpa_simulate", &simulation());
    for id in [1, 2] {
        lines.cancel(id);
    }
    let answer = lines.read();
    assert_eq!(answer["id"], 3, "{answer}");
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    // The same, when the client leaves.
    for id in 4..=10 {
        lines.call_with(id, "hpa_simulate", &long);
    }
    let (_, run) = lines.close();
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(run.stderr, "");
}
