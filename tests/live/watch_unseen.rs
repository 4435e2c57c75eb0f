//! `kubectl hpa watch` while a connection is silent: no error says that it is broken, and the known state is out of
//! date.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::{
    cluster::{Cluster, eventually},
    link::Link,
    namespace::{Namespace, free_namespace_in},
    watched::{Watch, load, shop},
};

#[test]
fn silent_connection_freezes_alarms_and_what_was_missed_is_reported_afterwards() {
    let cluster = Cluster::of_its_own("unseen");
    let shop = shop(free_namespace_in(&cluster, "unseen"));
    let link = Link::to(cluster.address());
    let kubeconfig = cluster.file("kubeconfig-of-link");
    let text = fs::read_to_string(cluster.file("kubeconfig")).unwrap();
    let (direct, linked) = (cluster.address().to_string(), link.address().to_string());
    fs::write(&kubeconfig, text.replace(&direct, &linked)).unwrap();
    let calls = cluster.file("calls");
    let on_alarm = format!("--on-alarm=cat >> '{}'", calls.display());
    let watch = Watch::start_with(&shop, &kubeconfig, &cluster.file("watch"), &[&on_alarm]);
    watch.says("web 3 replicas (2 to 20)");
    load(&shop, 26);
    // Which of the two comes first depends on when the pods are ready.
    eventually("the scaling is shown", || {
        watch.text().contains("web 3 → 20:").then_some(())
    });
    watch.says("ALARM at max 20");
    let list = List::start(&shop, &kubeconfig, &cluster.file("list"));
    list.says(" 20 ");
    let known = list.text();

    link.fall_silent();
    let replicas = |number: u64| {
        eventually("the controller scales", || {
            let web = shop.get("deployment", "web");
            (web["spec"]["replicas"] == number).then_some(())
        });
    };
    for pods in [6, 9] {
        load(&shop, pods);
        replicas(pods.into());
        thread::sleep(Duration::from_secs(3));
    }
    watch.says("NOT CONNECTED since ");
    list.says("NOT CONNECTED since ");
    let reported = watch.text().lines().count();
    // So long that every alarm of a controller that syncs every second would have begun.
    thread::sleep(Duration::from_mins(1));
    let lines = watch.text();
    assert_eq!(lines.lines().count(), reported, "{lines}");
    let since = list.text().split_off(known.len());
    assert_eq!(since.lines().count(), 1, "{since}");

    link.mend();
    watch.says("CONNECTED again, after 1 min");
    list.says("CONNECTED again, after ");
    watch.says("web 20 → 6 (");
    watch.says(" below target) → 9 (");
    watch.says("seen late");
    watch.says("ended after ");
    load(&shop, 12);
    watch.knows_of(12);
    list.says(" 12 ");
    let printed = list.text();
    assert!(!printed.contains("not read"), "{printed}");
    let lines = watch.text();
    for false_alarm in [
        "not synced",
        "decided otherwise",
        "written by",
        "cannot be read",
        "is gone",
    ] {
        assert!(!lines.contains(false_alarm), "{lines}");
    }
    watch.ends();
    let calls: Vec<Value> = fs::read_to_string(&calls)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let calls: Vec<(&str, &str)> = calls
        .iter()
        .map(|call| {
            (
                call["type"].as_str().unwrap(),
                call["alarm"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        calls,
        [
            ("alarm", "unmet-demand"),
            ("alarm", "not-connected"),
            ("alarmEnd", "not-connected"),
            ("alarmEnd", "unmet-demand"),
        ]
    );
}

/// A running `kubectl hpa list web --watch`.
struct List {
    process: Child,
    output: PathBuf,
}

impl List {
    fn start(shop: &Namespace, kubeconfig: &Path, output: &Path) -> Self {
        let file = File::create(output).unwrap();
        let process = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["list", "web", "--watch", "--namespace", shop.name()])
            .env("KUBECONFIG", kubeconfig)
            .stderr(file.try_clone().unwrap())
            .stdout(file)
            .spawn()
            .unwrap();
        Self {
            process,
            output: output.to_owned(),
        }
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.output).unwrap()
    }

    #[track_caller]
    fn says(&self, text: &str) {
        eventually(text, || self.text().contains(text).then_some(()));
    }
}

impl Drop for List {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
