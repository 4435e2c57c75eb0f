//! A past that all servers are given: the same samples, and once more a sample in 5 minutes, as servers keep them that thin out.

use std::{
    collections::BTreeMap,
    fs,
    process::{Command, Stdio},
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
    cluster::{Cluster, succeed},
    manifest::{deployment, hpa},
};

/// A line of the file, as VictoriaMetrics exports and imports it.
#[derive(Clone, Deserialize, Serialize)]
struct ImportedSeries {
    metric: BTreeMap<String, String>,
    values: Vec<f64>,
    timestamps: Vec<i64>,
}

/// A cluster whose monitoring knows of a past of one HPA.
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

/// The label that tells the pasts apart.
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
        let file = cluster.file("past.jsonl");
        fs::write(&file, samples(to)).unwrap();
        let intervals = Intervals {
            state_metrics: "30s",
            cadvisor: "30s",
        };
        let monitoring = Monitoring::start(&cluster, intervals, Extra::Past(&file));
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
        cluster.apply(&[namespace]);
        cluster.apply(&objects);
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
        let (from, to) = (self.from.to_string(), self.to.to_string());
        let label = format!("{LABEL}={past}");
        let of_past = [
            "history", "web-0", "-n", "past", "--from", &from, "--to", &to,
        ];
        let output = self
            .cluster
            .kubectl(["hpa"])
            .args(of_past)
            .args(["--prometheus", way, "--cluster-label", &label, "-o", "json"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{way}: {}", text(&output));
        json_of(&output)
    }
}

/// All samples, and then again one in each five minutes.
fn samples(until: Timestamp) -> String {
    let length = format!("{}s", LENGTH.as_secs());
    let past = succeed(
        Command::new(program("past"))
            .args(["--pods", "6", "--ksm-interval", "15s", "--for", &length])
            .args(["--until", &until.as_second().to_string()])
            .stderr(Stdio::inherit()),
    );
    let mut written = String::new();
    for line in past.lines() {
        let mut whole: ImportedSeries = serde_json::from_str(line).unwrap();
        whole.metric.insert(LABEL.to_owned(), "whole".to_owned());
        let mut thinned = whole.clone();
        thinned
            .metric
            .insert(LABEL.to_owned(), "thinned".to_owned());
        let mut pieces: Vec<i64> = Vec::new();
        let samples = whole.timestamps.iter().zip(&whole.values);
        (thinned.timestamps, thinned.values) = samples
            .filter(|(at, _)| {
                let is_first = pieces.last() != Some(&(*at / THINNED));
                pieces.push(*at / THINNED);
                is_first
            })
            .unzip();
        for one in [whole, thinned] {
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
