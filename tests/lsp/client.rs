//! A small client: it sends the test's messages and keeps the server's.

use std::{
    collections::VecDeque,
    fs,
    io::{BufRead, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// An HPA whose bounds are equal, which is HPA102.
pub(crate) const HPA: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 3
  maxReplicas: 3
  metrics:
    - type: External
      external:
        metric: {name: queue, selector: {matchLabels: {queue: web}}}
        target: {type: AverageValue, averageValue: \"30\"}
";

/// Its Deployment, which sets replicas: HPA406.
pub(crate) const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: web:1
";

/// Nothing here takes long; a server that does not answer fails the test instead of hanging it.
const PATIENCE: Duration = Duration::from_mins(2);

/// A folder with manifests, as a repository.
pub(crate) struct Workspace {
    folder: TempDir,
}

impl Workspace {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let workspace = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(workspace.path(".git")).unwrap();
        for (name, text) in files {
            workspace.write(name, text);
        }
        workspace
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        // If the folder of temporary files is a link, findings name its destination.
        fs::canonicalize(self.folder.path()).unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn uri(&self, name: &str) -> String {
        uri(&self.path(name))
    }

    /// What the program prints in this folder.
    pub(crate) fn run(&self, flags: &str) -> Output {
        command(&self.path(""))
            .args(flags.split_whitespace())
            .output()
            .unwrap()
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command
        .current_dir(folder)
        .env("KUBECONFIG", "/dev/null")
        .stdin(Stdio::null());
    command
}

/// A client and its server.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    received: Receiver<Value>,
    /// Messages that arrived while waiting for others.
    kept: VecDeque<Value>,
    next_id: i32,
}

impl Client {
    /// Starts the server without sending anything.
    pub(crate) fn start(workspace: &Workspace, flags: &str) -> Self {
        let mut child = command(&workspace.path(""))
            .args(["lint", "--lsp"])
            .args(flags.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let (sender, received) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut out) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            received,
            kept: VecDeque::new(),
            next_id: 0,
        }
    }

    /// Starts the server and a session in the workspace.
    pub(crate) fn open(workspace: &Workspace, flags: &str, capabilities: &Value) -> Self {
        let mut client = Self::start(workspace, flags);
        let answer = client.request(
            "initialize",
            &json!({
                "processId": null,
                "rootUri": workspace.uri(""),
                "workspaceFolders": [{"uri": workspace.uri(""), "name": "test"}],
                "capabilities": capabilities,
            }),
        );
        assert!(answer["result"]["capabilities"].is_object(), "{answer}");
        client.notify("initialized", &json!({}));
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_raw(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    pub(crate) fn send_raw(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The next message of this kind. All others are kept.
    #[track_caller]
    pub(crate) fn wait(&mut self, mut is_it: impl FnMut(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&mut is_it) {
            return self.kept.remove(at).unwrap();
        }
        loop {
            let received = self.received.recv_timeout(PATIENCE);
            let message = received.expect("the server sends what is waited for");
            if is_it(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    pub(crate) fn did_open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
    }

    /// Replaces the whole text of a document.
    pub(crate) fn did_change(&mut self, uri: &str, version: i32, text: &str) {
        self.notify(
            "textDocument/didChange",
            &json!({
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"text": text}],
            }),
        );
    }

    /// The diagnostics of a version of a document.
    #[track_caller]
    pub(crate) fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Ends the session as the protocol requires.
    pub(crate) fn close(mut self) {
        assert_eq!(
            self.request("shutdown", &Value::Null)["result"],
            Value::Null
        );
        self.notify("exit", &Value::Null);
        assert_eq!(self.end(), (Some(0), String::new()));
    }

    /// Exit code and standard error after the end of the input.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let code = self.child.wait().unwrap().code();
        let mut text = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut text).unwrap();
        (code, text)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(out: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if out.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(text) = line.strip_prefix("Content-Length: ") {
            length = text.parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    out.read_exact(&mut body).unwrap();
    Some(serde_json::from_slice(&body).unwrap())
}

/// `CODE line:column-line:column` of diagnostics.
pub(crate) fn places(diagnostics: &[Value]) -> Vec<String> {
    let place = |position: &Value| format!("{}:{}", position["line"], position["character"]);
    let mut places: Vec<String> = diagnostics
        .iter()
        .map(|one| {
            let (code, range) = (one["code"].as_str().unwrap_or("-"), &one["range"]);
            format!("{code} {}-{}", place(&range["start"]), place(&range["end"]))
        })
        .collect();
    // A test of its own covers what could not be checked.
    places.retain(|place| !place.starts_with("HPA013 "));
    places
}

/// The diagnostic with a code.
#[track_caller]
pub(crate) fn of_code<'a>(diagnostics: &'a [Value], code: &str) -> &'a Value {
    let mut found = diagnostics.iter().filter(|one| one["code"] == code);
    found
        .next()
        .unwrap_or_else(|| panic!("no {code}: {diagnostics:#?}"))
}
