//! The recording of the past, compared with one that `capture` made meanwhile.

use std::{collections::BTreeMap, fs, path::Path};

use jiff::Timestamp;
use serde_json::Value;

use super::run::Run;

/// What one snapshot has: the pods, whether each is ready, and the CPU that all of them use, in cores.
struct Seen {
    at: Timestamp,
    pods: BTreeMap<String, bool>,
    cpu: f64,
}

/// Fails unless nearly every sync of the past has the pods and their readiness that were captured around it, and most have their
/// usage. What changed between two captures may be in either. Under a load that grows, usage is known between bounds only: the
/// recording has the most probable one.
#[expect(clippy::print_stderr, reason = "the figures of a long run")]
pub(super) fn assert_past_is_what_was_captured(run: &Run, name: &str) {
    let captured = snapshots(&run.cluster.file("captured.jsonl"));
    let file = run.cluster.file("past.jsonl");
    run.history(name, &["--record", file.to_str().unwrap()]);
    let (mut all, mut pods, mut usages) = (0, 0, 0);
    for sync in &snapshots(&file) {
        let place = captured.partition_point(|one| one.at < sync.at);
        let around = [place.checked_sub(1), Some(place)];
        let around: Vec<&Seen> = around
            .into_iter()
            .flatten()
            .filter_map(|at| captured.get(at))
            .collect();
        if around.len() < 2 {
            continue;
        }
        all += 1;
        pods += i32::from(around.iter().any(|one| one.pods == sync.pods));
        let is_near = |one: &&Seen| (one.cpu - sync.cpu).abs() <= 0.03 * one.cpu;
        usages += i32::from(around.iter().any(is_near));
    }
    eprintln!(
        "{name}: of {all} syncs, {pods} have the pods that were captured, and {usages} their usage"
    );
    assert!(20 <= all, "{all} syncs were captured");
    assert!(
        95 * all <= 100 * pods,
        "{pods} of {all} syncs have the right pods"
    );
    assert!(
        70 * all <= 100 * usages,
        "{usages} of {all} syncs have the right usage"
    );
}

fn snapshots(file: &Path) -> Vec<Seen> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter(|line| line["hpa"].is_object())
        .map(|line| seen(&line))
        .collect()
}

fn seen(snapshot: &Value) -> Seen {
    let items = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let is_ready = |pod: &Value| {
        let conditions = items(&pod["status"]["conditions"]);
        conditions
            .iter()
            .any(|one| one["type"] == "Ready" && one["status"] == "True")
    };
    let pods = items(&snapshot["pods"]);
    let pods = pods.iter().map(|pod| {
        let name = pod["metadata"]["name"].as_str().unwrap();
        (name.to_owned(), is_ready(pod))
    });
    let samples = items(&snapshot["podMetrics"]["items"]);
    let containers = samples.iter().flat_map(|pod| items(&pod["containers"]));
    Seen {
        at: snapshot["time"].as_str().unwrap().parse().unwrap(),
        pods: pods.collect(),
        cpu: containers
            .map(|one| cores(one["usage"]["cpu"].as_str().unwrap()))
            .sum(),
    }
}

/// A quantity of CPU.
fn cores(text: &str) -> f64 {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => 1.0,
        "m" => 1e-3,
        "u" => 1e-6,
        "n" => 1e-9,
        unit => panic!("{unit} of {text}"),
    };
    digits.parse::<f64>().unwrap() * unit
}
