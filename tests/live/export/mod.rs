//! `kubectl hpa export` of a running cluster: its series compared with the controller's actions, and what they leave
//! out where the exporter cannot read.

mod alerts;
mod chart;
mod first_alert;
mod prometheus;
mod soak;
mod truth;

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use prometheus::promtool_accepts;
use serde_json::{Value, json};

use crate::{
    cluster::{Cluster, cluster, eventually, succeed},
    limited_users,
    manifest::{average, deployment, hpa},
    namespace::{Namespace, free_namespace, free_namespace_in},
    permissions::roles,
};

/// A running `kubectl hpa export`.
struct Export {
    process: Child,
    /// Address and port.
    address: String,
}

impl Export {
    fn start(kubeconfig: &Path, arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["export", "--listen=127.0.0.1:0"])
            .args(arguments)
            .env("KUBECONFIG", kubeconfig)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("serving http://");
        let address = address.and_then(|rest| rest.strip_suffix("/metrics"));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        // A pipe without a reader would fill up.
        std::thread::spawn(move || {
            let mut rest = Vec::new();
            let _ = errors.read_to_end(&mut rest);
        });
        Self { process, address }
    }

    /// Status and body of an answer.
    fn get(&self, path: &str) -> (u16, String) {
        get(&self.address, path)
    }

    fn metrics(&self) -> String {
        let (status, text) = self.get("/metrics");
        assert_eq!(status, 200);
        text
    }

    /// Waits until all these samples are served: a series and its value.
    #[track_caller]
    fn serves(&self, samples: &[String]) -> String {
        eventually(&format!("{samples:#?}"), || {
            let text = self.metrics();
            samples
                .iter()
                .all(|sample| text.lines().any(|line| line == sample))
                .then_some(text)
        })
    }

    /// It ends cleanly on request.
    fn ends(mut self) {
        succeed(Command::new("kill").args(["-s", "TERM", &self.process.id().to_string()]));
        assert!(self.process.wait().unwrap().success());
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    (status, body.to_owned())
}

/// A series of an HPA, and its value.
fn sample(name: &str, (namespace, hpa): (&str, &str), labels: &str, value: &str) -> String {
    format!(
        "kubectl_hpa_{name}{{namespace=\"{namespace}\",horizontalpodautoscaler=\"{hpa}\"{labels}}} {value}"
    )
}

fn verdict(of: (&str, &str), verdict: &str) -> String {
    sample("verdict", of, &format!(",verdict=\"{verdict}\""), "1")
}

/// The value of a series of an HPA; `None` if it is absent.
fn number(text: &str, name: &str, of: (&str, &str), labels: &str) -> Option<f64> {
    let series = sample(name, of, labels, "");
    text.lines()
        .find_map(|line| line.strip_prefix(&series)?.parse().ok())
}

/// The series of an HPA.
fn series_of(text: &str, hpa: &str) -> Vec<String> {
    let label = format!("horizontalpodautoscaler=\"{hpa}\"");
    let lines = text.lines().filter(|line| line.contains(&label));
    lines.map(str::to_owned).collect()
}

/// The HPAs: one at its maximum that asks for more, one that pods without readiness hold, one whose metric fails, one without a target, and
/// one that is well.
fn situations(namespace: &Namespace) {
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "95"}]}));
    let mut fails = hpa("fails").cpu(60);
    fails = fails.external("no_such_metric", average("10"));
    namespace.stop_settling();
    namespace.apply([
        deployment("full", 3).object(),
        hpa("full")
            .bounds(1, 3)
            .external("queue_depth", average("10"))
            .object(),
        // Pods that were never ready count as idle before scaling up.
        deployment("waiting", 8)
            .pods("cpu", "85m")
            .pods("start-age", "1m")
            .object(),
        deployment("fails", 2).pods("cpu", "60m").object(),
        fails.object(),
        hpa("lost").cpu(60).object(),
        deployment("well", 2).pods("cpu", "60m").object(),
        hpa("well").bounds(2, 5).cpu(60).object(),
    ]);
    eventually("the pods exist", || {
        (namespace.list("pods").len() == 15).then_some(())
    });
    let pods = namespace.list("pods");
    let waiting = |pod: &&Value| pod["metadata"]["labels"]["app"] == "waiting";
    for pod in pods.iter().filter(waiting).take(2) {
        namespace.annotate_pod(pod, "ready", "false");
    }
    namespace.apply([hpa("waiting").bounds(2, 20).cpu(60).object()]);
    // Before that, metrics of new pods are missing.
    for (name, replicas) in [("full", 3), ("waiting", 8), ("fails", 2), ("well", 2)] {
        eventually(&format!("the controller has decided on {name}"), || {
            let status = namespace.get("hpa", name)["status"].take();
            let has_metrics = status["currentMetrics"][0]["type"].is_string();
            (has_metrics && status["desiredReplicas"] == replicas).then_some(())
        });
    }
}

#[test]
fn each_situation_has_its_series_and_a_deleted_hpa_has_none() {
    let namespace = free_namespace("exported");
    situations(&namespace);
    let recordings = cluster().file("exported-recordings");
    fs::create_dir_all(&recordings).unwrap();
    let folder = format!("--record={}", recordings.display());
    let export = Export::start(
        &cluster().file("kubeconfig"),
        &["--namespace=exported", &folder],
    );
    let of = |name| ("exported", name);
    let metric = |name: &str, index: usize| format!(",metric=\"{name}\",index=\"{index}\"");
    let text = export.serves(&[
        verdict(of("full"), "at_max"),
        sample("unmet_replicas", of("full"), "", "7"),
        sample("desired_replicas", of("full"), "", "3"),
        sample(
            "proposed_replicas",
            of("full"),
            ",metric=\"queue_depth\",source=\"External\",index=\"0\"",
            "10",
        ),
        sample(
            "condition_reason",
            of("full"),
            ",condition=\"ScalingLimited\",reason=\"TooManyReplicas\"",
            "1",
        ),
        sample("agrees", of("full"), "", "1"),
        verdict(of("waiting"), "pods_not_ready"),
        sample("unmet_replicas", of("waiting"), "", "0"),
        sample(
            "counted_pods",
            of("waiting"),
            &(metric("cpu", 0) + ",class=\"not_ready\""),
            "2",
        ),
        sample(
            "counted_pods",
            of("waiting"),
            &(metric("cpu", 0) + ",class=\"ready\""),
            "6",
        ),
        sample("metric_valid", of("fails"), &metric("cpu", 0), "1"),
        sample(
            "metric_valid",
            of("fails"),
            &metric("no_such_metric", 1),
            "0",
        ),
        verdict(of("lost"), "target_not_found"),
        verdict(of("well"), "within_tolerance"),
        sample("unmet_replicas", of("well"), "", "0"),
        sample("usage_ratio", of("well"), &metric("cpu", 0), "1.0"),
        sample("agrees", of("well"), "", "1"),
        sample("visible", of("well"), "", "1"),
    ]);
    assert_eq!(export.get("/healthz"), (200, "ok\n".to_owned()));
    assert_eq!(export.get("/readyz"), (200, "ready: HPAs: 5\n".to_owned()));
    assert_eq!(export.get("/other").0, 404);
    for name in ["full", "waiting", "fails", "lost", "well"] {
        let metrics = if name == "fails" { 2 } else { 1 };
        let series = series_of(&text, name);
        assert!(series.len() <= 25 + 4 * metrics, "{series:#?}");
        let verdicts = series.iter().filter(|one| one.contains("_verdict{"));
        assert_eq!(verdicts.count(), 1, "{series:#?}");
    }

    // Time is counted by what holds, and by nothing else.
    let held = |text: &str, name, by: &str| {
        number(
            text,
            "held_seconds_total",
            of(name),
            &format!(",by=\"{by}\""),
        )
        .unwrap()
    };
    let text = eventually("time is counted", || {
        let text = export.metrics();
        let is_counted =
            1.0 < held(&text, "full", "max") && 1.0 < held(&text, "waiting", "not_ready");
        is_counted.then_some(text)
    });
    for by in [
        "max",
        "window",
        "policy",
        "tolerance",
        "not_ready",
        "no_metrics",
        "metric",
    ] {
        assert!(held(&text, "well", by) < 0.01, "{by}\n{text}");
        assert!(
            by == "max" || held(&text, "full", by) < 0.01,
            "{by}\n{text}"
        );
    }
    // Another reason may have come first, while its pods had no metrics yet.
    let reasons = ["FailedGetExternalMetric", "other"].map(|one| format!(",reason=\"{one}\""));
    let counted = |reason: &String| number(&text, "events_total", of("fails"), reason);
    let events: f64 = reasons.iter().filter_map(counted).sum();
    assert!(1.0 <= events, "{text}");

    // The real tool accepts both text formats.
    promtool_accepts(&text);

    // The controller scales.
    let rescaled = |text: &str| number(text, "rescales_total", of("full"), ",direction=\"up\"");
    assert_eq!(rescaled(&text), Some(0.0));
    namespace.run([
        "patch",
        "hpa",
        "full",
        "--type=merge",
        "--patch={\"spec\": {\"maxReplicas\": 4}}",
    ]);
    export.serves(&[
        sample("rescales_total", of("full"), ",direction=\"up\"", "1"),
        sample("unmet_replicas", of("full"), "", "6"),
    ]);

    namespace.run(["delete", "hpa", "full"]);
    eventually("its series are gone", || {
        series_of(&export.metrics(), "full")
            .is_empty()
            .then_some(())
    });
    assert_eq!(export.get("/readyz"), (200, "ready: HPAs: 4\n".to_owned()));
    export.ends();
    let recordings: Vec<PathBuf> = fs::read_dir(&recordings)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let [recording] = &recordings[..] else {
        panic!("{recordings:?}")
    };
    let replayed = succeed(
        Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["replay", "--check"])
            .arg(recording),
    );
    assert!(replayed.contains("well"), "{replayed}");
}

#[test]
fn what_cannot_be_seen_has_no_series_that_judge() {
    let cluster = Cluster::of_its_own("export");
    let namespace = free_namespace_in(&cluster, "unseen");
    situations(&namespace);
    let manifest = include_str!("../../../deploy/exporter.yaml");
    let [_, role, _, of_controller, ..] = &roles(manifest)[..] else {
        panic!("an account, a role and a role in kube-system")
    };
    let rules = &role["rules"];
    let mut without_pods = rules.clone();
    let core = without_pods[2]["resources"].as_array_mut().unwrap();
    core.retain(|resource| resource != "pods");
    let mut objects = limited_users::user("exporter", rules).to_vec();
    objects.extend(limited_users::user("blind", &without_pods));
    objects.push(of_controller.clone());
    objects.push(json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "exporter", "namespace": "kube-system"},
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "Role",
            "name": "kubectl-hpa-exporter",
        },
        "subjects": [{
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "User",
            "name": "exporter",
        }],
    }));
    cluster.apply(&objects);
    let kubeconfig = cluster.file("kubeconfig");
    let of = |name| ("unseen", name);

    // With exactly the role of the manifest, everything is read.
    let export = Export::start(
        &kubeconfig,
        &[
            "--all-namespaces",
            "--as=exporter",
            "--as-group=system:authenticated",
        ],
    );
    let seen = [
        verdict(of("full"), "at_max"),
        verdict(of("waiting"), "pods_not_ready"),
        verdict(of("lost"), "target_not_found"),
        verdict(of("well"), "within_tolerance"),
        "kubectl_hpa_up 1".to_owned(),
    ];
    let text = export.serves(&seen);
    assert!(!text.contains("kubectl_hpa_source_failing{"), "{text}");
    assert_eq!(export.get("/readyz").0, 200);

    // Without the permission to list pods, series that depend on them are absent.
    let blind = Export::start(
        &kubeconfig,
        &[
            "--all-namespaces",
            "--as=blind",
            "--as-group=system:authenticated",
        ],
    );
    let text = blind.serves(&[
        sample("visible", of("well"), "", "0"),
        sample("visible", of("waiting"), "", "0"),
        "kubectl_hpa_source_failing{source=\"pods\"} 1".to_owned(),
    ]);
    assert_only_contact(&text, "well");
    assert_only_contact(&text, "waiting");
    let (status, reason) = blind.get("/readyz");
    assert_eq!(status, 503);
    assert!(reason.contains("cannot read pods: "), "{reason}");
    assert!(reason.contains("  unseen/well\n"), "{reason}");
    blind.ends();

    // The API server is killed.
    cluster.command("kill apiserver");
    let text = export.serves(&[
        "kubectl_hpa_up 0".to_owned(),
        sample("visible", of("full"), "", "0"),
    ]);
    for name in ["full", "waiting", "fails", "lost", "well"] {
        assert_only_contact(&text, name);
    }
    let (status, reason) = export.get("/readyz");
    assert_eq!(status, 503);
    assert!(reason.contains("cannot read the API server: "), "{reason}");
    assert_eq!(export.get("/healthz").0, 200);

    // An exporter that starts meanwhile waits, and says for what.
    let late = Export::start(&kubeconfig, &["--all-namespaces"]);
    eventually("it says why it waits", || {
        let (status, reason) = late.get("/readyz");
        (status == 503 && reason.contains("refused")).then_some(())
    });
    late.serves(&["kubectl_hpa_up 0".to_owned()]);
    cluster.command("start apiserver");
    export.serves(&seen);
    late.serves(&seen);
    eventually("it is ready again", || {
        (export.get("/readyz").0 == 200).then_some(())
    });
    late.ends();
    export.ends();
    assert!(0 < cluster.assert_only_read());
}

/// With no HPA yet, everything is read, and a new one is served.
#[test]
fn an_exporter_waits_for_the_first_hpa() {
    let namespace = free_namespace("awaited");
    let export = Export::start(&cluster().file("kubeconfig"), &["--namespace=awaited"]);
    eventually("it is ready", || {
        (export.get("/readyz") == (200, "ready: HPAs: 0\n".to_owned())).then_some(())
    });
    export.serves(&["kubectl_hpa_up 1".to_owned()]);
    namespace.apply([
        deployment("web", 2).pods("cpu", "60m").object(),
        hpa("web").cpu(60).object(),
    ]);
    export.serves(&[verdict(("awaited", "web"), "within_tolerance")]);
    export.ends();
}

/// The series of an HPA that cannot be read: that it cannot, and the time of its last sync.
#[track_caller]
fn assert_only_contact(text: &str, hpa: &str) {
    let series = series_of(text, hpa);
    let is_contact = |line: &String| {
        line.starts_with("kubectl_hpa_visible{")
            || line.starts_with("kubectl_hpa_last_sync_timestamp_seconds{")
    };
    assert!(!series.is_empty(), "{text}");
    assert!(series.iter().all(is_contact), "{series:#?}");
}
