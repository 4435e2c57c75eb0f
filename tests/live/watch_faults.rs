//! `kubectl hpa watch` while the API server, the metrics, the connection or the credentials fail: it continues, says
//! what it cannot read, and says when it can again.

use std::{fs, path::Path, time::Duration};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{
    cluster::{Cluster, cluster, eventually, succeed},
    link::Link,
    namespace::{Namespace, free_namespace, free_namespace_in},
    watched::{Watch, load, shop},
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
    watch.says("NOT CONNECTED since ");
    cluster.command("start apiserver");
    watch.says("CONNECTED again");
    load(&shop, 5);
    watch.knows_of(5);

    // Cut, and what was seen last is too old when the connection is back: 410 Gone.
    let seen = revision(&shop);
    link.cut();
    watch.says("NOT CONNECTED since ");
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
    watch.says("CONNECTED again");
    watch.says("web 5 → 8 (");
    watch.knows_of(8);
    load(&shop, 10);
    watch.knows_of(10);

    // Broken off in the middle of any answer.
    link.break_off_after(700);
    eventually("an answer is broken off", || {
        link.has_broken_off().then_some(())
    });
    load(&shop, 12);
    watch.knows_of(12);

    // Answers come three seconds late, which is three sync periods.
    link.delay_answers(Duration::from_secs(3));
    watch.says("API server is slow (");
    load(&shop, 14);
    watch.knows_of(14);
    link.delay_answers(Duration::ZERO);
    watch.says("the API server answers in time again");
    load(&shop, 16);
    watch.knows_of(16);

    // A metrics API that answers 503.
    shop.metrics(&json!({"apis": {"external.metrics.k8s.io": "503"}}));
    watch.says("external.metrics.k8s.io of faults cannot be read: ");
    load(&shop, 18);
    watch.says("external.metrics.k8s.io of faults can be read again");
    watch.knows_of(18);

    // Nothing was listed again.
    let lines = watch.text();
    assert_eq!(
        lines.matches("web 3 replicas (2 to 20)").count(),
        1,
        "{lines}"
    );
    assert_eq!(lines.matches(" replicas (2 to 20)").count(), 1, "{lines}");
    assert!(!lines.contains("web is gone"), "{lines}");
    // An unobserved change is neither a disagreement nor another writer's change.
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

    // The source renews the tokens, and the old one is no longer valid.
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
        assert!(!watch.text().contains("cannot be read"));
        watch.ends();
    }
}

/// The revision at which all pods were listed now.
fn revision(shop: &Namespace) -> String {
    let list = shop.list_object("pods");
    list["metadata"]["resourceVersion"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Creates a token that is valid as long as a Secret of that name exists, and `kubeconfig-NAME` with it.
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
