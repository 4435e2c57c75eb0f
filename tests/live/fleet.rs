//! Several clusters in one run, against two real control planes that have the same HPAs with differences.

use std::{fs, path::PathBuf, process::Output, sync::Arc};

use serde_json::{Value, json};

use crate::{
    cluster::{Cluster, cluster},
    manifest::{deployment, hpa},
    namespace::{Namespace, namespace, namespace_in},
};

/// Two control planes, and a folder with their kubeconfigs.
struct Fleet {
    eu: Namespace,
    us: Namespace,
    folder: PathBuf,
}

impl Fleet {
    /// `web` has another maximum in each, `api` is the same, and what `job` scales exists in one only.
    fn start() -> Self {
        let us: Arc<Cluster> = Cluster::of_its_own("fleet-us");
        let (eu, us) = (namespace("fleet"), namespace_in(&us, "fleet"));
        let workload = |name: &str, cpu| deployment(name, 2).pods("cpu", cpu).object();
        for (namespace, max) in [(&eu, 2), (&us, 10)] {
            namespace.apply([
                workload("api", "60m"),
                hpa("api").cpu(60).object(),
                workload("web", "90m"),
                hpa("web").bounds(1, max).cpu(60).object(),
                hpa("job").cpu(60).object(),
            ]);
        }
        us.apply([workload("job", "60m")]);
        for namespace in [&eu, &us] {
            namespace.pass();
            namespace.pass();
        }
        let folder = cluster().file("fleet");
        fs::create_dir_all(&folder).unwrap();
        for (name, kubeconfig) in [("prod-eu", eu.kubeconfig()), ("prod-us", us.kubeconfig())] {
            fs::copy(kubeconfig, folder.join(name).with_extension("yaml")).unwrap();
        }
        Self { eu, us, folder }
    }

    /// Runs the plugin for the namespace in all clusters of the folder.
    fn run(&self, words: &[&str]) -> Output {
        let mut command = self.eu.kubectl(["hpa"]);
        command
            .args(words)
            .arg("--contexts-from")
            .arg(&self.folder)
            .output()
            .unwrap()
    }

    #[track_caller]
    fn json(&self, words: &[&str], code: i32) -> Value {
        let output = self.run(&[words, &["-o", "json"]].concat());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

/// The items of a list, without what depends on the time.
fn items(listed: &Value, context: &str) -> Vec<Value> {
    let items = listed["items"].as_array().unwrap().iter();
    let of_context = items.filter(|item| item["context"] == context);
    let mut items: Vec<Value> = of_context.cloned().collect();
    for item in &mut items {
        let item = item.as_object_mut().unwrap();
        item.remove("context");
        item.remove("at");
        let verdict = item["verdict"].as_object_mut().unwrap();
        verdict.retain(|key, _| !key.starts_with("due"));
    }
    items.sort_by_key(|item| item["name"].to_string());
    items
}

#[test]
fn two_control_planes_are_one_list_that_says_in_what_they_differ() {
    let fleet = Fleet::start();
    let listed = fleet.json(&["list"], 0);
    // Each is what its cluster alone gives.
    for (context, namespace) in [("prod-eu", &fleet.eu), ("prod-us", &fleet.us)] {
        let mut alone = namespace.listed();
        for item in alone["items"].as_array_mut().unwrap() {
            item["context"] = json!(context);
        }
        assert_eq!(items(&listed, context), items(&alone, context), "{context}");
    }
    let value = |eu: &str, us: &str| json!([{"context": "prod-eu", "value": eu}, {"context": "prod-us", "value": us}]);
    assert_eq!(
        listed["drift"],
        json!([
            {
                "namespace": "fleet", "name": "job", "fields": [],
                "verdicts": value("target not found", "within tolerance"),
            },
            {
                "namespace": "fleet", "name": "web",
                "fields": [{"path": "spec.maxReplicas", "values": value("2", "10")}],
                "verdicts": value("at max, 1 short", "up by cpu"),
            },
        ]),
        "{listed:#}"
    );
    let report = fleet.json(&["lint", "--select", "HPA709"], 0);
    let messages: Vec<&Value> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| &finding["message"])
        .collect();
    assert_eq!(
        messages,
        [
            "the verdict is target not found in prod-eu, within tolerance in prod-us",
            "maxReplicas is 2 in prod-eu, 10 in prod-us",
            "the verdict is at max, 1 short in prod-eu; up by cpu in prod-us",
        ]
    );

    // A user of one cluster who may not read it, and a cluster that is down, are a line each.
    fleet.us.explain_as_reader(&json!([]));
    fs::copy(fleet.us.reader().unwrap(), fleet.folder.join("nobody.yaml")).unwrap();
    let kubeconfig = fs::read_to_string(fleet.eu.kubeconfig()).unwrap();
    let (before, rest) = kubeconfig.split_once("server: ").unwrap();
    let (_, after) = rest.split_once('\n').unwrap();
    let down = format!("{before}server: https://127.0.0.1:1\n{after}");
    fs::write(fleet.folder.join("down.yaml"), down).unwrap();
    let output = fleet.run(&["list"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let lines = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = lines.lines().collect();
    for (line, expected) in lines.iter().zip([
        "error: context down: the connection to the server https://127.0.0.1:1 ",
        "error: context nobody: cannot read HPAs",
    ]) {
        assert!(line.starts_with(expected), "{line}");
    }
    assert_eq!(lines.len(), 2, "{lines:#?}");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(
        table
            .lines()
            .next()
            .unwrap()
            .starts_with("CONTEXT  NAME  VERDICT"),
        "{table}"
    );
    assert!(
        table.contains("maxReplicas: 2 in prod-eu, 10 in prod-us"),
        "{table}"
    );
}
