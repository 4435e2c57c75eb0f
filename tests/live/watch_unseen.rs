//! `kubectl hpa watch` while a connection is silent: nothing says that it is broken, and nothing that was seen is true any more.

use std::{fs, thread, time::Duration};

use serde_json::Value;

use crate::{
    cluster::{Cluster, eventually},
    link::Link,
    namespace::free_namespace_in,
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
    watch.says("ALARM at max 20");
    watch.says("web 3 → 20 ");

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
    let told = watch.text().lines().count();
    // So long that every alarm of a controller that syncs every second would have begun.
    thread::sleep(Duration::from_secs(60));
    let lines = watch.text();
    assert_eq!(lines.lines().count(), told, "{lines}");

    link.mend();
    watch.says("CONNECTED again, after 1 m");
    watch.says("web 20 → 6 (");
    watch.says(" below target) → 9 (");
    watch.says("seen late");
    watch.says("over after ");
    load(&shop, 12);
    watch.knows_of(12);
    let lines = watch.text();
    for false_alarm in [
        "not synced",
        "decided otherwise",
        "written by",
        "cannot read",
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
