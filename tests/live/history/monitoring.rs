//! The monitoring of a cluster: kube-state-metrics, Prometheus, VictoriaMetrics, and Thanos where it is built (`tests/monitoring`).

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Mutex,
};

use crate::{cluster::Cluster, releases};

/// Runs beside a cluster. It ends with this process at the latest, by the end of its standard input.
pub(super) struct Monitoring {
    process: Child,
    /// Takes commands and answers them.
    console: Mutex<Option<(ChildStdin, BufReader<ChildStdout>)>>,
    /// The URLs of the programs, by their names.
    addresses: BTreeMap<String, String>,
    /// Whether Thanos is built.
    pub(super) has_thanos: bool,
}

/// How often it scrapes.
#[derive(Clone, Copy)]
pub(super) struct Intervals {
    pub(super) state_metrics: &'static str,
    pub(super) cadvisor: &'static str,
}

/// What there is besides, or is otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra<'a> {
    /// Nothing.
    None,
    /// kube-state-metrics 2.15.0 instead of 2.20.0.
    OlderStateMetrics,
    /// Two Prometheus that scrape the same, at different times: each request reaches one of them.
    TwoPrometheus,
    /// The kubelet's timestamps are not kept, as in kube-prometheus.
    NoTimestamps,
    /// A file with samples of the past, with which its servers begin, and one of a longer past, which Thanos has only
    /// downsampled.
    Past(&'a Path, &'a Path),
    /// metrics-server and prometheus-adapter, whose APIs the API server passes on.
    MetricsApis,
}

impl Extra<'_> {
    fn programs(self) -> [&'static str; 2] {
        match self {
            Self::None | Self::TwoPrometheus | Self::NoTimestamps => ["bench"; 2],
            Self::OlderStateMetrics => ["kube-state-metrics-2.15.0"; 2],
            Self::Past(..) => ["past", "block"],
            Self::MetricsApis => ["metrics-server", "prometheus-adapter"],
        }
    }

    fn arguments(self, has_thanos: bool) -> Vec<OsString> {
        match self {
            Self::None => Vec::new(),
            Self::OlderStateMetrics => vec!["--kube-state-metrics=2.15.0".into()],
            Self::TwoPrometheus => vec!["--prometheus-replicas=2".into()],
            Self::NoTimestamps => vec!["--honor-timestamps=false".into()],
            Self::Past(past, downsampled) => {
                let mut arguments: Vec<OsString> = vec!["--past".into(), past.into()];
                if has_thanos {
                    arguments.extend(["--downsampled".into(), downsampled.into()]);
                }
                arguments
            }
            Self::MetricsApis => vec![
                "--metrics-server".into(),
                "--adapter".into(),
                Path::new(env!("CARGO_MANIFEST_DIR"))
                    .join("tests/monitoring/adapter.yaml")
                    .into(),
            ],
        }
    }
}

/// The programs that no run does without, as `build.sh` calls them.
const PROGRAMS: [&str; 4] = [
    "bench",
    "kube-state-metrics-2.20.0",
    "prometheus",
    "victoria-metrics",
];

/// What `--prometheus` takes for them.
pub(super) const PROMETHEUS: &str = "service:monitoring/prometheus-operated:9090";
pub(super) const VICTORIA: &str = "service:monitoring/vms-victoria-metrics-single-server:8428";
pub(super) const THANOS: &str = "service:monitoring/thanos-query:9090";

impl Monitoring {
    /// Starts it and waits until the API server reaches all of it.
    pub(super) fn start(cluster: &Cluster, intervals: Intervals, extra: Extra<'_>) -> Self {
        let missing: Vec<&str> = PROGRAMS
            .into_iter()
            .chain(extra.programs())
            .filter(|name| !program(name).exists())
            .collect();
        assert!(
            missing.is_empty(),
            "{} not built: run tests/monitoring/build.sh {} (needs Go)",
            missing.join(", "),
            missing.join(" ")
        );
        let has_thanos = program("thanos").exists();
        let mut process = Command::new(program(PROGRAMS[0]))
            .arg("--kubeconfig")
            .arg(cluster.file("kubeconfig"))
            .arg("--kubectl")
            .arg(releases::program("kubectl"))
            .args(["--ksm-interval", intervals.state_metrics])
            .args(["--cadvisor-interval", intervals.cadvisor])
            .args(has_thanos.then_some("--thanos"))
            .args(extra.arguments(has_thanos))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut answers = BufReader::new(process.stdout.take().unwrap());
        let last = if has_thanos { THANOS } else { VICTORIA };
        let mut addresses = BTreeMap::new();
        loop {
            let mut line = String::new();
            answers.read_line(&mut line).unwrap();
            assert!(
                !line.is_empty(),
                "bench did not get ready; its standard error says why"
            );
            if let Some((name, url)) = line.trim().split_once(' ') {
                addresses.insert(name.to_owned(), url.to_owned());
            }
            if line.trim() == last {
                break;
            }
        }
        let commands = process.stdin.take().unwrap();
        Self {
            process,
            console: Mutex::new(Some((commands, answers))),
            addresses,
            has_thanos,
        }
    }

    /// The URL of a program.
    pub(super) fn url(&self, program: &str) -> &str {
        &self.addresses[program]
    }

    /// Has a program stop where it is.
    pub(super) fn pause(&self, program: &str) {
        self.command(&format!("pause {program}"));
    }

    /// Lets it go on.
    pub(super) fn resume(&self, program: &str) {
        self.command(&format!("resume {program}"));
    }

    #[track_caller]
    fn command(&self, command: &str) {
        let mut console = self.console.lock().unwrap();
        let (commands, answers) = console.as_mut().unwrap();
        writeln!(commands, "{command}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("done {command}\n"));
    }
}

impl Drop for Monitoring {
    fn drop(&mut self) {
        self.console.lock().unwrap().take();
        let _ = self.process.wait();
    }
}

/// Where a program of `tests/monitoring` is.
pub(super) fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/monitoring/bin")
        .join(name)
}
