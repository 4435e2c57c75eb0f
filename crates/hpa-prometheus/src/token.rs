//! The bearer token that the user's command prints.

use std::{process::Stdio, time::Duration};

use hpa_cluster::{ChildProcess, ProcessGroup, shell::shell, without_secrets};
use http::HeaderValue;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::Command,
    sync::Mutex,
};

use super::MonitoringError;

/// A token that is printed again once it is rejected.
pub(super) struct Token {
    command: String,
    current: Mutex<Option<HeaderValue>>,
}

impl Token {
    /// Creates it without running the command.
    pub(super) fn new(command: String) -> Self {
        Self {
            command,
            current: Mutex::new(None),
        }
    }

    /// The header `Authorization`.
    pub(super) async fn header(&self) -> Result<HeaderValue, MonitoringError> {
        let mut current = self.current.lock().await;
        if let Some(header) = &*current {
            return Ok(header.clone());
        }
        let header = printed(&self.command, PATIENCE).await;
        let header = header.map_err(MonitoringError::TokenCommand)?;
        *current = Some(header.clone());
        Ok(header)
    }

    /// A new token, as the server rejects `used`; `None` if there is no other.
    pub(super) async fn renewed(
        &self,
        used: &HeaderValue,
    ) -> Result<Option<HeaderValue>, MonitoringError> {
        {
            let mut current = self.current.lock().await;
            if current.as_ref() == Some(used) {
                *current = None;
            }
        }
        let header = self.header().await?;
        Ok((header != *used).then_some(header))
    }
}

/// Runs the command. Errors contain nothing of its standard output.
async fn printed(command: &str, patience: Duration) -> Result<HeaderValue, String> {
    let mut shell = Command::from(shell(command.as_ref()));
    shell
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let running = ChildProcess::start(shell, ProcessGroup::Own);
    let mut running = running.map_err(|error| format!("cannot run the shell: {error}"))?;
    let (stdout, stderr) = running.outputs();
    let ended = async {
        let (token, complaint) = tokio::join!(first_of(stdout), first_of(stderr));
        (running.wait().await, token, complaint)
    };
    let (status, token, complaint) = tokio::time::timeout(patience, ended)
        .await
        .map_err(|_| format!("the command did not end within {} s", patience.as_secs()))?;
    let status = status.map_err(|error| format!("cannot wait for the command: {error}"))?;
    if !status.success() {
        let complaint = without_secrets(&complaint);
        let colon = if complaint.is_empty() { "" } else { ": " };
        let how = match status.code() {
            Some(code) => format!("failed with exit code {code}"),
            None => format!("was ended by a {status}"),
        };
        return Err(format!("the command {how}{colon}{complaint}"));
    }
    match token.trim() {
        "" => Err(
            "the command printed nothing: it must print the token on standard output".to_owned(),
        ),
        token => {
            let header: Result<HeaderValue, _> = format!("Bearer {token}").parse();
            let mut header = header.map_err(|_| {
                "the command printed more than a token: it must print the token and nothing else"
            })?;
            header.set_sensitive(true);
            Ok(header)
        }
    }
}

/// The first KiB. The rest is read too, so that the command does not block.
async fn first_of(output: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut output) = output else {
        return String::new();
    };
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = output.read(&mut buffer).await {
        if kept.len() < MOST_BYTES {
            kept.extend_from_slice(&buffer[..count]);
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// Time limit for the command: some prompt the user in a browser.
const PATIENCE: Duration = Duration::from_mins(1);
/// Most bytes of its output that are kept.
const MOST_BYTES: usize = 64 << 10;

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn run(command: &str, patience: Duration) -> Result<String, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let header = runtime.block_on(printed(command, patience))?;
        assert!(!format!("{header:?}").contains("hunter2"));
        Ok(header.to_str().unwrap().to_owned())
    }

    #[test]
    fn token_is_what_the_command_prints() {
        let seconds = Duration::from_secs(20);
        assert_eq!(
            run("printf '\\n hunter2 \\n'", seconds).unwrap(),
            "Bearer hunter2"
        );
        for (command, expected) in [
            (
                "echo hunter2; echo not logged in >&2; exit 3",
                "failed with exit code 3: not logged in",
            ),
            ("true", "printed nothing"),
            ("echo hunter2; echo hunter2", "printed more than a token"),
        ] {
            let error = run(command, seconds).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let error = run("sleep 600 & sleep 600", Duration::from_millis(50)).unwrap_err();
        assert!(error.contains("did not end within"), "{error}");
    }
}
