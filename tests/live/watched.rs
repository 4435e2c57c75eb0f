//! A running `kubectl hpa watch` and its HPA.

use std::{
    cell::Cell,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    cluster::{eventually, succeed},
    manifest::{average, deployment, hpa},
    namespace::Namespace,
};

/// An HPA with a queue for three pods. It scales up and down immediately.
pub(crate) fn shop(namespace: Namespace) -> Namespace {
    load(&namespace, 3);
    let at_once = json!({
        "stabilizationWindowSeconds": 0,
        "policies": [{"type": "Pods", "value": 100, "periodSeconds": 1}],
    });
    namespace.apply([
        deployment("web", 3).object(),
        hpa("web")
            .bounds(2, 20)
            .external("queue_depth", average("10"))
            .behavior(json!({"scaleUp": at_once, "scaleDown": at_once}))
            .object(),
    ]);
    eventually("the controller has decided", || {
        let hpa = namespace.get("hpa", "web");
        (hpa["status"]["desiredReplicas"] == 3 && !hpa["status"]["currentMetrics"].is_null())
            .then_some(())
    });
    namespace
}

/// Sets the queue to the length for this many pods. Also ends a failure of the metrics API.
pub(crate) fn load(shop: &Namespace, pods: u32) {
    shop.metrics(&json!({"external": [{"metric": "queue_depth", "value": 10 * pods}]}));
}

/// A running `kubectl hpa watch web -o plain`.
pub(crate) struct Watch {
    process: Child,
    output: PathBuf,
    /// How much of the output was read.
    read: Cell<usize>,
}

impl Watch {
    pub(crate) fn start(shop: &Namespace, kubeconfig: &Path, output: &Path) -> Self {
        Self::start_with(shop, kubeconfig, output, &[])
    }

    /// The same with more flags.
    pub(crate) fn start_with(
        shop: &Namespace,
        kubeconfig: &Path,
        output: &Path,
        flags: &[&str],
    ) -> Self {
        let process = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["watch", "web", "--output=plain", "--namespace", shop.name()])
            .args(flags)
            .env("KUBECONFIG", kubeconfig)
            .stdout(File::create(output).unwrap())
            .spawn()
            .unwrap();
        Self {
            process,
            output: output.to_owned(),
            read: Cell::new(0),
        }
    }

    /// Waits for a line with the text, after those that were waited for before.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) {
        self.read.set(self.wait_for(text, self.read.get()));
    }

    /// Waits for the line with so many pods, all of them ready; it may have come already.
    #[track_caller]
    pub(crate) fn knows_of(&self, pods: u32) {
        self.wait_for(&format!(" → {pods} of {pods}\n"), 0);
    }

    /// Returns where the text ends.
    #[track_caller]
    fn wait_for(&self, text: &str, from: usize) -> usize {
        let deadline = Instant::now() + Duration::from_mins(2);
        loop {
            let printed = self.text();
            if let Some(at) = printed[from..].find(text) {
                return from + at + text.len();
            }
            assert!(
                Instant::now() < deadline,
                "not said: {text}\n--- before\n{}\n--- since\n{}",
                &printed[..from],
                &printed[from..]
            );
            thread::sleep(Duration::from_millis(200));
        }
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.output).unwrap()
    }

    /// It still runs, and ends on request.
    pub(crate) fn ends(mut self) {
        assert!(self.process.try_wait().unwrap().is_none());
        let id = self.process.id().to_string();
        succeed(Command::new("kill").args(["-s", "TERM", &id]));
        assert!(self.process.wait().unwrap().success());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
