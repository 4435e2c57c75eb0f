//! A namespace: the place of a situation, in which the controller continues only pass by pass.

use std::{
    cell::{Cell, OnceCell},
    fs,
    path::PathBuf,
    process::Command,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use hpa_cluster::{Client, ConnectionArgs, connect};
use serde_json::{Value, json};

use crate::{
    cluster::{Cluster, cluster, eventually, succeed},
    decision::Decision,
};

/// A separate namespace in which the controller is held before its first pass.
pub(crate) struct Namespace {
    cluster: Arc<Cluster>,
    name: &'static str,
    passes: Cell<usize>,
    /// Whether workloads may have other pods than they want.
    is_unsettled: Cell<bool>,
    /// The user that `explain` runs as, if not the administrator.
    reader: OnceCell<PathBuf>,
}

/// Creates the namespace.
pub(crate) fn namespace(name: &'static str) -> Namespace {
    create(cluster(), name, json!({"testcluster/passes": "0"}))
}

/// Creates a namespace in which the controller runs freely.
pub(crate) fn free_namespace(name: &'static str) -> Namespace {
    create(cluster(), name, json!({}))
}

/// Creates the namespace in another cluster.
pub(crate) fn namespace_in(cluster: &Arc<Cluster>, name: &'static str) -> Namespace {
    create(cluster, name, json!({"testcluster/passes": "0"}))
}

/// Creates a namespace in another cluster in which the controller runs freely.
pub(crate) fn free_namespace_in(cluster: &Arc<Cluster>, name: &'static str) -> Namespace {
    create(cluster, name, json!({}))
}

fn create(cluster: &Arc<Cluster>, name: &'static str, annotations: Value) -> Namespace {
    cluster.apply(&[json!({
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": name, "annotations": annotations},
    })]);
    Namespace {
        cluster: Arc::clone(cluster),
        name,
        passes: Cell::new(0),
        is_unsettled: Cell::new(false),
        reader: OnceCell::new(),
    }
}

impl Drop for Namespace {
    /// For every test: the plugin has only read.
    fn drop(&mut self) {
        if !thread::panicking() {
            self.cluster.assert_only_read();
        }
    }
}

impl Namespace {
    /// Returns a `kubectl` for this namespace.
    pub(crate) fn kubectl<const N: usize>(&self, arguments: [&str; N]) -> Command {
        let mut command = self.cluster.kubectl(arguments);
        command.args(["--namespace", self.name]); // kubectl allows no flags before the name of a plugin
        command
    }

    /// From now on, do not wait until workloads have the pods that they want: something prevents that, or they have
    /// more during a rollout.
    pub(crate) fn stop_settling(&self) {
        self.is_unsettled.set(true);
    }

    /// Creates or changes objects, then waits until the pods of all workloads are as their annotations want them.
    pub(crate) fn apply<const N: usize>(&self, objects: [Value; N]) {
        self.cluster.apply(&objects.map(|mut object| {
            object["metadata"]["namespace"] = json!(self.name);
            object
        }));
        self.settle();
    }

    /// Sets what the metrics APIs answer in this namespace (`tests/cluster/README.md`).
    pub(crate) fn metrics(&self, settings: &Value) {
        self.apply([json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "testcluster-metrics"},
            "data": {"metrics.yaml": settings.to_string()},
        })]);
    }

    /// Sets a `testcluster/` annotation of all pods with the label `app`. Where scaling removes one of them between kubectl's
    /// list and its patch, kubectl is called again.
    pub(crate) fn annotate_pods(&self, app: &str, name: &str, value: &str) {
        let label = format!("app={app}");
        let annotation = format!("testcluster/{name}={value}");
        eventually("pods stay while they are annotated", || {
            let output = self
                .kubectl(["annotate", "pods", "--overwrite", "-l", &label, &annotation])
                .output()
                .unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success() || error.contains("(NotFound): pods "),
                "kubectl annotate pods: {error}"
            );
            output.status.success().then_some(())
        });
        self.settle();
    }

    /// Sets a `testcluster/` annotation of one pod.
    pub(crate) fn annotate_pod(&self, pod: &Value, name: &str, value: &str) {
        let pod = pod["metadata"]["name"].as_str().unwrap();
        let annotation = format!("testcluster/{name}={value}");
        self.run(["annotate", "pod", pod, "--overwrite", &annotation]);
        self.settle();
    }

    /// Scales a Deployment directly.
    pub(crate) fn scale(&self, deployment: &str, replicas: i32) {
        self.run([
            "scale",
            "deployment",
            deployment,
            &format!("--replicas={replicas}"),
        ]);
        self.settle();
    }

    /// Runs `kubectl`, which must succeed.
    #[track_caller]
    pub(crate) fn run<const N: usize>(&self, arguments: [&str; N]) {
        succeed(&mut self.kubectl(arguments));
    }

    /// Returns an object, or null if there is none or no such kind.
    pub(crate) fn get(&self, kind: &str, name: &str) -> Value {
        let output = self
            .kubectl(["get", kind, name, "-o", "json"])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        let is_missing =
            error.contains("not found") || error.contains("doesn't have a resource type");
        assert!(
            output.status.success() || is_missing,
            "kubectl get {kind} {name}: {error}"
        );
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    /// Returns all objects of a kind.
    pub(crate) fn list(&self, kind: &str) -> Vec<Value> {
        let text = succeed(&mut self.kubectl(["get", kind, "-o", "json"]));
        let mut list: Value = serde_json::from_str(&text).unwrap();
        serde_json::from_value(list["items"].take()).unwrap()
    }

    /// Returns all objects of a kind of the core group as the API server lists them, so with the `resourceVersion` of the list.
    pub(crate) fn list_object(&self, kind: &str) -> Value {
        let path = format!("/api/v1/namespaces/{}/{kind}", self.name);
        let text = succeed(&mut self.cluster.kubectl(["get", "--raw", &path]));
        serde_json::from_str(&text).unwrap()
    }

    /// Returns what `kubectl hpa explain` prints of the HPA. Which exit code it has is not checked.
    pub(crate) fn explain<const N: usize>(&self, hpa: &str, arguments: [&str; N]) -> String {
        let mut command = self.kubectl(["hpa", "explain", hpa]);
        if let Some(kubeconfig) = self.reader.get() {
            command.env("KUBECONFIG", kubeconfig);
        }
        succeed(command.args(arguments))
    }

    /// Returns what `kubectl hpa explain -o json` prints of the HPA.
    pub(crate) fn page(&self, hpa: &str) -> Value {
        serde_json::from_str(&self.explain(hpa, ["--output=json"])).unwrap()
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        self.name
    }

    /// Settings of the administrator.
    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.cluster.file("kubeconfig")
    }

    /// Settings of the ServiceAccount that reads, if it is not the administrator.
    pub(crate) fn reader(&self) -> Option<&PathBuf> {
        self.reader.get()
    }

    /// From now on `explain` runs as a ServiceAccount that has these rights in the whole cluster, and no others.
    pub(crate) fn explain_as_reader_of_the_cluster(&self, rules: &Value) {
        let name = format!("reader-of-{}", self.name);
        self.cluster.apply(&[
            json!({
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRole",
                "metadata": {"name": name},
                "rules": rules,
            }),
            json!({
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRoleBinding",
                "metadata": {"name": name},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
                "subjects": [{"kind": "ServiceAccount", "name": "reader", "namespace": self.name}],
            }),
        ]);
        self.read_as_service_account();
    }

    /// From now on `explain` runs as a ServiceAccount that has these rights in this namespace, and no others.
    pub(crate) fn explain_as_reader(&self, rules: &Value) {
        let role = json!({
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "Role",
            "metadata": {"name": "reader"},
            "rules": rules,
        });
        self.apply([role]);
        let account = format!("--serviceaccount={}:reader", self.name);
        self.run(["create", "rolebinding", "reader", "--role=reader", &account]);
        self.read_as_service_account();
    }

    fn read_as_service_account(&self) {
        self.run(["create", "serviceaccount", "reader"]);
        let token = succeed(&mut self.kubectl(["create", "token", "reader"]));
        let kubeconfig = succeed(&mut self.kubectl(["config", "view", "--raw", "--output=json"]));
        let mut kubeconfig: Value = serde_json::from_str(&kubeconfig).unwrap();
        kubeconfig["users"][0]["user"] = json!({"token": token.trim()});
        let file = self.cluster.file(&format!("{}.kubeconfig", self.name));
        fs::write(&file, kubeconfig.to_string()).unwrap();
        self.reader.set(file).unwrap();
    }

    /// A client for this namespace, with the rights that `explain` has here.
    pub(crate) async fn client(&self) -> Client {
        let administrator = self.cluster.file("kubeconfig");
        connect(&ConnectionArgs {
            kubeconfig: Some(self.reader.get().unwrap_or(&administrator).clone()),
            namespace: Some(self.name.to_owned()),
            ..ConnectionArgs::default()
        })
        .await
        .unwrap()
    }

    /// Gets the prediction, lets the controller decide, and compares.
    #[track_caller]
    pub(crate) fn decision(&self, hpa: &str) -> Decision {
        self.asked(hpa).answer(self)
    }

    /// Gets the prediction and lets the controller decide.
    pub(crate) fn asked(&self, hpa: &str) -> Decision {
        let hpas = self.list("hpa").len();
        self.wait_for_pass(hpas);
        let question = Decision::ask(self, hpa);
        self.let_pass(hpas);
        question
    }

    /// The same for the HPA `web`, and checks the result: replicas before and after, and the reasons of the conditions.
    #[track_caller]
    pub(crate) fn decides(&self, made: &str) -> Decision {
        self.decides_for("web", made)
    }

    /// The same for another HPA.
    #[track_caller]
    pub(crate) fn decides_for(&self, hpa: &str, made: &str) -> Decision {
        let decision = self.decision(hpa);
        assert_eq!(decision.made(), made);
        decision
    }

    /// The same for an HPA that the gate can't hold, and whose state lasts: the controller decides it again and again.
    #[track_caller]
    pub(crate) fn decision_without_a_gate(&self, hpa: &str) -> Decision {
        self.run([
            "wait",
            "hpa",
            hpa,
            "--for=condition=AbleToScale=false",
            "--timeout=60s",
        ]);
        let question = Decision::ask(self, hpa);
        thread::sleep(Duration::from_secs(2));
        question.answer(self)
    }

    /// Lets the controller run freely.
    pub(crate) fn open(&self) {
        let annotations = ["testcluster/passes-", "testcluster/waiting-"];
        succeed(
            self.kubectl(["annotate", "namespace", self.name])
                .args(annotations),
        );
    }

    /// Lets the controller run freely, and holds it again after that time.
    pub(crate) fn passes_for(&self, time: Duration) {
        let annotate = ["annotate", "namespace", self.name, "--overwrite"];
        self.open();
        thread::sleep(time);
        // What was on its way when the gate was opened may have come after that.
        let annotations = ["testcluster/passes=0", "testcluster/waiting-"];
        succeed(self.kubectl(annotate).args(annotations));
        let passes = eventually("the next pass waits", || {
            let namespace = self.get("namespace", self.name);
            let waiting = namespace["metadata"]["annotations"]["testcluster/waiting"].as_str()?;
            let (waiting, passes) = waiting.split_once(" after ")?;
            (waiting.parse() == Ok(self.list("hpa").len())).then(|| passes.parse().unwrap())
        });
        self.passes.set(passes);
    }

    /// Lets the controller make one pass over every HPA of the namespace, and waits until it has.
    pub(crate) fn pass(&self) {
        let hpas = self.list("hpa").len();
        self.wait_for_pass(hpas);
        self.let_pass(hpas);
    }

    /// Lets the pass go that waits.
    fn let_pass(&self, hpas: usize) {
        self.passes.set(self.passes.get() + hpas);
        let passes = format!("testcluster/passes={}", self.passes.get());
        self.run(["annotate", "namespace", self.name, "--overwrite", &passes]);
        self.wait_for_pass(hpas);
        self.settle();
    }

    /// Lets a pass go that had begun before the last change of an HPA, so that the next one knows of the change.
    pub(crate) fn pass_begun_before_the_edit(&self) {
        self.pass();
    }

    /// Waits until a pass over so many HPAs, all of the namespace, waits.
    fn wait_for_pass(&self, hpas: usize) {
        let waiting = format!("{hpas} after {}", self.passes.get());
        let condition =
            format!("--for=jsonpath={{.metadata.annotations.testcluster/waiting}}={waiting}");
        self.run(["wait", "namespace", self.name, &condition, "--timeout=90s"]);
    }

    /// Waits until the quota is enforced.
    pub(crate) fn wait_for_quota(&self, name: &str) {
        eventually("the quota is measured", || {
            let quota = self.get("resourcequota", name);
            quota["status"]["used"].is_object().then_some(())
        });
    }

    /// Waits until nothing has changed for a second: what refuses pods has said so.
    pub(crate) fn wait_until_still(&self) {
        let mut last = (Instant::now(), Vec::new());
        eventually("nothing changes", || {
            let all = self.list("deployments,replicasets,pods");
            if all != last.1 {
                last = (Instant::now(), all);
            }
            (Duration::from_secs(1) < last.0.elapsed()).then_some(())
        });
    }

    /// Waits until all workloads have the pods that they want, and the pods their status.
    pub(crate) fn settle(&self) {
        eventually("pods as they should be", || {
            let all = self.list("deployments,statefulsets,pods");
            let (pods, workloads): (Vec<&Value>, Vec<&Value>) =
                all.iter().partition(|one| one["kind"] == "Pod");
            let expected: u64 = workloads
                .iter()
                .map(|workload| workload["spec"]["replicas"].as_u64().unwrap())
                .sum();
            let reported = workloads.iter().all(|workload| {
                workload["status"]["replicas"].as_i64().unwrap_or(0) == workload["spec"]["replicas"]
                    && workload["status"]["observedGeneration"]
                        == workload["metadata"]["generation"]
            });
            let is_owned = |pod: &&&Value| is_of_workload(pod) && !is_going_away(pod);
            let owned = pods.iter().filter(is_owned).count();
            let settled = reported && owned as u64 == expected;
            ((settled || self.is_unsettled.get()) && pods.iter().all(|pod| has_status(pod)))
                .then_some(())
        });
    }
}

/// Whether a Deployment or a StatefulSet counts the pod.
fn is_of_workload(pod: &Value) -> bool {
    let owner = &pod["metadata"]["ownerReferences"][0]["kind"];
    owner == "ReplicaSet" || owner == "StatefulSet"
}

fn is_going_away(pod: &Value) -> bool {
    !pod["metadata"]["deletionTimestamp"].is_null()
}

/// Whether the pod has the phase and the readiness that its annotations ask for.
fn has_status(pod: &Value) -> bool {
    let wants = |name: &str, default: &str| {
        let annotation = &pod["metadata"]["annotations"][format!("testcluster/{name}")];
        annotation.as_str().unwrap_or(default).to_owned()
    };
    if is_going_away(pod) {
        return true;
    }
    if pod["status"]["conditions"][0]["reason"] == "Unschedulable" {
        return !wants("room", "").is_empty();
    }
    let phase = wants("phase", "Running");
    let ready = if phase == "Running" && wants("ready", "true") == "true" {
        "True"
    } else {
        "False"
    };
    let conditions = pod["status"]["conditions"].as_array();
    pod["status"]["phase"] == phase
        && conditions.is_some_and(|conditions| {
            conditions
                .iter()
                .any(|condition| condition["type"] == "Ready" && condition["status"] == ready)
        })
}
