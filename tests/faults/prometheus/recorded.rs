//! `history` says of the past of an HPA what the other commands say of its recording, where both can see it.
//!
//! Its series are those of kube-state-metrics, made from the syncs of each recording in `tests/situations`. Reasons of
//! conditions and single pods are not among them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use hpa_objects::recording::RecordingReader;
use hpa_testing::recordings;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::history::{World, answer};

#[test]
fn past_of_a_recording_has_the_conditions_that_other_commands_see_in_it() {
    let mut seen = BTreeSet::new();
    for file in recordings() {
        if !file.starts_with("tests/situations") {
            continue;
        }
        let Some(past) = Past::of(&file) else {
            continue;
        };
        let kinds = past.kinds();
        let (findings, replayed) = past.told(&file);
        let has_finding = |code: &str| findings.contains(code);
        let has_alarm = |kind: &str| replayed.contains(&format!("  {kind}: "));
        let name = file.display();
        // Series do not show who changes the replicas.
        let is_flapping = has_finding("HPA901") || has_finding("HPA908");
        assert!(is_flapping || !kinds.contains("flapping"), "{name}");
        assert!(
            kinds.contains("flapping") || !has_finding("HPA901"),
            "{name}"
        );
        assert_eq!(kinds.contains("atMax"), has_alarm("unmet-demand"), "{name}");
        let is_failing = has_alarm("invalid-metric") || has_alarm("blocked");
        assert_eq!(kinds.contains("metricsFailed"), is_failing, "{name}");
        let has_target = !has_alarm("target-not-found");
        assert_eq!(kinds.contains("notAbleToScale"), !has_target, "{name}");
        seen.extend(kinds);
    }
    let all = [
        "atMax",
        "disabled",
        "flapping",
        "metricsFailed",
        "notAbleToScale",
    ];
    assert_eq!(seen, all.map(str::to_owned).into());
}

/// The past of the HPA of a recording, as a monitoring server has it.
struct Past {
    world: World,
    from: Timestamp,
    to: Timestamp,
}

impl Past {
    /// None: it has several HPAs, or its HPA has never a number of replicas.
    fn of(file: &Path) -> Option<Self> {
        let lines = RecordingReader::open(file).unwrap();
        let syncs: Vec<Value> = lines
            .map(|line| serde_json::to_value(&line.unwrap().snapshot).unwrap())
            .collect();
        let (first, last) = (syncs.first()?, syncs.last()?);
        if syncs
            .iter()
            .any(|sync| sync["metadata"] != last["metadata"])
        {
            return None;
        }
        let mut series: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for sync in &syncs {
            let time = time_of(sync).as_duration().as_secs_f64();
            for (labels, value) in scraped(&sync["hpa"])? {
                let samples = series.entry(labels.to_string()).or_default();
                samples.push(json!([time, value.to_string()]));
            }
        }
        let series: Vec<Value> = series
            .into_iter()
            .map(|(labels, values)| {
                let labels: Value = serde_json::from_str(&labels).unwrap();
                json!({"metric": labels, "values": values})
            })
            .collect();
        let mut hpa = last["hpa"].clone();
        hpa["metadata"]["name"] = json!("web");
        hpa["metadata"]["namespace"] = json!("shop");
        let unchanged = |_: &Value, _: f64, value: &str| Some(value.to_owned());
        Some(Self {
            world: World::of(&hpa, move |asked| answer(&series, asked, &unchanged)),
            from: time_of(first) - SignedDuration::from_secs(1),
            to: time_of(last) + SignedDuration::from_secs(1),
        })
    }

    /// What `history` says of it. A metric that fails in a single sync, such as the first one, is over before an alarm.
    fn kinds(&self) -> BTreeSet<String> {
        let (from, to) = (self.from.to_string(), self.to.to_string());
        let words = ["--from", &from, "--to", &to, "-o", "json"];
        let run = self.world.history(&words);
        assert_eq!(run.code, Some(0), "{run:?}");
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        says_what_to_do(&report);
        let intervals = report["intervals"].as_array().unwrap();
        let is_long = |one: &&Value| {
            let time = |end: &str| one[end].as_str().unwrap().parse::<Timestamp>().unwrap();
            SignedDuration::from_secs(30) <= time("to").duration_since(time("from"))
        };
        let kinds = intervals.iter().filter(is_long);
        kinds
            .filter_map(|one| Some(one["kind"].as_str()?.to_owned()))
            .collect()
    }

    /// What `lint` finds in the recording, and the end of what `replay` prints of it.
    fn told(&self, file: &Path) -> (String, String) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = root.join(file).display().to_string();
        let run = |words: &[&str]| self.world.plugin.run(words).stdout;
        let findings = run(&["lint", "--no-config", "-o", "concise", "-f", &file]);
        let replayed = run(&["replay", &file]);
        assert!(replayed.contains(" recording, "), "{replayed}");
        let (_, alarms) = replayed.split_once("Alarms, ").unwrap_or_default();
        (findings, alarms.replace("\n    ", " "))
    }
}

/// The first lines have numbers and times for each state that is worth a word, and a step.
fn says_what_to_do(report: &Value) {
    let answer = report["answer"].as_str().unwrap();
    assert!(answer.chars().count() < 480, "{answer}");
    let parts = [
        ("held at maxReplicas", "--compare=maxReplicas="),
        ("up and down in turns", "changes of direction"),
        (
            "up and down in turns",
            "--compare=behavior.scaleDown.stabilizationWindowSeconds=",
        ),
        (
            "could not read or write the scale",
            " the reason|explain says why",
        ),
        (
            "could not compute its metrics",
            "Events and the log|explain says it",
        ),
    ];
    for (state, step) in parts {
        let is_there = step.split('|').any(|step| answer.contains(step));
        let was_so = answer.contains(state) && !answer.contains(&format!("never {state}"));
        assert!(!was_so || is_there, "{answer}");
    }
    let (_, several) = answer.split_once(" times").unwrap_or_default();
    assert!(
        several.is_empty() || several.starts_with(", last "),
        "{answer}"
    );
}

/// The labels and values that kube-state-metrics has of an HPA.
fn scraped(hpa: &Value) -> Option<Vec<(Value, i64)>> {
    let of = |name: &str| {
        json!({"__name__": format!("kube_horizontalpodautoscaler_{name}"), "namespace": "shop",
            "horizontalpodautoscaler": "web", "job": "kube-state-metrics"})
    };
    let (spec, status) = (&hpa["spec"], &hpa["status"]);
    let mut all = vec![
        (
            of("spec_min_replicas"),
            spec["minReplicas"].as_i64().unwrap_or(1),
        ),
        (of("spec_max_replicas"), spec["maxReplicas"].as_i64()?),
        (
            of("status_current_replicas"),
            status["currentReplicas"].as_i64().unwrap_or(0),
        ),
        (
            of("status_desired_replicas"),
            status["desiredReplicas"].as_i64()?,
        ),
    ];
    for condition in status["conditions"].as_array().into_iter().flatten() {
        for state in ["True", "False", "Unknown"] {
            let mut labels = of("status_condition");
            labels["condition"] = condition["type"].clone();
            labels["status"] = json!(state.to_lowercase());
            all.push((labels, i64::from(condition["status"] == state)));
        }
    }
    Some(all)
}

fn time_of(sync: &Value) -> Timestamp {
    sync["time"].as_str().unwrap().parse().unwrap()
}
