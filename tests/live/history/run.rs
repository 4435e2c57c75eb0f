//! A run: the real controller under a load, the monitoring beside it, and what really happened.

use std::{
    process::Output,
    sync::{Arc, PoisonError, RwLock},
    thread,
};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{
    monitoring::{Extra, Monitoring},
    pace::{Metric, Pace, Workload},
};
use crate::{
    audit,
    cluster::{Cluster, eventually, succeed},
    manifest::deployment,
};

/// All of it. The cluster and its monitoring are still there.
pub(super) struct Run {
    pub(super) cluster: Arc<Cluster>,
    pub(super) monitoring: Monitoring,
    /// From sync to sync.
    pub(super) period: SignedDuration,
    /// When the HPAs were created.
    pub(super) from: Timestamp,
    /// When the load ended.
    pub(super) to: Timestamp,
    /// While kube-state-metrics stood still.
    pub(super) silence: Option<(Timestamp, Timestamp)>,
    /// Who reads may go on with others; who stops a server must be alone.
    is_whole: RwLock<()>,
}

/// A change of the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rescale {
    pub(super) at: Timestamp,
    pub(super) from: i64,
    pub(super) to: i64,
}

impl Run {
    /// Starts a cluster and its monitoring, and plays.
    pub(super) fn of(pace: &Pace) -> Self {
        let hpa = "--horizontal-pod-autoscaler";
        let period = format!("{hpa}-sync-period={}s", pace.period);
        let window = format!("{hpa}-downscale-stabilization={}s", pace.window);
        let source = if pace.extra == Extra::MetricsApis {
            "--without=metrics.k8s.io,custom.metrics.k8s.io,external.metrics.k8s.io"
        } else {
            "--metrics-resolution=15s"
        };
        let flags = [
            "--kubelet-metrics",
            source,
            "--start-age=0s",
            &period,
            &window,
        ];
        let cluster = Cluster::with_audit(pace.name, &flags);
        let monitoring = Monitoring::start(&cluster, pace.intervals, pace.extra);
        cluster.apply(&[json!({
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"},
        })]);
        // Until the start the load is that of the start.
        cluster.apply(&[metrics(pace, far_away())]);
        let targets: Vec<Value> = pace.workloads.iter().map(target).collect();
        cluster.apply(&targets);
        let count_samples = || {
            let path = "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods";
            let list = succeed(&mut cluster.kubectl(["get", "--raw", path]));
            let list: Value = serde_json::from_str(&list).unwrap();
            let with_cpu = pace
                .workloads
                .iter()
                .filter(|one| one.metric == Metric::Cpu);
            let all = 2 * with_cpu.count();
            (list["items"].as_array().unwrap().len(), all)
        };
        // It has read each of them twice after up to a minute.
        eventually("the metrics server has samples of pods", || {
            let (count, all) = count_samples();
            (all.min(1) <= count).then_some(())
        });
        eventually("the metrics server has samples of all pods", || {
            let (count, all) = count_samples();
            (count == all).then_some(())
        });
        let from = Timestamp::now();
        let start = from + SignedDuration::from_secs(4);
        cluster.apply(&[metrics(pace, start)]);
        let hpas = pace.workloads.iter().map(|one| one.hpa.clone());
        cluster.apply(&hpas.collect::<Vec<_>>());
        let mut capture = pace.captured.map(|name| {
            let every = ["--every=5s", &format!("--for={}s", pace.length)].map(str::to_owned);
            let mut capture = cluster.kubectl(["hpa", "capture", name, "-n", "shop", "-o"]);
            capture
                .arg(cluster.file("captured.jsonl"))
                .args(every)
                .spawn()
                .unwrap()
        });
        let at = |seconds: i64| start + SignedDuration::from_secs(seconds);
        let silence = pace.silence.map(|(begin, end)| {
            sleep_until(at(begin));
            let begin = Timestamp::now();
            monitoring.pause("kube-state-metrics");
            sleep_until(at(end));
            let end = Timestamp::now();
            monitoring.resume("kube-state-metrics");
            (begin, end)
        });
        sleep_until(at(pace.length));
        if let Some(capture) = &mut capture {
            assert!(capture.wait().unwrap().success(), "capture failed");
        }
        Self {
            cluster,
            monitoring,
            period: SignedDuration::from_secs(pace.period),
            from,
            to: Timestamp::now(),
            silence,
            is_whole: RwLock::default(),
        }
    }

    /// Each sync of an HPA, by the log of the API server.
    pub(super) fn real_syncs(&self, name: &str) -> Vec<audit::Sync> {
        let mut syncs = audit::syncs(&self.cluster.file("audit.jsonl"));
        syncs.remove(name).unwrap_or_default()
    }

    /// What the controller did to an HPA.
    pub(super) fn truth(&self, name: &str) -> Vec<Rescale> {
        let syncs = self.real_syncs(name);
        let rescale = |sync: &audit::Sync| {
            let to = sync.scaled_to.filter(|_| !sync.is_refused)?;
            (to != sync.current && sync.at < self.to).then_some(Rescale {
                at: sync.at,
                from: sync.current,
                to,
            })
        };
        syncs.iter().filter_map(rescale).collect()
    }

    /// An object of the namespace.
    pub(super) fn get(&self, kind: &str, name: &str) -> Value {
        let get = ["get", kind, name, "--namespace=shop", "--output=json"];
        serde_json::from_str(&succeed(&mut self.cluster.kubectl(get))).unwrap()
    }

    /// Runs `kubectl hpa` with these arguments while all servers answer.
    pub(super) fn ask(&self, arguments: &[&str]) -> Output {
        let _others = self.is_whole.read().unwrap_or_else(PoisonError::into_inner);
        self.output(arguments)
    }

    /// Runs it while a server is paused.
    pub(super) fn ask_without(&self, server: &str, arguments: &[&str]) -> Output {
        let _alone = self
            .is_whole
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        self.monitoring.pause(server);
        let output = self.output(arguments);
        self.monitoring.resume(server);
        output
    }

    fn output(&self, arguments: &[&str]) -> Output {
        let mut command = self.cluster.kubectl(["hpa"]);
        command.args(arguments).output().unwrap()
    }

    /// Its output, if it succeeds.
    #[track_caller]
    pub(super) fn prints(&self, arguments: &[&str]) -> String {
        let output = self.ask(arguments);
        assert!(
            output.status.success(),
            "kubectl hpa {}: {}",
            arguments.join(" "),
            text(&output)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// `history` of an HPA over the whole run, with these further arguments.
    #[track_caller]
    pub(super) fn history(&self, name: &str, arguments: &[&str]) -> String {
        let (from, to) = (self.from.to_string(), self.to.to_string());
        let whole = ["history", name, "-n", "shop", "--from", &from, "--to", &to];
        self.prints(&[&whole, arguments].concat())
    }

    /// The same in JSON.
    #[track_caller]
    pub(super) fn report(&self, name: &str, arguments: &[&str]) -> Value {
        let text = self.history(name, &[arguments, &["-o", "json"]].concat());
        serde_json::from_str(&text).unwrap()
    }

    /// Its syncs, as `-o csv` has them.
    #[track_caller]
    pub(super) fn syncs(&self, name: &str, arguments: &[&str]) -> Vec<SeenSync> {
        let text = self.history(name, &[arguments, &["-o", "csv"]].concat());
        let head =
            "time,replicas,minReplicas,maxReplicas,value,recommendation,recomputed,certainty,ready";
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some(head));
        let sync = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            SeenSync {
                at: cells[0].parse().unwrap(),
                replicas: cells[1].parse().unwrap(),
                value: cells[4].parse().ok(),
                recomputed: cells[6].parse().ok(),
                is_certain: cells[7] == "certain",
            }
        };
        lines.map(sync).collect()
    }
}

/// A sync as `history` has it.
#[derive(Debug)]
pub(super) struct SeenSync {
    pub(super) at: Timestamp,
    pub(super) replicas: i64,
    pub(super) value: Option<f64>,
    pub(super) recomputed: Option<i64>,
    pub(super) is_certain: bool,
}

fn target(workload: &Workload) -> Value {
    let pods = deployment(workload.name, 2)
        .pods("runs", "1s")
        .pods("ready", workload.ready);
    let mut target = match workload.stops {
        None => pods.object(),
        Some(time) => {
            let mut target = pods.stateful_set().pods("stop-after", time).object();
            target["spec"]["podManagementPolicy"] = json!("OrderedReady");
            target
        }
    };
    target["metadata"]["namespace"] = json!("shop");
    target
}

/// The load of all workloads.
fn metrics(pace: &Pace, since: Timestamp) -> Value {
    let (mut resource, mut external) = (Vec::new(), Vec::new());
    for workload in &pace.workloads {
        let (name, unit) = (
            workload.name,
            if workload.metric == Metric::Cpu {
                "m"
            } else {
                ""
            },
        );
        let points = workload
            .load
            .iter()
            .map(|(at, value)| json!({"at": format!("{at}s"), "value": format!("{value}{unit}")}));
        let load = json!({"since": since.to_string(), "course": points.collect::<Vec<_>>()});
        match workload.metric {
            Metric::Cpu => resource.push(json!({
                "selector": format!("app={name}"), "memory": "50Mi", "load": load,
            })),
            Metric::Queue => external.push(json!({"metric": "queue", "value": "0", "load": load})),
        }
    }
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "testcluster-metrics", "namespace": "shop"},
        "data": {"metrics.yaml": json!({"resource": resource, "external": external}).to_string()},
    })
}

fn far_away() -> Timestamp {
    Timestamp::now() + SignedDuration::from_hours(1)
}

fn sleep_until(time: Timestamp) {
    let left = time.duration_since(Timestamp::now());
    thread::sleep(left.try_into().unwrap_or_default());
}

/// All that it printed.
pub(super) fn text(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes);
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// What it printed as JSON.
#[track_caller]
pub(super) fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(output)))
}
