//! The real side: one cluster in which all courses run.

use std::{path::PathBuf, sync::Arc, thread, time::Duration};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{
    course::{Change, Course, Happening, Seen},
    pace::{PACE, length},
};
use crate::{
    audit,
    cluster::{Cluster, eventually, succeed},
};

/// The cluster with all targets.
pub(super) struct Bench(Arc<Cluster>);

impl Bench {
    /// Starts it and waits until all pods are ready and count as started long ago.
    pub(super) fn start(courses: &[Course]) -> Self {
        let hpa = "--horizontal-pod-autoscaler";
        let flags = [
            format!("{hpa}-sync-period={}s", PACE.period),
            format!("{hpa}-downscale-stabilization={}s", PACE.window),
            format!("{hpa}-cpu-initialization-period={}s", PACE.initialization),
            format!("{hpa}-initial-readiness-delay={}s", PACE.delay),
            "--start-age=0s".to_owned(),
            "--feature-gates=HPAScaleToZero=true".to_owned(),
        ];
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let bench = Self(Cluster::with_audit(PACE.name, &flags));
        let namespace = |course: &Course| json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": course.name}});
        bench
            .0
            .apply(&courses.iter().map(namespace).collect::<Vec<_>>());
        bench
            .0
            .apply(&courses.iter().map(Course::target).collect::<Vec<_>>());
        let slowest = courses.iter().map(|course| course.ready).max();
        thread::sleep(Duration::from_secs(slowest.unwrap().unsigned_abs().into()));
        eventually("the pods of all targets are ready", || {
            let targets = bench.targets();
            courses
                .iter()
                .all(|course| ready(&targets, course) == course.replicas)
                .then_some(())
        });
        // Their samples count: they are of after the pods got ready.
        thread::sleep(Duration::from_secs(16));
        bench
    }

    /// Plays all courses and returns what happened.
    pub(super) fn play(&self, courses: &[Course]) -> Vec<Seen> {
        // Until then the load is that of the start.
        let start = Timestamp::now() + SignedDuration::from_secs(4);
        self.0.apply(
            &courses
                .iter()
                .map(|course| course.metrics(start, false))
                .collect::<Vec<_>>(),
        );
        self.0
            .apply(&courses.iter().map(Course::hpa).collect::<Vec<_>>());
        let samples = thread::scope(|scope| {
            for course in courses {
                scope.spawn(move || self.disturb(course, start));
            }
            let mut samples = vec![0.0; courses.len()];
            let mut at = 0.0;
            while at < length() {
                sleep_until(start, at);
                let targets = self.targets();
                for (sample, course) in samples.iter_mut().zip(courses) {
                    *sample += f64::from(ready(&targets, course)) * 5.0;
                }
                at += 5.0;
            }
            samples
        });
        let mut syncs = audit::syncs(&self.file("audit.jsonl"));
        courses
            .iter()
            .zip(samples)
            .map(|(course, ready)| Seen {
                rescales: rescales(&syncs.remove(course.name).unwrap_or_default(), start),
                ready,
            })
            .collect()
    }

    /// Makes a change of a course.
    fn disturb(&self, course: &Course, start: Timestamp) {
        for (at, happening) in &course.happenings {
            sleep_until(start, f64::from(*at));
            let namespace = format!("--namespace={}", course.name);
            let target = format!("{}/{}", course.kind(), course.name);
            match happening {
                Happening::Scale(replicas) => {
                    let replicas = format!("--replicas={replicas}");
                    succeed(&mut self.0.kubectl(["scale", &namespace, &target, &replicas]));
                }
                Happening::Rollout => {
                    let patch = json!({"spec": {"template": {"metadata": {"annotations": {"version": "2"}}}}});
                    succeed(&mut self.0.kubectl([
                        "patch",
                        &namespace,
                        &target,
                        "--patch",
                        &patch.to_string(),
                    ]));
                }
                Happening::Fails(length) => {
                    self.0.apply(&[course.metrics(start, true)]);
                    sleep_until(start, f64::from(at + length));
                    self.0.apply(&[course.metrics(start, false)]);
                }
            }
        }
    }

    /// All Deployments and StatefulSets.
    fn targets(&self) -> Value {
        let list = succeed(&mut self.0.kubectl([
            "get",
            "deployments,statefulsets",
            "--all-namespaces",
            "--output=json",
        ]));
        serde_json::from_str(&list).unwrap()
    }

    /// A file of the cluster.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.file(name)
    }
}

fn rescales(syncs: &[audit::Sync], start: Timestamp) -> Vec<Change> {
    let change = |sync: &audit::Sync| {
        let at = sync.at.duration_since(start).as_secs_f64();
        let to = sync.scaled_to.filter(|_| !sync.is_refused)?;
        let number = |count: i64| i32::try_from(count).unwrap();
        (to != sync.current && at < length()).then(|| Change {
            at,
            from: number(sync.current),
            to: number(to),
        })
    };
    syncs.iter().filter_map(change).collect()
}

fn ready(targets: &Value, course: &Course) -> i32 {
    let mut items = targets["items"].as_array().unwrap().iter();
    let own = items.find(|item| item["metadata"]["namespace"] == course.name);
    let ready = own.and_then(|own| own["status"]["readyReplicas"].as_i64());
    i32::try_from(ready.unwrap_or(0)).unwrap()
}

fn sleep_until(start: Timestamp, seconds: f64) {
    let left = start + SignedDuration::from_secs_f64(seconds);
    thread::sleep(
        left.duration_since(Timestamp::now())
            .try_into()
            .unwrap_or_default(),
    );
}
