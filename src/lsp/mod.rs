//! `kubectl hpa lint --lsp`: lint as a language server, on standard input and output.
//!
//! ```text
//! texts of the editor + files of the workspace ─▶ one run of the rules ─▶ diagnostics; hover and code actions from the same run
//! ```
//!
//! One thread does everything, so that an answer always refers to the text that the editor has sent. Typing is checked
//! after a pause; a document that cannot be parsed while the user types keeps the findings before and after the
//! change.

mod actions;
mod address;
mod client;
mod documents;
mod placing;
mod position;
mod session;
mod transport;
mod workspace;

use anyhow::{Context as _, anyhow};
use client::{Client, capabilities};
use gen_lsp_types::{InitializeParams, InitializeResult, ServerInfo};
use lsp_server::{Connection, ErrorCode, Response};
use session::{Ended, Session};

use crate::{cli::LintArgs, exit_code::ExitStatus};

/// Serves one client until it sends `exit`. Without a `shutdown` before, the exit code is 1, as the protocol requires.
pub(crate) fn run(args: &LintArgs) -> anyhow::Result<ExitStatus> {
    let (connection, transport) = transport::start();
    let ended = serve(args, &connection)?;
    // The writer ends with the last sender.
    drop(connection);
    transport
        .join()
        .context("the client sent what is not LSP")?;
    match ended {
        Ended::AfterShutdown => Ok(ExitStatus::Success),
        Ended::WithoutShutdown => Ok(ExitStatus::Findings),
        Ended::Disconnected => Err(anyhow!(
            "the client closed the connection without `shutdown` and `exit`"
        )),
    }
}

fn serve(args: &LintArgs, connection: &Connection) -> anyhow::Result<Ended> {
    let start = "--lsp: no language client started a session; an editor runs this command";
    let (id, params) = connection.initialize_start().context(start)?;
    let params: InitializeParams = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => {
            let message = format!("the parameters of initialize cannot be read: {error}");
            let code = ErrorCode::InvalidParams as i32;
            let answer = Response::new_err(id, code, message.clone());
            connection.sender.send(answer.into())?;
            return Err(anyhow!(message));
        }
    };
    let client = Client::of(&params);
    let result = InitializeResult {
        capabilities: capabilities(&client),
        server_info: Some(ServerInfo {
            name: "kubectl-hpa".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    connection
        .sender
        .send(Response::new_ok(id, result).into())?;
    Session::new(args, connection, client, &params).serve()
}
