//! The server for agents, with any bytes on its standard input: each line gets at most one answer, and then it ends.
//!
//! It has no cluster: its API server refuses connections.

use hpa_cluster::ConnectionArgs;
use std::{
    io::{self, Write as _},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
};

use kubectl_hpa::{
    cli::{Cli, Command, McpArgs},
    commands::mcp,
};
use serde_json::{Value, json};
use tokio::{io::AsyncWrite, runtime::Builder};

/// At most this many lines: each can be a call.
const LINES: usize = 40;

pub fn mcp(bytes: &[u8]) {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').take(LINES).collect();
    let mut input = opening();
    input.extend(lines.join(&b'\n'));
    let output = Output::default();
    let runtime = Builder::new_current_thread().enable_all().build();
    let ended = runtime.expect("it starts").block_on(mcp::serve(
        &arguments(),
        io::Cursor::new(input),
        output.clone(),
    ));
    ended.expect("the handshake is right");
    let written = output.0.lock().expect("no thread has panicked").clone();
    let text = String::from_utf8(written).expect("it is text");
    assert!(text.is_empty() || text.ends_with('\n'));
    assert!(text.lines().count() <= lines.len() + 1, "{text}");
    for line in text.lines() {
        let answer: Value = serde_json::from_str(line).expect("it is JSON");
        assert_eq!(answer["jsonrpc"], "2.0", "{line}");
        assert!(answer.get("id").is_some(), "{line}");
        assert!(
            answer["result"].is_object() != answer["error"].is_object(),
            "{line}"
        );
        assert!(!line.contains("this is a bug"), "{line}");
    }
}

/// The handshake, without which everything else is refused.
fn opening() -> Vec<u8> {
    let client = json!({"name": "fuzz", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let mut lines = Vec::new();
    for message in [
        json!({"jsonrpc": "2.0", "id": "open", "method": "initialize", "params": params}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ] {
        writeln!(lines, "{message}").expect("memory can be written");
    }
    lines
}

fn arguments() -> McpArgs {
    let parsed = <Cli as clap::Parser>::try_parse_from(["kubectl-hpa", "mcp"]);
    let Ok(Command::Mcp(args)) = parsed.map(|cli| cli.command) else {
        panic!("the command line is right");
    };
    let args = *args;
    McpArgs {
        connection: ConnectionArgs {
            // Not the kubeconfig of the user who runs this.
            kubeconfig: Some("/dev/null".into()),
            server: Some("http://127.0.0.1:1".to_owned()),
            namespace: Some("shop".to_owned()),
            request_timeout: Some("1s".to_owned()),
            ..args.connection
        },
        ..args
    }
}

/// What the server writes.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Output {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut written = self.0.lock().map_err(|_| io::ErrorKind::Other)?;
        written.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
