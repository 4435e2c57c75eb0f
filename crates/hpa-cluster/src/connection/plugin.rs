//! Runs a credential plugin, within limits. Upstream: client-go's `exec.Authenticator`.
//!
//! kube could run it as well, but without limits, and kube's errors repeat the plugin's input and output: secrets.

use std::{
    io::{self, IsTerminal as _},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use hpa_words::sanitize::one_line;
use jiff::Timestamp;
use kube::config::{ExecConfig, ExecInteractiveMode};
use serde::Deserialize;
use serde_json::json;
use tokio::{process::Command, sync::Mutex};

use super::complaint;
use crate::child_process::{ChildProcess, ProcessGroup, all_of, last_of};

/// The output of a plugin.
pub(super) struct PluginCredentials {
    /// A bearer token.
    pub(super) token: Option<String>,
    /// A client certificate and its key, in PEM.
    pub(super) certificate: Option<(String, String)>,
    /// When they expire.
    pub(super) expires: Option<Timestamp>,
}

/// The limits of a plugin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// How long it may take, if the user has set it.
    pub(super) patience: Option<Duration>,
    /// Whether it may prompt the user. During a renewal the terminal shows something else.
    pub(super) may_ask: bool,
}

/// Runs the plugin. If this future is dropped, the plugin is killed, and without a terminal its child processes as
/// well. An error is one line without the plugin's input and standard output.
pub(super) async fn run(plugin: &ExecConfig, bounds: Bounds) -> Result<PluginCredentials, String> {
    let Some(name) = plugin.command.as_deref().filter(|name| !name.is_empty()) else {
        return Err("exec: the kubeconfig names no command".to_owned());
    };
    let may_ask = bounds.may_ask && has_terminal();
    // Two plugins that prompt at the same time would take each other's answers.
    let _prompt = if may_ask {
        Some(PROMPT.lock().await)
    } else {
        None
    };
    let patience = bounds.patience.or((!may_ask).then_some(PATIENCE));
    let printed = async {
        let mut running = start(name, plugin, may_ask)?;
        let (stdout, stderr) = running.outputs();
        let whole = async {
            let printed = all_of(stdout, MOST_BYTES).await;
            printed.ok_or_else(|| too_much(name))
        };
        let complaint = async { Ok(last_of(stderr, complaint::MOST_BYTES).await) };
        let (printed, complaint) = tokio::try_join!(whole, complaint)?;
        let status = running.wait().await;
        let status = status.map_err(|error| format!("exec: cannot wait for {name}: {error}"))?;
        if status.success() {
            return Ok(printed);
        }
        let complaint = complaint::cleaned(&complaint, plugin);
        let colon = if complaint.is_empty() { "" } else { ": " };
        Err(format!(
            "exec: executable {name} {}{colon}{complaint}",
            ending(status)
        ))
    };
    let printed = match patience {
        Some(patience) => tokio::time::timeout(patience, printed)
            .await
            .unwrap_or_else(|_| {
                Err(format!(
                    "exec: executable {name} gave no credentials within {patience:?}"
                ))
            }),
        None => printed.await,
    };
    printed
        .and_then(|printed| {
            credentials(&printed).map_err(|why| format!("exec: executable {name} {why}"))
        })
        .map_err(|error| one_line(&error).into_owned())
}

/// Whether a user is at the terminal.
fn has_terminal() -> bool {
    io::stdin().is_terminal() || io::stderr().is_terminal() || io::stdout().is_terminal()
}

fn start(name: &str, plugin: &ExecConfig, may_ask: bool) -> Result<ChildProcess, String> {
    let mode = plugin.interactive_mode.as_ref();
    let has_input =
        may_ask && io::stdin().is_terminal() && mode != Some(&ExecInteractiveMode::Never);
    if mode == Some(&ExecInteractiveMode::Always) && !has_input {
        return Err(format!(
            "exec: executable {name} needs a terminal (interactiveMode: Always), and standard input is not one"
        ));
    }
    let shows_errors = may_ask && io::stderr().is_terminal();
    let mut command = Command::new(name);
    command
        .args(plugin.args.iter().flatten())
        .envs(
            plugin
                .env
                .iter()
                .flatten()
                .filter_map(|variable| Some((variable.get("name")?, variable.get("value")?))),
        )
        .env("KUBERNETES_EXEC_INFO", info(plugin, has_input)?)
        .stdin(stdio(has_input, Stdio::null))
        .stdout(Stdio::piped())
        .stderr(stdio(shows_errors, Stdio::piped));
    let group = if may_ask {
        ProcessGroup::Ours
    } else {
        ProcessGroup::Own
    };
    ChildProcess::start(command, group).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let hint = plugin.install_hint.as_deref().unwrap_or_default().trim();
            let separator = if hint.is_empty() { "" } else { "; " };
            format!("exec: executable {name} not found{separator}{hint}")
        }
        _ => format!("exec: cannot run executable {name}: {error}"),
    })
}

fn stdio(is_ours: bool, otherwise: fn() -> Stdio) -> Stdio {
    if is_ours {
        Stdio::inherit()
    } else {
        otherwise()
    }
}

/// The input of the plugin. Upstream: `clientauthentication.ExecCredential`.
fn info(plugin: &ExecConfig, has_input: bool) -> Result<String, String> {
    let mut spec = json!({"interactive": has_input});
    if plugin.provide_cluster_info {
        let cluster = serde_json::to_value(&plugin.cluster);
        spec["cluster"] = cluster.map_err(|_| "exec: the cluster cannot be written as JSON")?;
    }
    let info = json!({"apiVersion": plugin.api_version, "kind": "ExecCredential", "spec": spec});
    Ok(info.to_string())
}

fn too_much(name: &str) -> String {
    format!(
        "exec: executable {name} printed more than {} MiB, which is not an ExecCredential",
        MOST_BYTES >> 20
    )
}

fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => format!("was ended by a {status}"),
    }
}

#[derive(Deserialize)]
struct ExecCredential {
    status: Option<PluginStatus>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PluginStatus {
    expiration_timestamp: Option<String>,
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
}

/// Parses JSON, or YAML, which client-go accepts as well. An error says what is wrong and quotes nothing.
fn credentials(printed: &[u8]) -> Result<PluginCredentials, &'static str> {
    let credential: ExecCredential = serde_json::from_slice(printed)
        .ok()
        .or_else(|| serde_saphyr::from_slice(printed).ok())
        .ok_or("printed something that is not an ExecCredential")?;
    let status = credential
        .status
        .ok_or("printed an ExecCredential without a status")?;
    let expires = status
        .expiration_timestamp
        .map(|time| time.parse())
        .transpose()
        .map_err(|_| "printed an ExecCredential whose expirationTimestamp is not a time")?;
    let is_given = |text: &String| !text.is_empty();
    let token = status.token.filter(is_given);
    let certificate = status.client_certificate_data.filter(is_given);
    let certificate = match (certificate, status.client_key_data.filter(is_given)) {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => None,
        _ => return Err("printed a client certificate without its key, or a key alone"),
    };
    if token.is_none() && certificate.is_none() {
        return Err("printed an ExecCredential without a token and a client certificate");
    }
    Ok(PluginCredentials {
        token,
        certificate,
        expires,
    })
}

/// Held by the plugin that may prompt the user.
static PROMPT: Mutex<()> = Mutex::const_new(());
/// Longest output of a plugin, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// Longest run of a plugin that cannot prompt the user.
const PATIENCE: Duration = Duration::from_mins(1);
