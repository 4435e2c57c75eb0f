//! One course: what it is, and what happened in it.

use serde_json::{Value, json};

use super::pace::{length, seconds};
use crate::manifest::{Hpa, deployment, hpa};

/// A load on an HPA and its target, and what else happens.
pub(super) struct Course {
    /// Of its namespace, its HPA and its target.
    pub(super) name: &'static str,
    /// For people.
    pub(super) what: &'static str,
    /// At first.
    pub(super) replicas: i32,
    /// Seconds from the creation of a pod until it is ready; its containers run after half of them.
    pub(super) ready: i32,
    /// So many pods have room.
    pub(super) room: Option<i32>,
    is_stateful: bool,
    hpa: Hpa,
    /// The loads, by metric.
    pub(super) loads: Vec<(&'static str, Vec<(i32, f64)>)>,
    /// What happens and when, in seconds.
    pub(super) happenings: Vec<(i32, Happening)>,
}

/// What happens meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// Another writer changes the replicas.
    Scale(i32),
    /// A new template.
    Rollout,
    /// The metrics APIs fail for so many seconds.
    Fails(i32),
}

/// A rescale by the controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    /// Seconds since the start.
    pub(super) at: f64,
    pub(super) from: i32,
    pub(super) to: i32,
}

/// What happened in a course, on the real cluster or in a run of the simulation.
pub(super) struct Seen {
    pub(super) rescales: Vec<Change>,
    /// Ready pods, added up over all seconds.
    pub(super) ready: f64,
}

impl Course {
    /// A course of an HPA on a Deployment whose pods get ready after 8 s. All times are at the pace of [`super::pace`].
    pub(super) fn new(
        name: &'static str,
        what: &'static str,
        replicas: i32,
        edit: impl FnOnce(Hpa) -> Hpa,
    ) -> Self {
        Self {
            name,
            what,
            replicas,
            ready: seconds(8),
            room: None,
            is_stateful: false,
            hpa: edit(hpa(name)),
            loads: Vec::new(),
            happenings: Vec::new(),
        }
    }

    /// Adds the load of a metric: values at seconds, straight lines in between.
    pub(super) fn load(mut self, metric: &'static str, points: &[(i32, f64)]) -> Self {
        let points = points.iter().map(|(at, value)| (seconds(*at), *value));
        self.loads.push((metric, points.collect()));
        self
    }

    pub(super) fn ready(mut self, after: i32) -> Self {
        self.ready = seconds(after);
        self
    }

    pub(super) fn room(mut self, pods: i32) -> Self {
        self.room = Some(pods);
        self
    }

    pub(super) fn stateful(mut self) -> Self {
        self.is_stateful = true;
        self.hpa = self.hpa.target("apps/v1", "StatefulSet", self.name);
        self
    }

    pub(super) fn happens(mut self, at: i32, happening: Happening) -> Self {
        let happening = match happening {
            Happening::Fails(length) => Happening::Fails(seconds(length)),
            other => other,
        };
        self.happenings.push((seconds(at), happening));
        self
    }

    pub(super) fn kind(&self) -> &'static str {
        if self.is_stateful {
            "StatefulSet"
        } else {
            "Deployment"
        }
    }

    /// The target, as the cluster gets it.
    pub(super) fn target(&self) -> Value {
        let mut target = deployment(self.name, self.replicas)
            .pods("runs", &format!("{}s", self.ready / 2))
            .pods("ready", &format!("{}s", self.ready))
            .pods("stop-after", "2s")
            .pods("metrics-window", "1s");
        if let Some(room) = self.room {
            target = target.pods("room", &room.to_string());
        }
        if self.is_stateful {
            target = target.stateful_set();
        }
        let mut target = target.object();
        if self.is_stateful {
            target["spec"]["podManagementPolicy"] = json!("OrderedReady");
        }
        target["metadata"]["namespace"] = json!(self.name);
        target
    }

    /// The HPA, as the cluster gets it.
    pub(super) fn hpa(&self) -> Value {
        let mut hpa = self.hpa.clone().object();
        hpa["metadata"]["namespace"] = json!(self.name);
        hpa
    }

    /// What the metrics APIs answer, from `since` on.
    pub(super) fn metrics(&self, since: jiff::Timestamp, fails: bool) -> Value {
        let load = |points: &[(i32, f64)]| {
            let points = points
                .iter()
                .map(|(at, value)| json!({"at": format!("{at}s"), "value": value.to_string()}));
            json!({"since": since.to_string(), "course": points.collect::<Vec<_>>()})
        };
        let (mut resource, mut custom, mut external) = (Vec::new(), Vec::new(), Vec::new());
        for (metric, points) in &self.loads {
            let load = load(points);
            match *metric {
                "cpu" => {
                    let selector = format!("app={}", self.name);
                    resource.push(json!({"selector": selector, "load": load}));
                }
                "requests" => custom.push(json!({"metric": metric, "value": "0", "load": load})),
                _ => external.push(json!({"metric": metric, "value": "0", "load": load})),
            }
        }
        let mode = if fails { "503" } else { "ok" };
        let settings = json!({
            "apis": {"metrics.k8s.io": mode, "custom.metrics.k8s.io": mode, "external.metrics.k8s.io": mode},
            "resource": resource, "custom": custom, "external": external,
        });
        json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "testcluster-metrics", "namespace": self.name},
            "data": {"metrics.yaml": settings.to_string()},
        })
    }
}

/// Wanted pods, added up over all seconds of a course.
pub(super) fn pod_seconds(course: &Course, rescales: &[Change]) -> f64 {
    let written = course
        .happenings
        .iter()
        .filter_map(|(at, happening)| match happening {
            Happening::Scale(replicas) => Some((f64::from(*at), *replicas)),
            _ => None,
        });
    let mut changes: Vec<(f64, i32)> = rescales
        .iter()
        .map(|change| (change.at, change.to))
        .chain(written)
        .collect();
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut since, mut replicas) = (0.0, 0.0, course.replicas);
    for (at, to) in changes {
        sum += f64::from(replicas) * (at - since);
        (since, replicas) = (at, to);
    }
    sum + f64::from(replicas) * (length() - since)
}
