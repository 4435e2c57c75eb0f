//! No command contradicts another about the same HPA: every example and every recorded situation, through `explain`,
//! `list`, `lint`, `simulate`, the alarms of `replay` and the series of `export`. What may differ is in the table of
//! [conditions](../../docs/conditions.md). `history` takes part in `tests/faults/prometheus/recorded.rs`, as it reads a
//! monitoring server; the tools of `mcp` answer as the commands do (`tests/faults/mcp.rs`).

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use assert_cmd::Command;
use hpa_diagnosis::flapping::TURNS;
use hpa_objects::recording::RecordingReader;
use hpa_testing::recordings;
use serde_json::Value;

use crate::{made_up::made_up, played::PlayedExporter};

/// What the commands say of one HPA at the end of a recording.
struct Told {
    /// The recording and the HPA.
    name: String,
    /// Whether the recording has one sync.
    is_single: bool,
    row: Value,
    page: Value,
    /// Alarms that are on at the end, by kind.
    alarms: BTreeMap<String, String>,
    /// Messages of findings, by code.
    findings: BTreeMap<String, String>,
    /// Values of the exported series that have no other labels, by name.
    series: BTreeMap<String, String>,
    /// The exported verdict; none: it is not known.
    verdict: Option<String>,
    /// What `simulate` says of it with the load of now; null: it cannot be simulated.
    simulated: Value,
}

impl Told {
    fn words(&self) -> &str {
        self.row["words"].as_str().unwrap()
    }

    fn answer(&self) -> String {
        self.page["verdict"]["sentence"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    fn has_alarm(&self, kind: &str) -> bool {
        self.alarms.contains_key(kind)
    }
}

#[test]
fn what_one_command_names_the_others_name_too() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for told in all_told() {
        assert_eq!(
            told.page["verdict"]["sentence"], told.row["verdict"]["sentence"],
            "{}",
            told.name
        );
        for (condition, judge) in CONDITIONS {
            if judge(&told) {
                *seen.entry(condition).or_default() += 1;
            }
        }
    }
    for (condition, _) in CONDITIONS {
        assert!(
            seen.contains_key(condition),
            "no recording shows {condition}"
        );
    }
}

/// Compares what is said of one condition, and returns whether the HPA has it.
type Compare = fn(&Told) -> bool;

const CONDITIONS: [(&str, Compare); 14] = [
    ("flapping", flapping),
    ("short at max", short_at_max),
    ("other writer", other_writer),
    ("pods not created", not_created),
    ("pods not scheduled", unscheduled),
    ("pods not ready", not_ready),
    ("shared pods", shared_pods),
    ("problem at the start", problem),
    ("unreachable target", unreachable_target),
    ("pods of other owners", pods_of_others),
    ("VerticalPodAutoscaler", vertical),
    ("not reconciled", not_reconciled),
    ("failing metric", failing_metric),
    ("target not found", target_not_found),
];

/// Pods that are just ready are no pods that are not ready, although the controller counts neither.
fn not_ready(told: &Told) -> bool {
    let name = &told.name;
    let of_words = |what: &str| {
        let (number, rest) = told.words().split_once(' ')?;
        let is_so = rest == format!("pods {what}") || rest == format!("pod {what}");
        is_so.then(|| number.parse::<usize>().unwrap())
    };
    let steps = told.page["steps"].as_array().unwrap();
    let pods = steps.iter().find(|step| step["title"] == "pods");
    let row = pods
        .and_then(|pods| pods["how"].as_str())
        .unwrap_or_default();
    let in_row = |what: &str| {
        let mut parts = row.split(" · ");
        parts.find_map(|part| part.strip_suffix(&format!(" {what}"))?.parse().ok())
    };
    for what in ["not ready", "just ready"] {
        let words = of_words(what);
        assert!(words.is_none() || words == in_row(what), "{name}: {row}");
    }
    if let Some(alarm) = told.alarms.get("unready-pods") {
        let number = first_number(alarm);
        assert_eq!(told.row["unmet"]["notReady"], number, "{name}: {alarm}");
        let words = of_words("not ready");
        assert!(words.is_none_or(|words| words == number), "{name}: {alarm}");
    }
    if of_words("just ready").is_some() {
        assert_eq!(told.row["unmet"]["notReady"], 0, "{name}");
    }
    of_words("not ready").is_some()
}

fn shared_pods(told: &Told) -> bool {
    let is_named = told.words().starts_with("shares pods with");
    let codes = ["HPA410", "HPA411", "HPA803"];
    let has_finding = codes.iter().any(|code| told.findings.contains_key(*code));
    assert_eq!(has_finding, is_named, "{}: {:?}", told.name, told.findings);
    assert!(is_named || !told.has_alarm("blocked"), "{}", told.name);
    is_named
}

/// A simulation says whether the load is met, and what is wrong in spite of that.
fn problem(told: &Told) -> bool {
    if told.simulated.is_null() {
        return false;
    }
    let problem = &told.simulated["problem"];
    let is_problem = told.row["urgency"] == "problem";
    assert!(
        !is_problem || problem["words"] == told.words(),
        "{}: {problem}",
        told.name
    );
    if let Some(sentence) = problem["sentence"].as_str() {
        // The answer may have fewer names, and say what comes before raising maxReplicas.
        let pods = sentence.strip_prefix("Check ");
        let first = pods.and_then(|pods| pods.split([' ', ':']).next());
        assert!(
            told.answer().contains(first.unwrap_or(sentence)),
            "{}: {sentence}",
            told.name
        );
    }
    is_problem
}

fn unreachable_target(told: &Told) -> bool {
    let is_named = told.words() == "target out of reach";
    // What is more urgent leads instead.
    let has_finding = told.findings.contains_key("HPA209");
    assert!(!is_named || has_finding, "{}", told.name);
    is_named
}

fn pods_of_others(told: &Told) -> bool {
    let is_named = told.words().contains(" of other owners");
    assert!(
        !is_named || told.findings.contains_key("HPA501"),
        "{}",
        told.name
    );
    let left_out = told.simulated["notModeled"].to_string();
    let is_left_out = left_out.contains("foreignPods");
    assert!(!is_named || is_left_out, "{}: {left_out}", told.name);
    // A failing metric leads, or the decision is the same without them.
    let around = told.page["around"].to_string();
    let is_on_page = around.contains("is not of") || around.contains("are not of");
    assert_eq!(is_left_out, is_on_page, "{}: {left_out}", told.name);
    is_named
}

fn failing_metric(told: &Told) -> bool {
    let Some(alarm) = told.alarms.get("invalid-metric") else {
        assert!(!told.findings.contains_key("HPA802"), "{}", told.name);
        return false;
    };
    let words = told.words();
    assert!(
        !words.contains(" cannot be ") || alarm.contains(words),
        "{}: {alarm}",
        told.name
    );
    let is_down = words.starts_with("not down: ");
    assert!(
        !is_down || alarm.contains("nothing is scaled down"),
        "{}: {alarm}",
        told.name
    );
    if let Some(finding) = told.findings.get("HPA802") {
        let is_down = |text: &str, words: &str| text.contains(words);
        assert_eq!(
            is_down(finding, "does not scale down"),
            is_down(alarm, "nothing is scaled down"),
            "{}: {finding}: {alarm}",
            told.name
        );
    }
    true
}

fn target_not_found(told: &Told) -> bool {
    let is_named = told.words() == "target not found";
    assert_eq!(
        told.has_alarm("target-not-found"),
        is_named,
        "{}",
        told.name
    );
    let finding = told.findings.get("HPA401");
    let is_answered = finding.is_some_and(|text| text.contains(" does not exist "));
    assert_eq!(is_answered, is_named, "{}: {finding:?}", told.name);
    is_named
}

fn not_reconciled(told: &Told) -> bool {
    let is_named = told.words() == "not synced";
    let alarm = told.alarms.get("not-reconciled");
    let is_alarm = alarm.is_some_and(|text| text.contains("spec.replicas is"));
    assert_eq!(is_alarm, is_named, "{}: {alarm:?}", told.name);
    if let Some(alarm) = alarm.filter(|_| is_named) {
        let duration = |text: &str, before: &str| {
            let (_, rest) = text.split_once(before).unwrap();
            rest.split(": ").next().unwrap().to_owned()
        };
        assert_eq!(
            duration(alarm, "not synced for "),
            duration(&told.answer(), "not synced this HPA for "),
            "{}",
            told.name
        );
    }
    let verdict = told.verdict.as_deref();
    assert_eq!(verdict == Some("not_synced"), is_named, "{}", told.name);
    assert!(
        !is_named || told.row["standing"] == "failed",
        "{}",
        told.name
    );
    assert!(
        !is_named || told.findings.contains_key("HPA808"),
        "{}",
        told.name
    );
    is_named
}

fn vertical(told: &Told) -> bool {
    let is_named = told.words() == "VPA changes requests";
    assert!(
        !is_named || told.findings.contains_key("HPA608"),
        "{}",
        told.name
    );
    is_named
}

fn flapping(told: &Told) -> bool {
    let name = &told.name;
    let is_flapping = told.answer().contains("is flapping");
    assert_eq!(is_flapping, told.words() == "flapping", "{name}");
    if is_flapping {
        let turns = first_number(&told.answer());
        assert_eq!(first_number(&told.alarms["flapping"]), turns, "{name}");
        // A finding also counts what is over.
        assert!(turns <= first_number(&told.findings["HPA901"]), "{name}");
    } else if let Some(alarm) = told.alarms.get("flapping") {
        // An alarm that is on ends later than it began, and what changes more leads.
        let is_other =
            ["problem", "beyondMax", "failed"].contains(&told.row["urgency"].as_str().unwrap());
        let is_outranked = is_other && told.page["around"].to_string().contains("flapping");
        assert!(
            first_number(alarm) < TURNS || is_outranked,
            "{name}: {alarm}"
        );
    }
    is_flapping
}

fn short_at_max(told: &Told) -> bool {
    let name = &told.name;
    let is_beyond = told.row["urgency"] == "beyondMax";
    assert!(!is_beyond || told.has_alarm("unmet-demand"), "{name}");
    if let Some((_, number)) = told.words().split_once("at max, ") {
        assert!(is_beyond, "{name}");
        let number = first_number(number);
        assert_eq!(told.row["unmet"]["aboveMax"], number, "{name}");
        assert_eq!(
            told.series["kubectl_hpa_unmet_replicas"],
            number.to_string(),
            "{name}"
        );
    }
    is_beyond
}

fn other_writer(told: &Told) -> bool {
    let name = &told.name;
    let Some(alarm) = told.alarms.get("foreign-writer") else {
        assert!(!told.words().contains(" set "), "{name}: {}", told.words());
        return false;
    };
    // What is more urgent leads instead.
    let notes = told.page["around"].to_string();
    let (by, _) = alarm.split_once(" set ").unwrap();
    let answer = told.answer();
    assert!(answer.contains(by) || notes.contains(by), "{name}: {alarm}");
    assert!(told.row["urgency"] != "none", "{name}");
    // One read may show one change only, which may be by hand.
    let has_finding = |code| told.findings.contains_key(code);
    assert!(has_finding("HPA908") || has_finding("HPA409"), "{name}");
    // A finding names the first writer.
    if let Some(finding) = told.findings.get("HPA908") {
        let is_same = finding.starts_with(by) || finding.starts_with("another writer");
        assert!(
            is_same || finding.contains(" more time"),
            "{name}: {finding}"
        );
    }
    true
}

fn not_created(told: &Told) -> bool {
    let name = &told.name;
    let is_alarm = |text: &&String| text.contains(" not created: ");
    let alarm = told.alarms.get("pods-not-running").filter(is_alarm);
    let is_missing = told.answer().contains(" wanted pod") && told.answer().contains(" exist");
    let is_in_answer = is_missing || told.answer().contains("one pod at a time");
    // A quota that has room now ends the alarm.
    let is_over = told.answer().contains("has room now");
    // An alarm has seen them missing for a while.
    let is_alarming = is_over || told.is_single || alarm.is_some();
    assert!(!is_missing || is_alarming, "{name}");
    assert!(
        alarm.is_none() || is_in_answer,
        "{name}: {alarm:?}: {}",
        told.answer()
    );
    if let Some(message) = told.findings.get("HPA705") {
        assert!(is_in_answer, "{name}: {message}");
        if !told.simulated.is_null() {
            let left_out = told.simulated["notModeled"].to_string();
            assert!(left_out.contains("refusedPods"), "{name}: {left_out}");
            let today = &told.simulated["variants"][0]["summary"];
            assert_eq!(today["metAfterSeconds"], Value::Null, "{name}");
        }
    }
    is_missing || alarm.is_some()
}

fn unscheduled(told: &Told) -> bool {
    let name = &told.name;
    let is_alarm = |text: &&String| text.contains(" not scheduled: ");
    let alarm = told.alarms.get("pods-not-running").filter(is_alarm);
    let is_named = |text: &str| text.contains(" node") || text.contains("Pending");
    let is_on_page = is_named(&told.answer()) || is_named(&told.page["around"].to_string());
    assert!(alarm.is_none() || is_on_page, "{name}: {}", told.answer());
    // A finding asks for longer.
    assert!(
        !told.findings.contains_key("HPA706") || alarm.is_some(),
        "{name}"
    );
    alarm.is_some()
}

fn first_number(text: &str) -> usize {
    let mut words = text.split(|letter: char| !letter.is_ascii_digit());
    words.find_map(|word| word.parse().ok()).unwrap()
}

/// What all commands say of each HPA of all files, on all cores.
fn all_told() -> Vec<Told> {
    let made = tempfile::tempdir().unwrap();
    let mut files = largest_first();
    files.extend(made_up(made.path()));
    let next = AtomicUsize::default();
    let worker = || {
        let mut all = Vec::new();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            all.extend(told(file));
        }
        all
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let all = workers.into_iter().map(|worker| worker.join().unwrap());
        all.flatten().collect()
    })
}

/// What all commands say of each HPA of a file.
fn told(file: &Path) -> Vec<Told> {
    let file = file.display().to_string();
    let list = json(&["list", "-A", "-o", "json", "-f", &file]);
    let pages = json(&["explain", "-A", "-o", "json", "-f", &file]);
    let pages = pages["items"].as_array().cloned().unwrap_or(vec![pages]);
    let rows = list["items"].as_array().unwrap();
    assert_eq!(rows.len(), pages.len(), "{file}");
    let is_beyond = |row: &&Value| row["urgency"] == "beyondMax";
    let beyond = rows.iter().filter(is_beyond).count();
    assert_eq!(list["summary"]["limitedAtMax"], beyond, "{file}");
    let findings = json(&["lint", "-o", "json", "--no-config", "-f", &file]);
    let findings = findings["findings"].as_array().unwrap();
    let replayed = said(&["replay", &file]);
    let is_single = replayed.contains(", 1 sync,");
    let alarms = alarms(&replayed);
    let samples = exported(&file);
    let of_row = |row: &Value| {
        let hpa = (&row["namespace"], &row["name"]);
        let full = format!("{}/{}", hpa.0.as_str().unwrap(), hpa.1.as_str().unwrap());
        let is_page = |page: &&Value| (&page["hpa"]["namespace"], &page["hpa"]["name"]) == hpa;
        let of_hpa = |one: &&Value| (&one["object"]["namespace"], &one["object"]["name"]) == hpa;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let is_own = |alarm: &&(Option<String>, String, String)| {
            alarm.0.as_ref().is_none_or(|hpa| *hpa == full)
        };
        let label = format!("namespace={},horizontalpodautoscaler={}}}", hpa.0, hpa.1);
        let verdict = format!(
            "kubectl_hpa_verdict{{namespace={},horizontalpodautoscaler={},verdict=\"",
            hpa.0, hpa.1
        );
        Told {
            name: format!("{file}: {full}"),
            is_single,
            row: row.clone(),
            page: pages.iter().find(is_page).unwrap().clone(),
            simulated: simulated(&file, &text(hpa.0), &text(hpa.1)),
            alarms: alarms.iter().filter(is_own).fold(
                BTreeMap::new(),
                |mut on: BTreeMap<String, String>, (_, kind, text)| {
                    let known = on.entry(kind.clone()).or_default();
                    known.push_str(text);
                    known.push('\n');
                    on
                },
            ),
            verdict: samples.iter().find_map(|(series, _)| {
                let verdict = series.strip_prefix(&verdict)?;
                Some(verdict.trim_end_matches("\"}").to_owned())
            }),
            findings: findings
                .iter()
                .filter(of_hpa)
                .map(|one| (text(&one["code"]), text(&one["message"])))
                .collect(),
            series: samples
                .iter()
                .filter_map(|(series, value)| Some((series.strip_suffix(&label)?, value)))
                .map(|(name, value)| (name.trim_end_matches('{').to_owned(), value.clone()))
                .collect(),
        }
    };
    rows.iter().map(of_row).collect()
}

fn simulated(file: &str, namespace: &str, name: &str) -> Value {
    let start = ["simulate", name, "-n", namespace, "-f", file, "-o", "json"];
    let short = ["--load", "x1", "--for", "1m", "--seeds", "1"];
    serde_json::from_str(&said(&[&start[..], &short].concat())).unwrap_or_default()
}

/// The alarms that are on at the end: the HPA if the recording has several, the kind and the text.
fn alarms(replayed: &str) -> Vec<(Option<String>, String, String)> {
    let (_, text) = replayed
        .split_once("as watch raises them:\n")
        .unwrap_or_default();
    let text = text.split("\n\n").next().unwrap_or_default();
    let joined = text.replace("\n    ", " ");
    let on = joined
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("since "));
    on.filter_map(|line| {
        let (_, rest) = line.split_once("  ")?;
        let (first, rest) = rest.split_once(": ")?;
        Some(if first.contains('/') {
            let (kind, text) = rest.split_once(": ")?;
            (Some(first.to_owned()), kind.to_owned(), text.to_owned())
        } else {
            (None, first.to_owned(), rest.to_owned())
        })
    })
    .collect()
}

/// The series of an exporter that sees the recording.
fn exported(file: &str) -> Vec<(String, String)> {
    let mut exporter = PlayedExporter::new();
    for line in RecordingReader::open(file.as_ref()).unwrap() {
        let snapshot = line.unwrap().snapshot;
        if snapshot.hpa_deleted.is_none() {
            exporter.sync(snapshot);
        }
    }
    exporter.samples()
}

/// The examples and the situations of `tests/situations`, the largest first, so that all cores are busy to the end.
fn largest_first() -> Vec<PathBuf> {
    let mut files = recordings();
    files.sort_by_key(|file| Reverse(fs::metadata(file).unwrap().len()));
    files
}

fn json(arguments: &[&str]) -> Value {
    let text = said(arguments);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

fn said(arguments: &[&str]) -> String {
    let output = Command::cargo_bin("kubectl-hpa")
        .unwrap()
        .args(arguments)
        .output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}
