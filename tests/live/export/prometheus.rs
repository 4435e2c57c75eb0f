//! The real Prometheus and what works with it, as `tests/monitoring/build.sh` builds them.

use std::{
    env, fs,
    io::Write as _,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};

use super::get;
use crate::{
    cluster::{eventually, succeed},
    left_out,
};

/// A running server.
pub(super) struct Server {
    process: Child,
    /// Address and port.
    pub(super) address: String,
}

impl Server {
    /// Starts a program that listens at the address that its arguments name, and waits until it is ready.
    fn start(
        name: &str,
        folder: &Path,
        ready: &str,
        arguments: impl FnOnce(&str) -> Vec<String>,
    ) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap().to_string();
        drop(free);
        let process = Command::new(program(name))
            .args(arguments(&address))
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join(format!("{name}.log"))).unwrap())
            .spawn()
            .unwrap();
        let this = Self { process, address };
        eventually(&format!("{name} is ready"), || {
            TcpStream::connect(&this.address).ok()?;
            (get(&this.address, ready).0 == 200).then_some(())
        });
        this
    }

    pub(super) fn query(&self, path: &str) -> Value {
        let (status, body) = get(&self.address, path);
        assert_eq!(status, 200, "{body}");
        // The answer comes in pieces, each with its length before it.
        let start = body.find(['{', '[']).unwrap();
        let end = body.rfind(['}', ']']).unwrap();
        serde_json::from_str(&body[start..=end]).unwrap()
    }

    /// Names and HPAs of the alerts of a Prometheus that are pending or fire, sorted.
    pub(super) fn alerts(&self) -> Vec<(String, String)> {
        self.alerts_that(|_| true)
    }

    /// Those that fire.
    pub(super) fn firing(&self) -> Vec<(String, String)> {
        self.alerts_that(|alert| alert["state"] == "firing")
    }

    fn alerts_that(&self, are: impl Fn(&Value) -> bool) -> Vec<(String, String)> {
        let alerts = self.query("/api/v1/alerts")["data"]["alerts"].take();
        let alerts = alerts.as_array().unwrap().iter();
        let mut alerts: Vec<_> = alerts
            .filter(|alert| are(alert))
            .map(name_and_hpa)
            .collect();
        alerts.sort();
        alerts
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Name and HPA of an alert.
pub(super) fn name_and_hpa(alert: &Value) -> (String, String) {
    let labels = &alert["labels"];
    let hpa = labels["horizontalpodautoscaler"].as_str();
    let hpa = hpa.or_else(|| labels["horizontalpodautoscaler"].as_str());
    (
        labels["alertname"].as_str().unwrap().to_owned(),
        hpa.unwrap_or_default().to_owned(),
    )
}

/// A Prometheus, with a folder for its configuration, rules and data.
pub(super) struct Settings<'a> {
    pub(super) folder: &'a Path,
    /// Its `scrape_configs`.
    pub(super) scrapes: Value,
    /// Where its alerts go.
    pub(super) alertmanager: Option<&'a Server>,
}

impl Settings<'_> {
    /// Starts it: every second it scrapes, and evaluates the `*.yaml` of its folder.
    pub(super) fn start(self) -> Server {
        let mut config = json!({
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
            "rule_files": ["*.yaml"],
            "scrape_configs": self.scrapes,
        });
        if let Some(server) = self.alertmanager {
            config["alerting"] = json!({
                "alertmanagers": [{"static_configs": [{"targets": [server.address]}]}],
            });
        }
        fs::write(self.folder.join("prometheus.yml"), config.to_string()).unwrap();
        Server::start("prometheus", self.folder, "/-/ready", |address| {
            vec![
                "--config.file=prometheus.yml".to_owned(),
                "--storage.tsdb.path=data".to_owned(),
                format!("--web.listen-address={address}"),
            ]
        })
    }
}

/// An Alertmanager that keeps what it gets to itself.
pub(super) fn alertmanager(folder: &Path) -> Server {
    let config = json!({"route": {"receiver": "nobody"}, "receivers": [{"name": "nobody"}]});
    fs::write(folder.join("alertmanager.yml"), config.to_string()).unwrap();
    Server::start("alertmanager", folder, "/-/ready", |address| {
        vec![
            "--config.file=alertmanager.yml".to_owned(),
            "--storage.path=alertmanager".to_owned(),
            "--cluster.listen-address=".to_owned(),
            format!("--web.listen-address={address}"),
        ]
    })
}

/// A kube-state-metrics that serves the HPAs of a namespace.
pub(super) fn kube_state_metrics(kubeconfig: &Path, namespace: &str, folder: &Path) -> Server {
    let name = "kube-state-metrics-2.20.0";
    Server::start(name, folder, "/livez", |address| {
        let (host, port) = address.split_once(':').unwrap();
        vec![
            format!("--kubeconfig={}", kubeconfig.display()),
            format!("--namespaces={namespace}"),
            "--resources=horizontalpodautoscalers".to_owned(),
            format!("--host={host}"),
            format!("--port={port}"),
            format!("--telemetry-host={host}"),
            "--telemetry-port=0".to_owned(),
        ]
    })
}

/// How kube-prometheus-stack scrapes it, as far as labels go.
pub(super) fn scrape_of_kube_state_metrics(server: &Server) -> Value {
    json!({
        "job_name": "kube-state-metrics",
        "honor_labels": true,
        "static_configs": [{"targets": [server.address]}],
    })
}

/// How the page of `export` has it scraped.
pub(super) fn scrape_of_export(address: &str) -> Value {
    json!({
        "job_name": "kubectl-hpa",
        "honor_labels": true,
        "static_configs": [{"targets": [address], "labels": {"namespace": "monitoring"}}],
    })
}

/// What `kubectl hpa export rules` prints.
pub(super) fn printed_rules() -> String {
    succeed(Command::new(env!("CARGO_BIN_EXE_kubectl-hpa")).args(["export", "rules"]))
}

/// The rules with alerts that fire after a second, so that a test sees them fire.
pub(super) fn hasty(rules: &str) -> String {
    let lines = rules.lines().map(|line| {
        let is_wait = line.trim_start().starts_with("for: ");
        let indent = &line[..line.len() - line.trim_start().len()];
        if is_wait {
            format!("{indent}for: 1s\n")
        } else {
            format!("{line}\n")
        }
    });
    lines.collect()
}

#[track_caller]
pub(super) fn promtool_accepts(metrics: &str) {
    if !is_played() {
        return;
    }
    let mut promtool = Command::new(program("promtool"))
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = promtool.stdin.take().unwrap();
    input.write_all(metrics.as_bytes()).unwrap();
    drop(input);
    let output = promtool.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

/// Whether to use the programs of `tests/monitoring`. They take longer to build than all else that the live tests need.
pub(super) fn is_played() -> bool {
    left_out::is_played(
        env::var_os("MONITORING").is_some(),
        "MONITORING=1 plays it with what tests/monitoring/build.sh builds",
    )
}

/// A program of `tests/monitoring`.
pub(super) fn program(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/monitoring/bin")
        .join(name);
    assert!(
        path.exists(),
        "{name} is not built: run tests/monitoring/build.sh {name} (needs Go)"
    );
    path
}
