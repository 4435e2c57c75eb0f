//! A past that all servers are given: the same samples, once more a sample in 5 minutes, as servers keep them that thin out, and
//! once more with a scrape of kube-state-metrics each minute.

use std::{
    collections::BTreeMap,
    fs,
    process::{Command, Output, Stdio},
    sync::OnceLock,
};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    monitoring::{Extra, Intervals, Monitoring, PROMETHEUS, THANOS, VICTORIA, program},
    run::{json_of, text},
};
use crate::{
    cluster::{Cluster, eventually, succeed},
    manifest::{average, deployment, hpa, kind},
};

/// A line of the file, as VictoriaMetrics exports and imports it.
#[derive(Clone, Deserialize, Serialize)]
struct ImportedSeries {
    metric: BTreeMap<String, String>,
    values: Vec<f64>,
    timestamps: Vec<i64>,
}

impl ImportedSeries {
    /// The same with this label, and with one sample for each `spacing`.
    fn thinned(&self, label: &str, spacing: i64) -> Self {
        let mut thinned = self.clone();
        thinned.metric.insert(LABEL.to_owned(), label.to_owned());
        let mut pieces: Vec<i64> = Vec::new();
        let samples = self.timestamps.iter().zip(&self.values);
        (thinned.timestamps, thinned.values) = samples
            .filter(|(at, _)| {
                let is_first = pieces.last() != Some(&(*at / spacing));
                pieces.push(*at / spacing);
                is_first
            })
            .unzip();
        thinned
    }
}

/// A cluster whose monitoring knows of a past of an HPA on CPU, and of three on queues, by triggers of KEDA.
struct Imported {
    cluster: std::sync::Arc<Cluster>,
    monitoring: Monitoring,
    from: Timestamp,
    to: Timestamp,
}

/// How much past there is.
const LENGTH: SignedDuration = SignedDuration::from_hours(4);

/// From sample to sample where they are thinned out.
const THINNED: i64 = 300_000;

/// From scrape to scrape of kube-state-metrics where it is scraped rarely: one sync in four is seen.
const RARE: i64 = 60_000;

/// The label that distinguishes the pasts.
const LABEL: &str = "cluster";

fn imported() -> Option<&'static Imported> {
    static IMPORTED: OnceLock<Imported> = OnceLock::new();
    super::is_played().then(|| IMPORTED.get_or_init(Imported::start))
}

impl Imported {
    fn start() -> Self {
        let cluster = Cluster::with_audit("history-imported", &["--kubelet-metrics"]);
        // What the cluster's own HPA does from now on is no part of it, and the samples that are left are the same ones in each run.
        let to = Timestamp::now() - SignedDuration::from_mins(10);
        let to = to.as_millisecond() / THINNED * THINNED;
        let to = Timestamp::from_millisecond(to).unwrap();
        let [past, downsampled] =
            ["past.jsonl", "downsampled.jsonl"].map(|name| cluster.file(name));
        fs::write(&past, samples(to)).unwrap();
        fs::write(&downsampled, long_samples(to)).unwrap();
        let intervals = Intervals {
            state_metrics: "30s",
            cadvisor: "30s",
        };
        let monitoring = Monitoring::start(&cluster, intervals, Extra::Past(&past, &downsampled));
        let namespace = json!({
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "past"},
        });
        let mut objects = [
            deployment("web-0", 2).object(),
            hpa("web-0").bounds(2, 6).cpu(60).object(),
        ];
        for object in &mut objects {
            object["metadata"]["namespace"] = json!("past");
        }
        let scaled_object = kind("ScaledObject", "scaledobjects", "keda.sh", "v1alpha1");
        cluster.apply(&[namespace, scaled_object]);
        cluster.apply(&objects);
        eventually("the API server has ScaledObjects", || {
            let get = ["get", "scaledobjects.keda.sh", "--all-namespaces"];
            let found = cluster.kubectl(get).output().unwrap();
            found.status.success().then_some(())
        });
        cluster.apply(&queues());
        Self {
            cluster,
            monitoring,
            from: to - LENGTH,
            to,
        }
    }

    fn ways(&self) -> Vec<&'static str> {
        let thanos = self.monitoring.has_thanos.then_some(THANOS);
        [PROMETHEUS, VICTORIA].into_iter().chain(thanos).collect()
    }

    /// `history` of the past with this label.
    fn history(&self, past: &str, way: &str, arguments: &[&str]) -> Value {
        self.history_of("web-0", past, way, arguments)
    }

    /// The same of another HPA.
    fn history_of(&self, hpa: &str, past: &str, way: &str, arguments: &[&str]) -> Value {
        let output = self.output(hpa, past, way, arguments);
        assert!(output.status.success(), "{way}: {}", text(&output));
        json_of(&output)
    }

    fn output(&self, hpa: &str, past: &str, way: &str, arguments: &[&str]) -> Output {
        let (from, to) = (self.from.to_string(), self.to.to_string());
        let label = format!("{LABEL}={past}");
        let of_past = ["history", hpa, "-n", "past", "--from", &from, "--to", &to];
        self.cluster
            .kubectl(["hpa"])
            .args(of_past)
            .args(["--prometheus", way, "--cluster-label", &label, "-o", "json"])
            .args(arguments)
            .output()
            .unwrap()
    }
}

/// The objects of the HPAs on queues. The trigger of the second one answers from its cache, so that its query shows nothing, and
/// the query of the third one is wrong.
fn queues() -> Vec<Value> {
    let queues = [(false, "sum("), (true, "sum("), (false, "sum((")];
    let queues = queues.into_iter().enumerate();
    queues
        .flat_map(|(number, (is_cached, sum))| queue(number, is_cached, sum))
        .collect()
}

fn queue(number: usize, is_cached: bool, sum: &str) -> [Value; 3] {
    let name = format!("queue-{number}");
    let query = format!(r#"{sum}queue_messages{{{LABEL}="rare",queue="{name}"}})"#);
    let scaled_object = json!({
        "apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": name},
        "spec": {"scaleTargetRef": {"name": name}, "maxReplicaCount": 6, "triggers": [{
            "type": "prometheus", "useCachedMetrics": is_cached,
            "metadata": {"serverAddress": "http://prometheus:9090", "query": query, "threshold": "10"},
        }]},
    });
    let hpa = hpa(&name)
        .bounds(2, 6)
        .external("s0-prometheus", average("10"));
    let mut objects = [deployment(&name, 2).object(), scaled_object, hpa.object()];
    objects[2]["spec"]["metrics"][0]["external"]["metric"]["selector"] =
        json!({"matchLabels": {"scaledobject.keda.sh/name": name}});
    for object in &mut objects {
        object["metadata"]["namespace"] = json!("past");
    }
    objects
}

/// The samples of two days.
fn long_samples(until: Timestamp) -> String {
    let past = succeed(
        Command::new(program("past"))
            .args([
                "--pods",
                "6",
                "--ksm-interval",
                "60s",
                "--for",
                "48h",
                "--depth",
                "hpa",
            ])
            .args(["--until", &until.as_second().to_string()])
            .stderr(Stdio::inherit()),
    );
    let mut written = String::new();
    for line in past.lines() {
        let mut one: ImportedSeries = serde_json::from_str(line).unwrap();
        let label = (LABEL.to_owned(), "downsampled".to_owned());
        one.metric.extend([label]);
        written.push_str(&serde_json::to_string(&one).unwrap());
        written.push('\n');
    }
    written
}

/// All samples, then again one in each five minutes, then again with one scrape of kube-state-metrics in each minute.
fn samples(until: Timestamp) -> String {
    let length = format!("{}s", LENGTH.as_secs());
    let past = succeed(
        Command::new(program("past"))
            .args(["--pods", "6", "--queues", "3", "--ksm-interval", "15s"])
            .args(["--for", &length])
            .args(["--until", &until.as_second().to_string()])
            .stderr(Stdio::inherit()),
    );
    let mut written = String::new();
    for line in past.lines() {
        let mut whole: ImportedSeries = serde_json::from_str(line).unwrap();
        whole.metric.insert(LABEL.to_owned(), "whole".to_owned());
        let thinned = whole.thinned("thinned", THINNED);
        let is_of_state = whole.metric["__name__"].starts_with("kube_");
        let rare = whole.thinned("rare", if is_of_state { RARE } else { 1 });
        for one in [whole, thinned, rare] {
            written.push_str(&serde_json::to_string(&one).unwrap());
            written.push('\n');
        }
    }
    written
}

/// Time, replicas before and after of each rescale.
fn rescales(report: &Value) -> Vec<(Timestamp, i64, i64)> {
    let one = |one: &Value| {
        let time = one["time"].as_str().unwrap().parse().unwrap();
        (
            time,
            one["from"].as_i64().unwrap(),
            one["to"].as_i64().unwrap(),
        )
    };
    report["rescales"]
        .as_array()
        .unwrap()
        .iter()
        .map(one)
        .collect()
}

#[test]
fn the_same_samples_are_the_same_report_and_recording_from_every_server() {
    let Some(imported) = imported() else {
        return;
    };
    let mut first: Option<(Value, String)> = None;
    for way in imported.ways() {
        let file = imported.cluster.file("recording.jsonl");
        let arguments = ["--record", file.to_str().unwrap()];
        let mut report = imported.history("whole", way, &arguments);
        assert!(5 < rescales(&report).len(), "{report:#}");
        let server = report["server"].take();
        let server = server.as_str().unwrap();
        assert!(
            server.contains(way.trim_start_matches("service:")),
            "{server}"
        );
        let recording = fs::read_to_string(&file).unwrap();
        assert!(500 < recording.lines().count());
        let recording = recording.replace(server, "the server");
        match &first {
            None => first = Some((report, recording)),
            Some((of_first, recorded)) => {
                assert_eq!(*of_first, report, "{way}");
                let mut lines = recorded.lines().zip(recording.lines());
                assert_eq!(lines.find(|(one, other)| one != other), None, "{way}");
                assert_eq!(recorded.len(), recording.len(), "{way}");
            }
        }
    }
}

#[test]
fn of_samples_that_are_thinned_out_nothing_is_claimed_that_they_do_not_show() {
    let Some(imported) = imported() else {
        return;
    };
    for way in imported.ways() {
        let whole = imported.history("whole", way, &[]);
        let thinned = imported.history("thinned", way, &[]);
        let interval = &thinned["series"][0]["intervalSeconds"];
        assert_eq!(interval.as_f64(), Some(300.0), "{way}: {thinned:#}");
        let advice = thinned["advice"].as_array().unwrap();
        let is_named = |one: &Value| {
            let sentence = one["sentence"].as_str().unwrap();
            sentence.contains("every 5 min") && sentence.contains("thinned out")
        };
        assert!(advice.iter().any(is_named), "{way}: {advice:#?}");
        let real = rescales(&whole);
        // Several of a few minutes are one, and what went back within them is not seen.
        let replicas_at = |time: Timestamp| {
            let before = real.partition_point(|(at, ..)| *at <= time);
            match before.checked_sub(1) {
                Some(last) => real[last].2,
                None => real[0].1,
            }
        };
        let found = rescales(&thinned);
        assert!(!found.is_empty(), "{way}: {thinned:#}");
        for (time, from, to) in &found {
            let reach = SignedDuration::from_millis(2 * THINNED);
            let near = real
                .iter()
                .filter(|(at, ..)| at.duration_since(*time).abs() <= reach);
            let sizes: Vec<i64> = near.flat_map(|(_, from, to)| [*from, *to]).collect();
            assert!(
                sizes.contains(from) && sizes.contains(to),
                "{way}: {time} {from} → {to}\nreal {real:?}"
            );
        }
        let trust = &thinned["trust"];
        assert_eq!(
            trust["certain"], trust["certainAndRight"],
            "{way}: {trust:#}"
        );
        let words = thinned.to_string();
        assert!(!words.contains("cannot be computed"), "{way}: {words}");
        let last = found.last().unwrap();
        assert_eq!(replicas_at(imported.to), last.2, "{way}");
    }
}

#[test]
fn query_and_series_of_keda_show_what_the_syncs_between_two_scrapes_read() {
    let Some(imported) = imported() else {
        return;
    };
    let count = |report: &Value, key: &str| report["trust"][key].as_u64().unwrap();
    let sources = |report: &Value| {
        let all = report["provenance"].as_array().unwrap().iter();
        let of_values = all.filter(|one| one["input"] == "metricValues");
        let words = |one: &Value| one["words"].as_str().unwrap().to_owned();
        of_values.map(words).collect::<Vec<_>>()
    };
    for way in imported.ways() {
        for (hpa, source) in [
            ("queue-0", "the query of trigger 0 of ScaledObject queue-0"),
            ("queue-1", "keda_scaler_metrics_value"),
            ("queue-2", "keda_scaler_metrics_value"),
        ] {
            let without = imported.history_of(hpa, "rare", way, &["--depth", "pods"]);
            let with = imported.history_of(hpa, "rare", way, &[]);
            eprintln!("{way} {hpa}: {} {}", without["trust"], with["trust"]);
            let words = format!("s0-prometheus between two scrapes ({source})");
            assert_eq!(sources(&with), [words], "{way}");
            assert_eq!(sources(&without), [""; 0]);
            let warnings = with["warnings"].as_array().unwrap();
            let is_of_query = |one: &Value| {
                let begin = "the query of trigger 0 of ScaledObject queue-2 is not used: ";
                one.as_str().unwrap().starts_with(begin)
            };
            let count_of_wrong = usize::from(hpa == "queue-2");
            assert_eq!(warnings.len(), count_of_wrong, "{way} {hpa}: {warnings:#?}");
            assert!(
                warnings.iter().all(is_of_query),
                "{way} {hpa}: {warnings:#?}"
            );
            assert!(
                count(&without, "exact") < count(&with, "exact"),
                "{way} {hpa}"
            );
            assert!(
                count(&without, "certain") < count(&with, "certain"),
                "{way} {hpa}"
            );
            let certain = ["certain", "certainAndRight"].map(|key| count(&with, key));
            assert_eq!(certain[0], certain[1], "{way} {hpa}: {}", with["trust"]);
        }
    }
}

#[test]
fn query_whose_values_the_controller_did_not_have_is_not_used() {
    let Some(imported) = imported() else {
        return;
    };
    let twice = r#"s0-prometheus=2 * sum(queue_messages{queue="queue-0"})"#;
    let wrong = imported.history_of("queue-0", "rare", PROMETHEUS, &["--metric-query", twice]);
    let warning = wrong["warnings"][0].as_str().unwrap();
    assert!(
        warning.starts_with("--metric-query is not used: in ")
            && warning.ends_with(" syncs the controller had another value"),
        "{warning}"
    );
    let right = imported.history_of("queue-0", "rare", PROMETHEUS, &[]);
    assert_eq!(wrong["trust"], right["trust"]);
    let nothing = ["--metric-query", "s0-prometheus=sum(no_such_series)"];
    let without = imported.history_of("queue-0", "rare", PROMETHEUS, &nothing);
    assert_eq!(
        without["warnings"],
        json!(["--metric-query is not used: the query has no result in this time"])
    );
    for (query, error) in [
        (
            "cpu=1",
            "queue-0 has no External, Object or Pods metric of this name: it has s0-prometheus",
        ),
        ("s0-prometheus=sum(", "--metric-query s0-prometheus: "),
    ] {
        let output = imported.output("queue-0", "rare", PROMETHEUS, &["--metric-query", query]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains(error), "{}", text(&output));
    }
}

/// An average over 5 min is no value that a controller had.
#[test]
fn of_downsampled_blocks_nothing_is_read() {
    let Some(imported) = imported() else {
        return;
    };
    if !imported.monitoring.has_thanos {
        eprintln!("left out: tests/monitoring/build.sh thanos builds it");
        return;
    }
    let report = imported.history("downsampled", THANOS, &[]);
    let answer = report["answer"].as_str().unwrap();
    assert!(answer.contains("has no samples of past/web-0"), "{answer}");
    assert!(answer.contains("keeps raw samples"), "{answer}");
    assert_eq!(report["rescales"], json!([]), "{report:#}");
    assert_eq!(report["trust"]["syncs"], 0, "{report:#}");
}
