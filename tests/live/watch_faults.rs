//! `kubectl hpa watch` while the API server, the metrics, the connection or the credentials fail: it goes on, says what
//! it cannot read, and says when it can again.

use std::{
    cell::Cell,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{
    cluster::{Cluster, cluster, eventually, succeed},
    link::Link,
    manifest::{average, deployment, hpa},
    namespace::{Namespace, free_namespace, free_namespace_in},
};

#[test]
fn watch_keeps_what_it_knows_through_a_killed_api_server_and_a_bad_connection() {
    let cluster = Cluster::of_its_own("faults");
    let shop = shop(free_namespace_in(&cluster, "faults"));
    let link = Link::to(cluster.address());
    let kubeconfig = cluster.file("kubeconfig-of-link");
    let text = fs::read_to_string(cluster.file("kubeconfig")).unwrap();
    let (direct, linked) = (cluster.address(), link.address());
    fs::write(
        &kubeconfig,
        text.replace(&direct.to_string(), &linked.to_string()),
    )
    .unwrap();
    let watch = Watch::start(&shop, &kubeconfig, &cluster.file("watch"));
    watch.says("web 3 replicas (2 to 20)");

    // Killed: new connections are refused.
    cluster.command("kill apiserver");
    watch.says("cannot read horizontalpodautoscalers");
    cluster.command("start apiserver");
    watch.says("can read horizontalpodautoscalers again");
    load(&shop, 5);
    watch.knows_of(5);

    // Cut, and what was seen last is too old when the connection is back: 410 Gone.
    let seen = revision(&shop);
    link.cut();
    watch.says("cannot read horizontalpodautoscalers");
    load(&shop, 8);
    eventually("the controller scales to 8", || {
        (shop.get("deployment", "web")["spec"]["replicas"] == 8).then_some(())
    });
    cluster.command("compact etcd");
    cluster.command("kill apiserver");
    cluster.command("start apiserver");
    let again = format!(
        "/api/v1/namespaces/faults/pods?watch=true&timeoutSeconds=5&resourceVersion={seen}"
    );
    let answer = succeed(&mut cluster.kubectl(["get", "--raw", &again]));
    assert!(answer.contains("\"code\":410"), "{answer}");
    link.mend();
    watch.says("can read horizontalpodautoscalers again");
    watch.knows_of(8);
    load(&shop, 10);
    watch.knows_of(10);

    // Broken off in the middle of an answer, whichever it is.
    link.break_off_after(700);
    eventually("an answer is broken off", || {
        link.has_broken_off().then_some(())
    });
    load(&shop, 12);
    watch.knows_of(12);

    // Answers come three seconds late, which is three sync periods.
    link.delay_answers(Duration::from_secs(3));
    watch.says("answers of the API server take ");
    load(&shop, 14);
    watch.knows_of(14);
    link.delay_answers(Duration::ZERO);
    watch.says("answers of the API server come in time again");
    load(&shop, 16);
    watch.knows_of(16);

    // A metrics API that answers 503.
    shop.metrics(&json!({"apis": {"external.metrics.k8s.io": "503"}}));
    watch.says("cannot read external.metrics.k8s.io");
    load(&shop, 18);
    watch.says("can read external.metrics.k8s.io in faults again");
    watch.knows_of(18);

    // Nothing was begun anew.
    let lines = watch.text();
    assert_eq!(
        lines.matches("web 3 replicas (2 to 20)").count(),
        1,
        "{lines}"
    );
    assert_eq!(lines.matches(" replicas (2 to 20)").count(), 1, "{lines}");
    assert!(!lines.contains("web is gone"), "{lines}");
    // What nobody could see is neither a disagreement nor somebody else's doing.
    for accused in ["decided otherwise", "written by", "not by the controller"] {
        assert!(!lines.contains(accused), "{lines}");
    }
    watch.ends();
}

#[test]
fn watch_takes_new_tokens_when_old_ones_expire() {
    let shop = shop(free_namespace("watch-tokens"));
    shop.run(["create", "serviceaccount", "reader"]);
    shop.run([
        "create",
        "rolebinding",
        "reader",
        "--clusterrole=cluster-admin",
        "--serviceaccount=watch-tokens:reader",
    ]);
    let file = |name: &str| cluster().file(&format!("tokens-{name}"));
    let (credential, token_file) = (file("credential.json"), file("token"));
    let old = token(&shop, "old");
    write_credential(&credential, &old, 65);
    fs::write(&token_file, &old).unwrap();
    let plugin = json!({"exec": {
        "apiVersion": "client.authentication.k8s.io/v1",
        "command": "cat",
        "args": [credential],
        "interactiveMode": "Never",
    }});
    let kubeconfigs = [
        ("plugin", plugin),
        ("file", json!({"tokenFile": token_file})),
    ]
    .map(|(name, user)| {
        let path = file(&format!("kubeconfig-{name}"));
        fs::write(&path, kubeconfig_of(&user).to_string()).unwrap();
        path
    });
    let [by_plugin, by_file] = kubeconfigs.map(|kubeconfig| {
        let watch = Watch::start(&shop, &kubeconfig, &kubeconfig.with_extension("out"));
        watch.says("web 3 replicas (2 to 20)");
        watch
    });

    // The tokens are renewed where they come from, and the old one is good no more.
    let new = token(&shop, "new");
    write_credential(&credential, &new, 3600);
    fs::write(&token_file, &new).unwrap();
    shop.run(["delete", "secret", "old"]);
    eventually("the old token is refused", || {
        let output = shop
            .kubectl(["auth", "whoami"])
            .env("KUBECONFIG", file("kubeconfig-old"))
            .output()
            .unwrap();
        (!output.status.success()).then_some(())
    });
    load(&shop, 5);
    for watch in [by_plugin, by_file] {
        watch.knows_of(5);
        assert!(!watch.text().contains("cannot read"));
        watch.ends();
    }
}

/// An HPA on a queue that is long enough for three pods. It goes up and down at once.
fn shop(namespace: Namespace) -> Namespace {
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

/// Makes the queue long enough for so many pods. A metrics API that failed answers again.
fn load(shop: &Namespace, pods: u32) {
    shop.metrics(&json!({"external": [{"metric": "queue_depth", "value": 10 * pods}]}));
}

/// The revision at which all pods were listed now.
fn revision(shop: &Namespace) -> String {
    let list = shop.list_object("pods");
    list["metadata"]["resourceVersion"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Makes a token that is good for as long as a Secret of that name is there, and `kubeconfig-NAME` with it.
fn token(shop: &Namespace, name: &str) -> String {
    shop.run(["create", "secret", "generic", name]);
    let bound = format!("--bound-object-name={name}");
    let create = [
        "create",
        "token",
        "reader",
        "--bound-object-kind=Secret",
        &bound,
    ];
    let token = succeed(&mut shop.kubectl(create)).trim().to_owned();
    let kubeconfig = kubeconfig_of(&json!({"token": token}));
    fs::write(
        cluster().file(&format!("tokens-kubeconfig-{name}")),
        kubeconfig.to_string(),
    )
    .unwrap();
    token
}

/// What the exec plugin answers.
fn write_credential(path: &Path, token: &str, seconds: i64) {
    let expires = Timestamp::now() + SignedDuration::from_secs(seconds);
    let credential = json!({
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {"token": token, "expirationTimestamp": expires.to_string()},
    });
    fs::write(path, credential.to_string()).unwrap();
}

/// Settings of the shared cluster with another user.
fn kubeconfig_of(user: &Value) -> Value {
    let view = ["config", "view", "--raw", "--output=json"];
    let mut kubeconfig: Value =
        serde_json::from_str(&succeed(&mut cluster().kubectl(view))).unwrap();
    kubeconfig["users"][0]["user"] = user.clone();
    kubeconfig
}

/// A running `kubectl hpa watch web -o plain`.
struct Watch {
    process: Child,
    output: PathBuf,
    /// How much of the output was looked at.
    read: Cell<usize>,
}

impl Watch {
    fn start(shop: &Namespace, kubeconfig: &Path, output: &Path) -> Self {
        let process = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["watch", "web", "--output=plain", "--namespace", shop.name()])
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
    fn says(&self, text: &str) {
        self.read.set(self.wait_for(text, self.read.get()));
    }

    /// Waits for the line that tells that there are so many pods, all of them ready; it may have come already.
    #[track_caller]
    fn knows_of(&self, pods: u32) {
        self.wait_for(&format!(" → {pods} of {pods}\n"), 0);
    }

    /// Returns where the text ends.
    #[track_caller]
    fn wait_for(&self, text: &str, from: usize) -> usize {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let said = self.text();
            if let Some(at) = said[from..].find(text) {
                return from + at + text.len();
            }
            assert!(
                Instant::now() < deadline,
                "not said: {text}\n--- before\n{}\n--- since\n{}",
                &said[..from],
                &said[from..]
            );
            thread::sleep(Duration::from_millis(200));
        }
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.output).unwrap()
    }

    /// It still runs, and ends when it is asked to.
    fn ends(mut self) {
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
