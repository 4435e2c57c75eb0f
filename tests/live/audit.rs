//! What the controller did, from the API server's audit log: its own requests, whatever we made of them.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead as _, BufReader},
    path::Path,
};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// One sync of an HPA.
#[derive(Debug)]
pub(crate) struct Sync {
    /// When the controller asked for the scale, with which a sync begins.
    pub(crate) at: Timestamp,
    /// `spec.replicas` of the scale that it was given.
    pub(crate) current: i64,
    /// What it wrote to the scale, if it did.
    pub(crate) scaled_to: Option<i64>,
    /// When it wrote that last.
    written: Option<Timestamp>,
    /// Whether the API server refused that: somebody had written in between.
    pub(crate) is_refused: bool,
    /// The status afterwards, null before the first: what it wrote, else what it had written before.
    pub(crate) status: Value,
}

impl Sync {
    /// The decision: how many replicas there are to be.
    pub(crate) fn decided(&self) -> i64 {
        self.scaled_to.unwrap_or(self.current)
    }

    /// Whether the controller asks for the scale at `at` only to write it once more in the same sync, because of a conflict
    /// (`RetryOnConflict` in `reconcileAutoscaler`, horizontal.go): up to five times, each after some milliseconds.
    fn is_tried_again(&self, at: Timestamp) -> bool {
        self.is_refused
            && self.written.is_some_and(|written| {
                at.duration_since(written) < SignedDuration::from_millis(500)
            })
    }
}

/// Reads all syncs, by the name of the HPA, which must be that of its target. Each is over when the next one begins.
pub(crate) fn syncs(log: &Path) -> BTreeMap<String, Vec<Sync>> {
    let mut requests: Vec<Value> = BufReader::new(File::open(log).unwrap())
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    // The log has them in the order of their answers.
    requests.sort_by_key(|request| time(request, "requestReceivedTimestamp"));
    let mut syncs: BTreeMap<String, Vec<Sync>> = BTreeMap::new();
    for mut request in requests {
        let name = request["objectRef"]["name"].as_str().unwrap().to_owned();
        let of_hpa = syncs.entry(name).or_default();
        let verb = request["verb"].as_str().unwrap();
        match (verb, request["objectRef"]["subresource"].as_str().unwrap()) {
            ("get", "scale") => {
                let current = request["responseObject"]["spec"]["replicas"].as_i64();
                let at = time(&request, "requestReceivedTimestamp");
                if of_hpa.last().is_some_and(|sync| sync.is_tried_again(at)) {
                    continue;
                }
                of_hpa.push(Sync {
                    at,
                    current: current.unwrap_or(0),
                    scaled_to: None,
                    written: None,
                    is_refused: false,
                    status: of_hpa
                        .last()
                        .map_or(Value::Null, |sync| sync.status.clone()),
                });
            }
            (_, subresource) => {
                let Some(sync) = of_hpa.last_mut() else {
                    continue; // of a sync before the log
                };
                if subresource == "scale" {
                    sync.written = Some(time(&request, "requestReceivedTimestamp"));
                    sync.scaled_to = request["requestObject"]["spec"]["replicas"].as_i64();
                    sync.is_refused = request["responseStatus"]["code"] != 200;
                } else {
                    sync.status = request["requestObject"]["status"].take();
                }
            }
        }
    }
    syncs
}

/// Finds for each sync what was said of it: the element whose time is nearest, if it is not further than a period. Syncs
/// that write nothing are told by the clock, so two of them may have the same one.
pub(crate) fn matched<'a, T>(
    syncs: &'a [Sync],
    said: &'a [T],
    period: SignedDuration,
    time: impl Fn(&T) -> Timestamp,
) -> Vec<(&'a Sync, Option<&'a T>)> {
    let distance = |sync: &Sync, one: &T| time(one).duration_since(sync.at).abs();
    syncs
        .iter()
        .map(|sync| {
            let near = said.iter().filter(|one| distance(sync, one) <= period);
            (sync, near.min_by_key(|one| distance(sync, one)))
        })
        .collect()
}

fn time(request: &Value, field: &str) -> Timestamp {
    request[field].as_str().unwrap().parse().unwrap()
}
