//! A simulated cluster of one HPA, with the engine as its controller. Only what a watcher would see is played.

use hpa_engine::{
    engine,
    model::{HpaKey, Memory},
};
use hpa_objects::recording::{Outcome, Snapshot};
use hpa_watch::{Event, State, reduce};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::lines::line;
use crate::{EarlierComparison, Session};

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing of its own that a test breaks"
)]
/// A cluster of one HPA `shop/web`: a Deployment, pods that get ready some time after they are wanted, metrics, a
/// controller that syncs every fifteen seconds, and a watcher.
pub(super) struct Cluster {
    pub(super) now: Timestamp,
    /// The scale and its writer.
    pub(super) replicas: i32,
    pub(super) writer: Value,
    pub(super) pods: Vec<TestPod>,
    /// `averageUtilization` is 60% of 100m.
    pub(super) min: i32,
    pub(super) max: i32,
    pub(super) behavior: Value,
    /// Whether the metrics API answers.
    pub(super) has_metrics: bool,
    /// Why the ReplicaSet may not create pods; none: it may.
    pub(super) quota: Option<&'static str>,
    /// Why new pods do not find a node; none: they do.
    pub(super) nodes: Option<&'static str>,
    /// Whether new pods get ready.
    pub(super) gets_ready: bool,
    /// Whether the controller runs.
    pub(super) is_running: bool,
    /// When the current controller became leader.
    pub(super) leader_since: Timestamp,
    /// The controller's tolerance, which the watcher cannot see.
    pub(super) tolerance: f64,
    /// Whether the API server rejects the controller's status writes, but not those of the scale.
    pub(super) is_status_refused: bool,
    /// What happens between the watcher's read and the sync.
    pub(super) meanwhile: fn(&mut Self),
    /// Whether `managedFields` can be read.
    pub(super) has_writers: bool,
    /// Whether Events can be read.
    pub(super) has_events: bool,
    events: Vec<Value>,
    hpa_created: Timestamp,
    /// The controller's field manager when it writes the scale.
    pub(super) controller: &'static str,
    /// Whether the watcher reads between the controller's writes of scale and status.
    pub(super) shows_scale_first: bool,
    /// When the target was created; none: it is not known.
    pub(super) target_created: Option<Timestamp>,
    /// What the watcher recorded.
    pub(super) recorded: Vec<Snapshot>,
    /// The controller's history, which the watcher cannot see.
    pub(super) memory: Memory,
    status: Value,
    created: usize,
    pub(super) session: Session,
    pub(super) state: State,
    lines: Vec<String>,
}

#[derive(Clone)]
pub(super) struct TestPod {
    pub(super) name: String,
    pub(super) created: Timestamp,
    pub(super) ready: Option<Timestamp>,
    pub(super) waiting: Option<&'static str>,
    pub(super) is_scheduled: bool,
    /// Thousandths of a core; none: it has no sample.
    pub(super) usage: Option<i64>,
}

impl Cluster {
    /// A cluster with this many pods that have run for an hour, at their target of 60%.
    pub(super) fn with(replicas: i32) -> Self {
        let now: Timestamp = "2026-11-21T03:00:00Z".parse().unwrap();
        let mut cluster = Self {
            now,
            replicas,
            writer: json!({"manager": "kubectl-client-side-apply", "operation": "Update"}),
            pods: Vec::new(),
            min: 2,
            max: 10,
            behavior: Value::Null,
            has_metrics: true,
            quota: None,
            nodes: None,
            gets_ready: true,
            is_running: true,
            leader_since: now - SignedDuration::from_hours(20),
            tolerance: 0.1,
            is_status_refused: false,
            meanwhile: |_| {},
            has_writers: true,
            has_events: false,
            events: Vec::new(),
            hpa_created: now - SignedDuration::from_hours(500),
            controller: "kube-controller-manager",
            shows_scale_first: false,
            target_created: None,
            recorded: Vec::new(),
            memory: Memory::default(),
            status: json!({"currentReplicas": 0, "desiredReplicas": 0}),
            created: 0,
            session: Session::of_cluster(),
            state: State::default(),
            lines: Vec::new(),
        };
        for _ in 0..replicas {
            let created = now - SignedDuration::from_hours(1);
            let mut pod = cluster.new_pod(created);
            pod.ready = Some(created);
            pod.is_scheduled = true;
            pod.waiting = None;
            pod.usage = Some(60);
            cluster.pods.push(pod);
        }
        // The controller has run for long before the watcher starts.
        for _ in 0..30 {
            cluster.reconcile();
            cluster.pass(SYNC);
        }
        cluster
    }

    /// Sets the usage of every running pod, in thousandths of a core; each requests 100.
    pub(super) fn load(&mut self, milli: i64) {
        for pod in &mut self.pods {
            pod.usage = pod.ready.map(|_| milli);
        }
    }

    /// Another writer sets the replicas.
    pub(super) fn scale(&mut self, replicas: i32) {
        self.replicas = replicas;
        self.writer = json!({"manager": "kubectl", "operation": "Update", "subresource": "scale"});
        self.pass(SignedDuration::ZERO);
    }

    /// The controller restarts with an empty history.
    pub(super) fn restart(&mut self) {
        self.memory = Memory::default();
        self.leader_since = self.now;
    }

    /// The HPA is deleted, and created again after a while. The controller drops what it remembers only if a sync finds
    /// no HPA. Without `is_heard` the watcher sees neither the deletion nor the creation.
    pub(super) fn recreate(&mut self, absent: SignedDuration, is_heard: bool) {
        if is_heard {
            let mut last = self.snapshot();
            last.hpa_deleted = Some(self.now);
            self.recorded.push(last);
            let hpa = HpaKey {
                namespace: "shop".to_owned(),
                name: "web".to_owned(),
            };
            self.session.forget(&hpa);
            self.take(Event::Deleted { hpa });
        }
        self.pass(absent);
        if SYNC <= absent {
            self.memory = Memory::default();
        }
        self.status = json!({"currentReplicas": 0, "desiredReplicas": 0});
        self.hpa_created = self.now;
    }

    /// Runs this many syncs, each read shortly before and right after.
    pub(super) fn syncs(&mut self, number: usize, mut then: impl FnMut(&mut Self)) {
        for _ in 0..number {
            self.watch_sync(WATCHED_BEFORE);
            self.pass(SYNC - WATCHED_BEFORE);
            then(self);
        }
    }

    /// The updates since the last call, a line each.
    pub(super) fn reported(&mut self) -> String {
        std::mem::take(&mut self.lines).join("\n")
    }

    /// What a client sees now.
    pub(super) fn snapshot(&self) -> Snapshot {
        serde_json::from_value(self.json()).unwrap()
    }

    /// The watcher's read between two syncs.
    pub(super) fn analysis(&mut self) {
        let seen = self.session.preview(&self.snapshot()).unwrap().seen();
        self.take(Event::Seen(Box::new(seen)));
    }

    pub(super) fn take(&mut self, event: Event) {
        for update in reduce(&mut self.state, event, self.now) {
            self.lines.extend(line(&self.state, &update, self.now));
        }
    }

    /// The watcher assumes that a sync is over: nothing was written by then.
    pub(super) fn guessed_sync(&mut self) {
        let pushed = self.session.push(self.snapshot()).unwrap();
        self.compare(pushed.compared);
        self.take(Event::Reconciled(Box::new(pushed.reconcile.seen())));
        self.pass(WAITED_FOR);
        let compared = self.session.compare(&self.snapshot()).unwrap();
        self.compare(compared);
    }

    /// A user edits `minReplicas`, and the controller syncs immediately, as from Kubernetes 1.37 on.
    pub(super) fn edit_min(&mut self, min: i32) {
        self.min = min;
        self.watch_sync(SignedDuration::ZERO);
    }

    fn watch_sync(&mut self, before: SignedDuration) {
        self.recorded.push(self.snapshot());
        let pushed = self.session.push(self.snapshot()).unwrap();
        self.compare(pushed.compared);
        self.now += before;
        (self.meanwhile)(self);
        let status = self.status.clone();
        self.reconcile();
        let mut reconcile = pushed.reconcile;
        let compared = self.session.compare(&self.snapshot()).unwrap();
        if let Some(own) = compared.iter().find(|one| one.time == reconcile.time) {
            reconcile.verdict = own.verdict.clone();
        }
        if status != self.status || self.is_running {
            self.take(Event::Reconciled(Box::new(reconcile.seen())));
        }
        self.compare(compared);
    }

    fn compare(&mut self, compared: Vec<EarlierComparison>) {
        for one in compared.into_iter().filter(|one| one.is_final) {
            self.take(Event::Compared {
                hpa: HpaKey {
                    namespace: "shop".to_owned(),
                    name: "web".to_owned(),
                },
                at: one.time,
                agreement: one.agreement(),
            });
        }
    }

    /// The controller syncs.
    pub(super) fn reconcile(&mut self) {
        if !self.is_running {
            return;
        }
        let mut observation = self.snapshot().observation().unwrap();
        observation.controller.tolerance.value = self.tolerance;
        let trace = engine::decide(&observation, &mut self.memory, self.now);
        let outcome = Outcome::from(trace.outcome.as_ref().unwrap());
        for event in outcome.events.iter().filter(|_| self.has_events) {
            let mut event = serde_json::to_value(event).unwrap();
            event["firstTimestamp"] = json!(self.now);
            event["lastTimestamp"] = json!(self.now);
            self.events.push(event);
        }
        if let Some(to) = outcome.scale_to {
            self.replicas = to;
            self.writer =
                json!({"manager": self.controller, "operation": "Update", "subresource": "scale"});
            if self.shows_scale_first {
                self.analysis();
            }
        }
        if !self.is_status_refused {
            self.status = serde_json::to_value(outcome.status).unwrap();
        }
    }

    /// Time passes: pods are created, scheduled, get ready and have samples.
    pub(super) fn pass(&mut self, duration: SignedDuration) {
        self.now += duration;
        let expected = usize::try_from(self.replicas).unwrap();
        self.pods.truncate(expected);
        while self.pods.len() < expected && self.quota.is_none() {
            let pod = self.new_pod(self.now);
            self.pods.push(pod);
        }
        let usual = self.pods.first().and_then(|pod| pod.usage);
        for pod in &mut self.pods {
            let age = self.now.duration_since(pod.created);
            if !pod.is_scheduled && self.nodes.is_none() {
                pod.is_scheduled = true;
                pod.waiting = None;
            }
            if pod.is_scheduled && self.gets_ready && pod.ready.is_none() && START <= age {
                pod.ready = Some(self.now);
                pod.waiting = None;
                pod.usage = usual;
            }
        }
    }

    fn new_pod(&mut self, created: Timestamp) -> TestPod {
        self.created += 1;
        TestPod {
            name: format!("web-5d9f-{:03}", self.created),
            created,
            ready: None,
            waiting: if self.nodes.is_some() {
                self.nodes
            } else if self.gets_ready {
                None
            } else {
                Some("CrashLoopBackOff")
            },
            is_scheduled: self.nodes.is_none(),
            usage: None,
        }
    }

    fn json(&self) -> Value {
        let labels = json!({"app": "web"});
        let sampled = self.now - SignedDuration::from_secs(5);
        let samples: Vec<Value> = self
            .pods
            .iter()
            .filter_map(|pod| {
                Some(json!({
                    "metadata": {"name": pod.name, "namespace": "shop", "labels": labels},
                    "timestamp": sampled,
                    "window": "15s",
                    "containers": [{"name": "app", "usage": {"cpu": format!("{}m", pod.usage?)}}],
                }))
            })
            .collect();
        let metrics = if self.has_metrics {
            json!({"items": samples})
        } else {
            json!({"error": {
                "message": "the server is currently unable to handle the request (get pods.metrics.k8s.io)",
                "reason": "ServiceUnavailable",
                "code": 503,
            }})
        };
        json!({
            "apiVersion": "kubectl-hpa/v1",
            "kind": "Snapshot",
            "metadata": {"name": "shop/web"},
            "time": self.now,
            "controller": {
                "version": "1.36.3",
                "syncPeriodSeconds": 15.0,
                "provenance": {"syncPeriodSeconds": "observed"},
            },
            "hpa": {
                "metadata": {
                    "name": "web",
                    "namespace": "shop",
                    "creationTimestamp": whole_second(self.hpa_created),
                },
                "spec": {
                    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                    "minReplicas": self.min,
                    "maxReplicas": self.max,
                    "metrics": [{"type": "Resource", "resource": {
                        "name": "cpu",
                        "target": {"type": "Utilization", "averageUtilization": 60},
                    }}],
                    "behavior": self.behavior,
                },
                "status": self.status,
            },
            "scale": {
                "spec": {"replicas": self.replicas},
                "status": {"replicas": self.pods.len(), "selector": "app=web"},
            },
            "pods": self.pods.iter().map(Self::pod).collect::<Vec<_>>(),
            "podMetrics": metrics,
            "target": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "name": "web",
                "created": self.target_created.map(whole_second),
                "replicasWrittenBy": if self.has_writers { json!([self.writer]) } else { json!([]) },
                "intermediateOwners": [{
                    "kind": "ReplicaSet",
                    "name": "web-5d9f",
                    "ownerKind": "Deployment",
                    "ownerName": "web",
                    "failure": self.quota,
                }],
            },
            "leaderSince": self.leader_since,
            "kubernetesEvents": self.events,
            "serverVersion": "v1.36.3",
        })
    }

    fn pod(pod: &TestPod) -> Value {
        let yes = |is: bool| if is { "True" } else { "False" };
        let mut conditions = vec![json!({
            "type": "PodScheduled",
            "status": yes(pod.is_scheduled),
            "message": pod.waiting.filter(|_| !pod.is_scheduled),
        })];
        if pod.is_scheduled {
            conditions.push(json!({
                "type": "Ready",
                "status": yes(pod.ready.is_some()),
                "lastTransitionTime": pod.ready.unwrap_or(pod.created),
            }));
        }
        let waiting = pod.waiting.map(|reason| json!({"reason": reason}));
        json!({
            "metadata": {
                "name": pod.name,
                "namespace": "shop",
                "creationTimestamp": pod.created,
                "labels": {"app": "web"},
                "ownerReferences": [{"kind": "ReplicaSet", "name": "web-5d9f", "controller": true}],
            },
            "spec": {"containers": [{
                "name": "app",
                "resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": "2"}},
            }]},
            "status": {
                "phase": if pod.is_scheduled { "Running" } else { "Pending" },
                "startTime": pod.is_scheduled.then_some(pod.created),
                "conditions": conditions,
                "containerStatuses": [{"name": "app", "state": {"waiting": waiting}}],
            },
        })
    }
}

/// Objects have times in whole seconds.
fn whole_second(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap()
}

/// The sync period.
pub(super) const SYNC: SignedDuration = SignedDuration::from_secs(15);

/// The watcher reads this long before a sync.
const WATCHED_BEFORE: SignedDuration = SignedDuration::from_secs(1);

/// The watcher waits this long for the write of a sync.
const WAITED_FOR: SignedDuration = SignedDuration::from_secs(3);

/// A pod takes this long to get ready.
const START: SignedDuration = SignedDuration::from_secs(20);
