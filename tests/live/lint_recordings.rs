//! `kubectl hpa lint` of a recording of a real HPA: rules about the past, compared with the controller's actions.

use std::{
    fs,
    io::{BufRead as _, BufReader, Lines},
    process::{Child, ChildStdout, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    cluster::cluster,
    lint_live::{findings, report, set},
    manifest::{Hpa, average, deployment, hpa, stray_pod},
    namespace::{Namespace, free_namespace},
};

/// A `kubectl hpa capture` that goes on.
struct Recording {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
    snapshots: Vec<Value>,
}

impl Recording {
    fn begin(namespace: &Namespace) -> Self {
        let mut process = namespace
            .kubectl(["hpa", "capture", "--every=1s", "--for=5m"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self {
            process,
            lines,
            snapshots: Vec::new(),
        }
    }

    /// Goes on until a snapshot of an HPA is as it should be.
    #[track_caller]
    fn until(&mut self, hpa: &str, is_selected: impl Fn(&Value) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(1);
        loop {
            assert!(Instant::now() < deadline, "{hpa} is not as it should be");
            let line = self.lines.next().expect("capture goes on").unwrap();
            let snapshot: Value = serde_json::from_str(&line).unwrap();
            let is_found = snapshot["hpa"]["metadata"]["name"] == hpa && is_selected(&snapshot);
            self.snapshots.push(snapshot);
            if is_found {
                return;
            }
        }
    }

    /// Goes on until an HPA has had so many replicas.
    #[track_caller]
    fn until_replicas(&mut self, hpa: &str, replicas: i32) {
        self.until(hpa, |snapshot| {
            snapshot["scale"]["spec"]["replicas"] == replicas
        });
    }

    /// Ends it, and returns what it wrote.
    fn end(mut self) -> String {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let lines: Vec<String> = self.snapshots.iter().map(Value::to_string).collect();
        lines.join("\n") + "\n"
    }
}

fn queue(name: &str) -> Hpa {
    hpa(name).external(&format!("queue_{name}"), average("10"))
}

#[test]
fn what_happened_in_a_recording_is_found_and_what_did_not_is_not() {
    let namespace = free_namespace("lint-recorded");
    let depths = |flapping: i32, gaps: Option<i32>| {
        let mut queues = json!([
            {"metric": "queue_flapping", "value": flapping},
            {"metric": "queue_capped", "value": 90},
            {"metric": "queue_pinned", "value": 5},
            {"metric": "queue_calm", "value": 30},
            {"metric": "queue_nudged", "value": 20},
            {"metric": "queue_slow", "value": 290},
        ]);
        if let Some(depth) = gaps {
            let gaps = json!({"metric": "queue_gaps", "value": depth});
            queues.as_array_mut().unwrap().push(gaps);
        }
        namespace.metrics(&json!({"external": queues}));
    };
    let at_once = json!({"policies": [{"type": "Pods", "value": 20, "periodSeconds": 1}]});
    let never_down = json!({"scaleDown": {"selectPolicy": "Disabled"}});
    let drifting = |request: &str| {
        let mut object = deployment("drift", 2).pods("cpu", "60m").object();
        let container = &mut object["spec"]["template"]["spec"]["containers"][0];
        container["resources"]["requests"]["cpu"] = json!(request);
        object
    };
    let fat = |name: &str, memory: &str| deployment(name, 4).pods("memory", memory).object();
    let on_memory = |name: &str| {
        hpa(name)
            .resource("memory", average("200Mi"))
            .behavior(never_down.clone())
            .object()
    };
    depths(20, Some(20));
    namespace.apply([
        deployment("flapping", 2).object(),
        deployment("capped", 4).object(),
        deployment("pinned", 2).object(),
        deployment("calm", 3).object(),
        deployment("gaps", 2).object(),
        deployment("nudged", 2).object(),
        deployment("slow", 2).object(),
        drifting("100m"),
        fat("floor", "170Mi"),
        fat("lean", "60Mi"),
        deployment("overshoot", 2)
            .pods("cpu", "90m")
            .pods("start-age", "60s")
            .object(),
        stray_pod("old", "overshoot", &[("cpu", "20m")]),
    ]);
    namespace.apply([
        queue("flapping")
            .behavior(json!({"scaleUp": at_once, "scaleDown": {"stabilizationWindowSeconds": 0}}))
            .object(),
        queue("capped").bounds(1, 4).object(),
        queue("pinned").bounds(2, 9).object(),
        queue("calm").object(),
        queue("gaps").object(),
        queue("nudged").behavior(never_down.clone()).object(),
        queue("slow")
            .bounds(1, 30)
            .behavior(json!({"scaleUp": {"policies": [
                {"type": "Pods", "value": 1, "periodSeconds": 3},
            ]}}))
            .object(),
        hpa("drift").cpu(60).behavior(never_down.clone()).object(),
        on_memory("floor"),
        on_memory("lean"),
        hpa("overshoot").bounds(1, 2).cpu(66).object(),
    ]);

    let mut recording = Recording::begin(&namespace);
    recording.until_replicas("nudged", 2);
    namespace.scale("nudged", 4);
    recording.until_replicas("nudged", 4);
    // Up, and four times the other way.
    for (index, depth) in [40, 20, 40, 20, 40].into_iter().enumerate() {
        depths(depth, (index < 2).then_some(20));
        recording.until_replicas("flapping", depth / 10);
    }
    namespace.apply([drifting("150m")]);
    recording.until("drift", |snapshot| {
        let pods = snapshot["pods"].as_array().unwrap();
        let of_drift = pods
            .iter()
            .filter(|pod| pod["metadata"]["labels"]["app"] == "drift");
        let mut requests =
            of_drift.map(|pod| &pod["spec"]["containers"][0]["resources"]["requests"]["cpu"]);
        requests.all(|request| request == "150m")
    });
    recording.until("slow", |snapshot| {
        7 <= snapshot["scale"]["spec"]["replicas"].as_i64().unwrap()
    });
    let text = recording.end();

    let file = cluster().file("lint-recorded.jsonl");
    fs::write(&file, text).unwrap();
    let config = cluster().file("lint-recorded.yaml");
    let impatient = "rules: {HPA902: {window: 5s}, HPA903: {window: 5s}, HPA907: {duration: 0s}}";
    fs::write(&config, impatient).unwrap();
    let lint = |words: &[&str]| {
        let mut command =
            cluster().kubectl(["hpa", "lint", "--output=json", "--select=HPA9", "-f"]);
        report(command.arg(&file).args(words))
    };
    let looked_back = lint(&["--config", config.to_str().unwrap()]);
    // Whether a snapshot comes between load and reaction of one that reacts at once, nobody can tell.
    let found = findings(&looked_back, |one| {
        one["code"] != "HPA907" || one["object"]["name"] == "slow"
    });
    assert_eq!(
        found,
        set([
            ("flapping", "HPA901"),
            ("capped", "HPA902"),
            ("pinned", "HPA903"),
            ("floor", "HPA904"),
            ("overshoot", "HPA905"),
            ("gaps", "HPA906"),
            ("slow", "HPA907"),
            ("nudged", "HPA908"),
            ("drift", "HPA909"),
        ]),
        "{looked_back:#}"
    );
    let messages = looked_back["findings"].to_string();
    for message in [
        "the replicas changed direction 4 times within 30 min",
        "the metrics asked for more than maxReplicas during 100.0% of 5 s",
        "the replicas have been at minReplicas for 5 s",
        "idle pods use 170 MiB of memory, so the HPA never goes below 4 replicas",
        "new pods use 4.5 times as much CPU in their first 5 min as later",
        "metric queue_gaps could not be computed in",
        "kubectl scale changed the replicas from 2 to 4 at",
        "CPU requests changed by +50% while the target stayed at 60%",
    ] {
        assert!(messages.contains(message), "{message}: {messages}");
    }

    // By default two of them look back for days, and the third has more patience.
    let usual = lint(&[]);
    let found = findings(&usual, |one| {
        ["HPA902", "HPA903", "HPA907"].contains(&one["code"].as_str().unwrap())
    });
    assert_eq!(found, set([]), "{usual:#}");
    let notes = usual["notes"].to_string();
    for note in [
        "of 7 d, and in it the metrics asked for more than maxReplicas 100.0% of the time",
        "of 14 d, and in it the replicas never left minReplicas",
    ] {
        assert!(notes.contains(note), "{note}: {notes}");
    }
}
