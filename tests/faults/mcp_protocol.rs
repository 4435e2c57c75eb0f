//! `mcp` line by line: the content of standard output, and how the server ends.

#[cfg(unix)]
use std::fs;
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

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
        let params = json!({"name": "hpa_list", "arguments": {}});
        self.write(
            &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
                .to_string(),
        );
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
