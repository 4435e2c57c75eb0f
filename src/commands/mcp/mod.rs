//! `kubectl hpa mcp`: a server of the Model Context Protocol, for agents. Its tools are the commands.

mod calls;
mod fitted;
mod input;
mod kept;
mod long_line;
mod portion;
mod reach;
mod server;
mod tools;
mod transport;

use std::{
    io::{self, IsTerminal as _},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, anyhow};
use rmcp::service::{ServerInitializeError, serve_server};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{sleep, timeout},
};

use crate::{
    cli::{ColorChoice, McpArgs},
    exit_code::ExitStatus,
    process::{runtime::runtime, stop::StopSignal, workflow::say},
};
use reach::OpenClusters;
use server::HpaServer;
use transport::LineTransport;

/// Runs `kubectl hpa mcp` until the client closes standard input, or until Ctrl-C.
pub(crate) fn run(args: &McpArgs, _color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let server = HpaServer::new(Arc::new(OpenClusters::new(args)?));
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let mut stop = StopSignal::listen_for_good().context("cannot listen for signals")?;
        if io::stdin().is_terminal() {
            say("waiting for a client of the Model Context Protocol; Ctrl-C ends it");
        }
        let ended = tokio::select! {
            ended = serve_lines(&server, tokio::io::stdin(), tokio::io::stdout()) => ended,
            // Before the server is dropped, which cancels its calls one by one.
            () = async {
                stop.wait().await;
                server.calls().end();
            } => Ok(()),
        };
        // Ends a credential plugin that a call waits for.
        StopSignal::raise();
        server.calls().end();
        let _ = timeout(REST, server.calls().idle()).await;
        ended
    });
    // A read of standard input cannot be interrupted, so it is not awaited.
    runtime.shutdown_background();
    ended.map(|()| ExitStatus::Success)
}

/// Serves one client until the input ends. Calls that run then get a second to answer.
pub async fn serve(
    args: &McpArgs,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> anyhow::Result<()> {
    let server = HpaServer::new(Arc::new(OpenClusters::new(args)?));
    let ended = serve_lines(&server, input, output).await;
    server.calls().end();
    server.calls().idle().await;
    ended
}

async fn serve_lines(
    server: &HpaServer,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> anyhow::Result<()> {
    let transport = LineTransport::new(input, output);
    let closed = transport.closed();
    match serve_server(server.clone(), transport).await {
        Ok(running) => tokio::select! {
            ended = running.waiting() => {
                ended.context("the server failed")?;
                Ok(())
            }
            () = async {
                closed.notified().await;
                sleep(PATIENCE).await;
                server.calls().end();
                // Those that notice answer that.
                sleep(REST).await;
            } => Ok(()),
        },
        // The client has closed standard input, or it was empty.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(anyhow!(
            "the client does not speak the Model Context Protocol: {error}"
        )),
    }
}

/// How long calls may take to answer after the client has closed standard input.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long cancelled calls may take to end.
const REST: Duration = Duration::from_millis(200);
