//! The control plane that all tests share, and `kubectl`.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::{Arc, OnceLock},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::manifest::{autoscaler_definitions, widget_definitions};

/// How long anything may take that the tests wait for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running control plane. It ends with this process at the latest, by the end of its standard input.
pub(crate) struct Cluster {
    process: Child,
    directory: PathBuf,
    kubectl: PathBuf,
}

/// Returns the cluster, started by whoever asks first.
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
    /// Starts a cluster of one test's own whose flags nobody can read, as on a managed control plane: the controller's
    /// pod is not in the cluster.
    pub(crate) fn with_hidden_flags(name: &str, flags: &[&str]) -> Arc<Self> {
        let cluster = Self::start(name, flags);
        let pod = "kube-controller-manager-testcluster";
        let delete = ["delete", "pod", pod, "--namespace=kube-system", "--force"];
        succeed(&mut cluster.kubectl(delete));
        Arc::new(cluster)
    }

    /// Starts `testcluster` and waits until it answers.
    fn start(name: &str, flags: &[&str]) -> Self {
        let binaries = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/bin");
        let program = binaries.join("testcluster");
        assert!(
            program.exists(),
            "{} isn't built: run tests/cluster/build.sh (needs Go)",
            program.display()
        );
        // Left behind, so that a failure can be looked into.
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        let mut process = Command::new(program)
            // Clients of the API go by the name of the program, also in managedFields.
            .arg0("kube-controller-manager")
            .arg("--kubeconfig")
            .arg(directory.join("kubeconfig"))
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert!(
            line.starts_with("ready "),
            "testcluster didn't get ready; its standard error says why"
        );
        Self {
            process,
            directory,
            kubectl: binaries.join("kubectl"),
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
            writeln!(input, "{object}\n---").unwrap();
        }
        drop(input);
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "kubectl apply: {}", said(&output));
    }

    /// Returns a file of this cluster's directory, for kubeconfigs and recordings.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

impl Drop for Cluster {
    /// The process ends by the end of its standard input; its memory is needed for the next one.
    fn drop(&mut self) {
        self.process.stdin.take();
        let _ = self.process.wait();
    }
}

/// Runs the command, which must succeed, and returns its standard output.
#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        said(&output)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Asks again and again until the answer is there.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(200));
    }
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
