//! The table of `docs/alerts.md`: which alerts fire in the situations that people ask about. It is the truth, written by hand. The series of
//! the exporter, made of what `tests/situations/record.sh` recorded on the real controller, and those of the real kube-state-metrics of the
//! same hour must lead the rules of Prometheus to the same.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Read as _,
    iter,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

use flate2::read::GzDecoder;
use hpa_objects::recording::{RecordingReader, Snapshot};
use jiff::{SignedDuration, Timestamp};
use regex::Regex;
use serde_json::{Value, json};

use super::{
    alerts::empty_folder,
    prometheus::{is_played, printed_rules, program},
};
use crate::{cluster::succeed, played::PlayedExporter};

#[test]
fn each_alert_fires_exactly_where_the_table_says() {
    let rows = rows();
    let situations: BTreeSet<&str> = rows.iter().map(|row| row.situation.as_str()).collect();
    let recorded = recorded();
    assert_eq!(situations, recorded.iter().map(String::as_str).collect());
    let questions = situations
        .iter()
        .filter(|one| one.starts_with(char::is_numeric));
    assert_eq!(questions.count(), 22);

    let folder = empty_folder("export-truth");
    fs::write(folder.join("rules.yaml"), printed_rules()).unwrap();
    fs::write(folder.join("mixin.yaml"), MIXIN).unwrap();
    let interval = format!("{}s", INTERVAL.as_secs());
    let tests = json!({
        "rule_files": ["rules.yaml", "mixin.yaml"],
        "evaluation_interval": interval,
        "tests": tests(&rows),
    });
    fs::write(folder.join("truth.yaml"), tests.to_string()).unwrap();
    if is_played() {
        succeed(
            Command::new(program("promtool"))
                .args(["test", "rules", "truth.yaml"])
                .current_dir(&folder),
        );
    }

    // The Prometheus that scraped kube-state-metrics in that hour has evaluated the alerts of kubernetes-mixin itself.
    let raised = rows.iter().map(|row| Kept::of(&row.situation).fired());
    let raised: Vec<_> = rows.iter().map(|row| &row.situation).zip(raised).collect();
    let mixin = rows.iter().map(|row| (&row.situation, row.mixin.clone()));
    assert_eq!(raised, mixin.collect::<Vec<_>>());
}

/// The tests of all rows for promtool, worked out on two cores.
fn tests(rows: &[Row]) -> Vec<Value> {
    let (queue, all) = (Mutex::new(rows.iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(row) = queue.lock().unwrap().next() else {
                        return;
                    };
                    let test = row.test();
                    all.lock().unwrap().push(test);
                }
            });
        }
    });
    all.into_inner().unwrap()
}

/// A row of the table.
struct Row {
    situation: String,
    /// Alerts of `kubectl hpa export rules`.
    here: BTreeSet<String>,
    /// Those of kubernetes-mixin.
    mixin: BTreeSet<String>,
}

impl Row {
    /// What fires in all the time of the recording, as a test for promtool.
    fn test(&self) -> Value {
        let snapshots = snapshots(&self.situation);
        let states = Kept::of(&self.situation);
        let clock = Scrapes {
            begin: Timestamp::from_second(snapshots[0].time.as_second() + 1).unwrap(),
            end: snapshots[snapshots.len() - 1].time,
        };
        let mut series = states.resampled(&clock);
        series.extend(served(snapshots, &clock));
        let scrapes = clock.times().len();
        let input: Vec<Value> = series
            .iter()
            .map(|(name, values)| json!({"series": name, "values": notation(values, scrapes)}))
            .collect();
        let samples: Vec<Value> = self
            .here
            .iter()
            .chain(&self.mixin)
            .map(|alert| json!({"labels": format!("{{alertname=\"{alert}\"}}"), "value": 1}))
            .collect();
        let length = clock.end.duration_since(clock.begin).as_secs();
        json!({
            "name": self.situation,
            "interval": format!("{}s", INTERVAL.as_secs()),
            "start_timestamp": clock.begin.as_second(),
            "input_series": input,
            "promql_expr_test": [{
                "expr": "group by (alertname) (last_over_time(ALERTS{alertstate=\"firing\"}[3h]))",
                "eval_time": format!("{length}s"),
                "exp_samples": samples,
            }],
        })
    }

    /// What the last column says: an alert of kubernetes-mixin where nothing is to be done is a false one, silence where something is misses
    /// it.
    fn comparison(&self) -> &'static str {
        match (self.here.is_empty(), self.mixin.is_empty()) {
            (true, true) => "both silent",
            (false, false) => "both fire",
            (true, false) => "kubernetes-mixin: false alarm",
            (false, true) => "kubernetes-mixin misses it",
        }
    }
}

/// The rows of the table.
fn rows() -> Vec<Row> {
    let page = fs::read_to_string(root().join("docs/alerts.md")).unwrap();
    let row =
        Regex::new(r"(?m)^\| \[?([^|\]]*)\]?(.*?) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$").unwrap();
    let name = Regex::new(r"\(questions/([\w-]+)\.md\)|\(`([\w-]+)`\)").unwrap();
    let code = Regex::new(r"`(\w+)`").unwrap();
    let names = |cell: &str| -> BTreeSet<String> {
        let names: BTreeSet<String> = code
            .captures_iter(cell)
            .map(|name| name[1].to_owned())
            .collect();
        assert_eq!(names.is_empty(), cell == "none", "{cell}");
        names
    };
    let mut rows = Vec::new();
    for cells in row.captures_iter(&page) {
        let first = format!("{}{}", &cells[1], &cells[2]);
        let Some(name) = name.captures(&first) else {
            continue; // the head
        };
        let row = Row {
            situation: name.get(1).or(name.get(2)).unwrap().as_str().to_owned(),
            here: names(&cells[3]),
            mixin: names(&cells[4]),
        };
        assert_eq!(row.comparison(), &cells[5], "{}", row.situation);
        rows.push(row);
    }
    rows
}

/// The names of the recordings.
fn recorded() -> BTreeSet<String> {
    let names = fs::read_dir(folder()).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        name.into_string().unwrap()
    });
    names
        .filter_map(|name| Some(name.strip_suffix(ENDING)?.to_owned()))
        .collect()
}

fn snapshots(situation: &str) -> Vec<Snapshot> {
    let reader = RecordingReader::open(&folder().join(format!("{situation}{ENDING}"))).unwrap();
    reader.map(|line| line.unwrap().snapshot).collect()
}

/// When Prometheus scrapes.
struct Scrapes {
    begin: Timestamp,
    end: Timestamp,
}

/// Series with their values at each scrape; none: they are not served.
type SeriesOverTime = BTreeMap<String, Vec<Option<String>>>;

impl Scrapes {
    fn times(&self) -> Vec<Timestamp> {
        let mut at = self.begin;
        let mut times = Vec::new();
        while at <= self.end {
            times.push(at);
            at += INTERVAL;
        }
        times
    }
}

/// Values as promtool writes them: a series that is no longer served is stale from the next scrape on.
fn notation(values: &[Option<String>], scrapes: usize) -> String {
    let mut was_served = false;
    let rest = iter::repeat_n(&None, scrapes - values.len());
    let values = values.iter().chain(rest).map(|value| {
        let ended = was_served && value.is_none();
        was_served = value.is_some();
        value
            .as_deref()
            .unwrap_or(if ended { "stale" } else { "_" })
    });
    let values: Vec<&str> = values.collect();
    values.join(" ")
}

/// What an exporter serves that sees the recording.
fn served(recording: Vec<Snapshot>, clock: &Scrapes) -> SeriesOverTime {
    let mut exporter = PlayedExporter::new();
    let mut recording = recording.into_iter().peekable();
    let mut series = SeriesOverTime::new();
    for (index, time) in clock.times().into_iter().enumerate() {
        while let Some(snapshot) = recording.next_if(|next| next.time <= time) {
            exporter.sync(snapshot);
        }
        for (name, value) in exporter.samples() {
            put(&mut series, &name, index, &value);
        }
    }
    series
}

/// Takes the value of a series at the scrape of this number.
fn put(series: &mut SeriesOverTime, name: &str, index: usize, value: &str) {
    let values = series.entry(name.to_owned()).or_default();
    values.resize(index, None);
    values.push(Some(value.to_owned()));
}

/// What the real kube-state-metrics served in a situation, and the alerts that the Prometheus which scraped it raised: series with times and
/// values.
struct Kept(BTreeMap<String, Vec<(Timestamp, String)>>);

impl Kept {
    fn of(situation: &str) -> Self {
        let mut text = String::new();
        let file = fs::File::open(folder().join(format!("{situation}.txt.gz"))).unwrap();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        let mut series: BTreeMap<String, Vec<(Timestamp, String)>> = BTreeMap::new();
        for line in text.lines() {
            let (sample, time) = line.rsplit_once(' ').unwrap();
            let (name, value) = sample.rsplit_once(' ').unwrap();
            let seconds = SignedDuration::try_from_secs_f64(time.parse().unwrap()).unwrap();
            let samples = series.entry(name.to_owned()).or_default();
            samples.push((Timestamp::UNIX_EPOCH + seconds, value.to_owned()));
        }
        Self(series)
    }

    /// The series of kube-state-metrics as scrapes at these times find them.
    fn resampled(&self, clock: &Scrapes) -> SeriesOverTime {
        let mut series = SeriesOverTime::new();
        for (name, samples) in self.0.iter().filter(|(name, _)| name.starts_with("kube_")) {
            for (index, time) in clock.times().into_iter().enumerate() {
                let latest = samples.iter().rfind(|(at, _)| *at <= time);
                if let Some((_, value)) = latest.filter(|(at, _)| time - INTERVAL < *at) {
                    put(&mut series, name, index, value);
                }
            }
        }
        series
    }

    /// The alerts that fired.
    fn fired(&self) -> BTreeSet<String> {
        let name = Regex::new(r#"^ALERTS\{alertname="(\w+)",alertstate="firing""#).unwrap();
        let names = self.0.keys().filter_map(|series| name.captures(series));
        names.map(|name| name[1].to_owned()).collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder() -> PathBuf {
    root().join("tests/situations")
}

/// The alerts of kubernetes-mixin.
pub(super) const MIXIN: &str = include_str!("../../situations/mixin.yaml");

/// How names of recordings end.
const ENDING: &str = ".jsonl.zst";

/// From scrape to scrape, and from evaluation to evaluation.
const INTERVAL: SignedDuration = SignedDuration::from_secs(30);
