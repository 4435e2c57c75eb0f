//! The real binary with isolated settings.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output},
    thread,
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::server::Server;

/// The binary, in an empty environment with a home of its own.
pub(crate) struct Plugin {
    home: TempDir,
    variables: Vec<(String, String)>,
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Run {
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// Exit code; `None` if it was ended by a signal.
    pub(crate) code: Option<i32>,
}

impl Plugin {
    /// Without any settings.
    pub(crate) fn bare() -> Self {
        Self {
            home: TempDir::new().unwrap(),
            variables: Vec::new(),
        }
    }

    /// With a kubeconfig in its home whose context `test` is `server` and the namespace `shop`.
    pub(crate) fn of(server: &Server) -> Self {
        Self::at(&server.url())
    }

    /// The same for the server at an address.
    pub(crate) fn at(url: &str) -> Self {
        let plugin = Self::bare();
        fs::create_dir(plugin.path(".kube")).unwrap();
        plugin.write(".kube/config", &kubeconfig("test", url));
        plugin
    }

    /// With a variable.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A path in its home.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Writes a file in its home.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The command, to be run.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.home.path())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.home.path());
        command
    }

    /// Runs it.
    pub(crate) fn run(&self, words: &[&str]) -> Run {
        Run::from(self.command(words).output().unwrap())
    }

    /// Runs `capture` with `words` and reads the snapshot that it must print.
    pub(crate) fn capture(&self, words: &[&str]) -> Value {
        let words: Vec<&str> = std::iter::once("capture")
            .chain(words.iter().copied())
            .collect();
        let run = self.run(&words);
        assert_eq!(run.code, Some(0), "{run:?}");
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
    }
}

/// Starts a command that cannot block a test forever.
pub(crate) trait SpawnLimited {
    /// Starts it. After three minutes it is killed, so that a test that waits for its output fails.
    fn spawn_limited(&mut self) -> Child;
}

impl SpawnLimited for Command {
    fn spawn_limited(&mut self) -> Child {
        let child = self.spawn().unwrap();
        let id = child.id();
        let executable = PathBuf::from(format!("/proc/{id}/exe"));
        thread::spawn(move || {
            thread::sleep(Duration::from_mins(3));
            // The id may belong to another process by now.
            let binary = Path::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
            if fs::read_link(executable).is_ok_and(|path| path == binary) {
                let _ = Command::new("kill")
                    .args(["-s", "KILL", &id.to_string()])
                    .status();
            }
        });
        child
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    }
}

impl Run {
    /// Checks that it failed, with nothing on standard output and this as the error.
    #[track_caller]
    pub(crate) fn fails_with(&self, message: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr, format!("error: {message}\n"));
    }
}

/// A kubeconfig with one context.
pub(crate) fn kubeconfig(context: &str, server: &str) -> String {
    format!(
        "apiVersion: v1
kind: Config
current-context: {context}
clusters:
- {{name: {context}, cluster: {{server: \"{server}\"}}}}
contexts:
- {{name: {context}, context: {{cluster: {context}, user: {context}, namespace: shop}}}}
users:
- {{name: {context}, user: {{token: secret-of-{context}}}}}
"
    )
}

/// The reason in `notRead` for `what`.
#[track_caller]
pub(crate) fn not_read<'a>(snapshot: &'a Value, what: &str) -> &'a Value {
    snapshot["notRead"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|entry| entry["what"] == what)
        .unwrap_or_else(|| panic!("no {what} in {}", snapshot["notRead"]))
}

/// Names of the files in a folder.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
