//! `kubectl hpa mcp`: a server of the Model Context Protocol, for agents. Its tools are the commands.

mod input;
mod reach;
mod server;
mod tools;

use std::{
    io::{self, IsTerminal as _},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, anyhow};
use rmcp::service::{ServerInitializeError, serve_server};

use super::{runtime::runtime, stop::StopSignal, workflow::say};
use crate::{
    cli::{ColorChoice, McpArgs},
    exit_code::ExitStatus,
};
use reach::Reach;
use server::HpaServer;

/// Runs `kubectl hpa mcp` until the client closes standard input, or until Ctrl-C.
pub(super) fn run(args: &McpArgs, _color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let server = HpaServer::new(Arc::new(Reach::new(args.clone())?));
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let mut stop = StopSignal::listen_for_good().context("cannot listen for signals")?;
        if io::stdin().is_terminal() {
            say("waiting for a client of the Model Context Protocol; Ctrl-C ends it");
        }
        let ended = tokio::select! {
            ended = serve(server.clone()) => ended,
            () = stop.wait() => Ok(()),
        };
        // Ends a credential plugin that a call waits for.
        StopSignal::raise();
        let _ = tokio::time::timeout(PATIENCE, server.idle()).await;
        ended
    });
    // A read of standard input cannot be interrupted, so it is not awaited.
    runtime.shutdown_background();
    ended.map(|()| ExitStatus::Success)
}

async fn serve(server: HpaServer) -> anyhow::Result<()> {
    let transport = (tokio::io::stdin(), tokio::io::stdout());
    match serve_server(server, transport).await {
        Ok(running) => {
            running.waiting().await.context("the server failed")?;
            Ok(())
        }
        // The client has closed standard input, or it was empty.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(anyhow!(
            "the client does not speak the Model Context Protocol: {error}"
        )),
    }
}

/// How long calls may take to end with the server.
const PATIENCE: Duration = Duration::from_secs(1);
