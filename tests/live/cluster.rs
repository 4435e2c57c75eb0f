//! The control plane that all tests share, and `kubectl`.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::SocketAddr,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio},
    sync::{Arc, Mutex, OnceLock},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    audit,
    manifest::{autoscaler_definitions, widget_definitions},
    releases,
};

/// The timeout for everything that the tests wait for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running control plane. It ends at the latest with this process, at the end of its standard input.
pub(crate) struct Cluster {
    process: Child,
    /// Accepts commands and answers them (`tests/cluster/README.md`).
    console: Mutex<Option<(ChildStdin, BufReader<ChildStdout>)>>,
    directory: PathBuf,
    kubectl: PathBuf,
}

/// Returns the cluster; the first caller starts it.
pub(crate) fn cluster() -> &'static Arc<Cluster> {
    static CLUSTER: OnceLock<Arc<Cluster>> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        // The only flag that isn't a default is a short window, so that an HPA without `behavior` can be seen going down.
        let flags = ["--horizontal-pod-autoscaler-downscale-stabilization=30s"];
        let cluster = Cluster::start("live", &flags);
        // The controller may take half a minute to learn of new kinds.
        cluster.apply(&widget_definitions());
        cluster.apply(&autoscaler_definitions());
        Arc::new(cluster)
    })
}

impl Cluster {
    /// Starts a separate cluster whose flags cannot be read, as on a managed control plane: the controller's pod is
    /// not in the cluster.
    pub(crate) fn with_hidden_flags(name: &str, flags: &[&str]) -> Arc<Self> {
        let cluster = Self::start(name, flags);
        let pod = "kube-controller-manager-testcluster";
        let delete = ["delete", "pod", pod, "--namespace=kube-system", "--force"];
        succeed(&mut cluster.kubectl(delete));
        Arc::new(cluster)
    }

    /// Starts a separate cluster that the test may damage.
    pub(crate) fn of_its_own(name: &str) -> Arc<Self> {
        Arc::new(Self::start(name, &[]))
    }

    /// Starts a separate cluster whose `audit.jsonl` has everything that the HPA controller did.
    pub(crate) fn with_audit(name: &str, flags: &[&str]) -> Arc<Self> {
        Arc::new(Self::start(name, flags))
    }

    /// Starts `testcluster` and waits until it answers.
    fn start(name: &str, flags: &[&str]) -> Self {
        let directory = Self::directory(name);
        let policy = directory.join("audit-policy.json");
        fs::write(&policy, audit_policy().to_string()).unwrap();
        let mut flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        for (name, value) in [("policy-file", policy), ("log-path", directory.join(AUDIT))] {
            flags.push(format!(
                "--apiserver-arg=--audit-{name}={}",
                value.display()
            ));
        }
        flags.push("--apiserver-arg=--audit-log-mode=blocking".to_owned());
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        Self::start_in(directory, &flags)
    }

    /// An empty folder. It is kept, so that a failure can be investigated.
    fn directory(name: &str) -> PathBuf {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    fn start_in(directory: PathBuf, flags: &[&str]) -> Self {
        let mut process = Command::new(releases::program("testcluster"))
            // Clients of the API are named after their program, also in managedFields.
            .arg0("kube-controller-manager")
            .arg("--kubeconfig")
            .arg(directory.join("kubeconfig"))
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut answers = BufReader::new(process.stdout.take().unwrap());
        answers.read_line(&mut line).unwrap();
        assert!(
            line.starts_with("ready "),
            "testcluster did not get ready; its standard error says why"
        );
        let commands = process.stdin.take().unwrap();
        Self {
            process,
            console: Mutex::new(Some((commands, answers))),
            directory,
            kubectl: releases::program("kubectl"),
        }
    }

    /// Returns a `kubectl` that finds the plugin on its `PATH`.
    pub(crate) fn kubectl<const N: usize>(&self, arguments: [&str; N]) -> Command {
        let plugin = Path::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .parent()
            .unwrap();
        let mut path = OsString::from(plugin);
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(&self.kubectl);
        command
            .args(arguments)
            .env("KUBECONFIG", self.directory.join("kubeconfig"))
            .env("HOME", &self.directory)
            .env("PATH", path)
            .env("LC_ALL", "C.UTF-8")
            .env("COLUMNS", "80");
        command
    }

    /// Creates or changes objects.
    pub(crate) fn apply(&self, objects: &[Value]) {
        let mut process = self
            .kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = process.stdin.take().unwrap();
        for object in objects {
            // As YAML: an older kubectl reads no JSON after a separator.
            writeln!(input, "---\n{object}").unwrap();
        }
        drop(input);
        let output = process.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "kubectl apply: {}",
            printed(&output)
        );
    }

    /// Sends the control plane a command, such as `kill apiserver`, and waits until it is done.
    #[track_caller]
    pub(crate) fn command(&self, command: &str) {
        let mut console = self.console.lock().unwrap();
        let (commands, answers) = console.as_mut().unwrap();
        writeln!(commands, "{command}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("done {command}\n"));
    }

    /// The address of the API server.
    pub(crate) fn address(&self) -> SocketAddr {
        let kubeconfig = fs::read_to_string(self.file("kubeconfig")).unwrap();
        let (_, rest) = kubeconfig.split_once("server: https://").unwrap();
        rest.lines().next().unwrap().parse().unwrap()
    }

    /// Fails if the plugin has ever sent the API server anything but reads and reviews of its own permissions. Returns
    /// the number of its reads.
    #[track_caller]
    pub(crate) fn assert_only_read(&self) -> usize {
        audit::assert_only_read(&self.file(AUDIT))
    }

    /// Returns a file of this cluster's directory, for kubeconfigs and recordings.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

impl Drop for Cluster {
    /// The process ends at the end of its standard input; the next one needs its memory.
    fn drop(&mut self) {
        self.console.lock().unwrap().take();
        let _ = self.process.wait();
    }
}

/// Each sync of the HPA controller: it begins with the read of the target's scale, and writes scale and status or not. Of what people
/// ask for, who asks for what.
fn audit_policy() -> Value {
    json!({
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        "rules": [
            {
                "level": "RequestResponse",
                "users": ["system:serviceaccount:kube-system:horizontal-pod-autoscaler"],
                "verbs": ["get", "update"],
                "resources": [
                    {"group": "apps", "resources": ["deployments/scale", "statefulsets/scale"]},
                    {"group": "autoscaling", "resources": ["horizontalpodautoscalers/status"]},
                ],
                "omitStages": ["RequestReceived"],
            },
            {"level": "None", "userGroups": ["system:serviceaccounts", "system:nodes"]},
            {"level": "None", "users": ["system:apiserver", "system:kube-controller-manager"]},
            {"level": "Metadata", "omitStages": ["ResponseStarted", "ResponseComplete", "Panic"]},
        ],
    })
}

/// The file in a cluster's directory with the requests of its API server.
const AUDIT: &str = "audit.jsonl";

/// Runs the command, which must succeed, and returns its standard output.
#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        printed(&output)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Retries until there is an answer.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        let waited = begin.elapsed();
        assert!(waited < PATIENCE, "waited in vain: {what}");
        // Each question costs the machine as much as a sync or more: what takes long is asked less often.
        thread::sleep((waited / 3).clamp(Duration::from_millis(200), Duration::from_secs(1)));
    }
}

fn printed(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
