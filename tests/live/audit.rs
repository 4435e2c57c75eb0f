//! The controller's actions and the plugin's requests, from the API server's audit log, independent of our code.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{BufRead as _, BufReader},
    path::Path,
};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// One sync of an HPA.
#[derive(Debug)]
pub(crate) struct Sync {
    /// When the controller read the scale, which starts a sync.
    pub(crate) at: Timestamp,
    /// `spec.replicas` of the scale that it read.
    pub(crate) current: i64,
    /// `status.replicas` of that scale, which lags behind in a slow target.
    pub(crate) existing: i64,
    /// What it wrote to the scale, if anything.
    pub(crate) scaled_to: Option<i64>,
    /// When it last wrote that.
    written: Option<Timestamp>,
    /// Whether the API server refused that write because of a write in between.
    pub(crate) is_refused: bool,
    /// The status afterwards, null before the first: what it wrote now, else what it wrote last.
    pub(crate) status: Value,
}

impl Sync {
    /// The decision: the desired replicas.
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

/// Reads all syncs, by the name of the HPA, which must be that of its target. A sync ends when the next one starts.
pub(crate) fn syncs(log: &Path) -> BTreeMap<String, Vec<Sync>> {
    let mut requests: Vec<Value> = requests(log, "RequestResponse")
        .filter(|request| request["level"] == "RequestResponse")
        .collect();
    // The log has requests in the order of their answers.
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
                    existing: request["responseObject"]["status"]["replicas"]
                        .as_i64()
                        .unwrap_or(0),
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
                    // Zero replicas are left out.
                    let to = request["requestObject"]["spec"]["replicas"].as_i64();
                    sync.scaled_to = Some(to.unwrap_or(0));
                    sync.is_refused = request["responseStatus"]["code"] != 200;
                } else {
                    sync.status = request["requestObject"]["status"].take();
                }
            }
        }
    }
    syncs
}

/// Finds for each sync what was said of it: the element whose time is nearest, if it is not further than a period. The
/// times of syncs that write nothing are computed, so two of them may have the same element.
pub(crate) fn matched<'a, T>(
    syncs: &'a [Sync],
    printed: &'a [T],
    period: SignedDuration,
    time: impl Fn(&T) -> Timestamp,
) -> Vec<(&'a Sync, Option<&'a T>)> {
    let distance = |sync: &Sync, one: &T| time(one).duration_since(sync.at).abs();
    syncs
        .iter()
        .map(|sync| {
            let near = printed.iter().filter(|one| distance(sync, one) <= period);
            (sync, near.min_by_key(|one| distance(sync, one)))
        })
        .collect()
}

/// Fails if the plugin has sent anything but reads and reviews of its own permissions, or has read what it does not
/// need. Others have other user agents: `kubectl`, which sets the tests up, and the control plane. Returns the number
/// of the plugin's reads.
#[track_caller]
pub(crate) fn assert_only_read(log: &Path) -> usize {
    let (mut reads, mut others) = (0, BTreeSet::new());
    for request in requests(log, "kubectl-hpa/") {
        let agent = request["userAgent"].as_str().unwrap_or_default();
        if !agent.starts_with("kubectl-hpa/") {
            continue;
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (verb, resource) = (
            text(&request["verb"]),
            text(&request["objectRef"]["resource"]),
        );
        let is_read = matches!(verb.as_str(), "get" | "list" | "watch")
            && !matches!(resource.as_str(), "secrets" | "configmaps");
        let asks_for_rights = verb == "create" && resource == "selfsubjectaccessreviews";
        if is_read || asks_for_rights {
            reads += 1;
        } else {
            others.insert(format!("{verb} {}", text(&request["requestURI"])));
        }
    }
    assert!(others.is_empty(), "more than reads: {others:#?}");
    reads
}

/// The lines of a log that contain `part`, except an unfinished last line.
fn requests(log: &Path, part: &str) -> impl Iterator<Item = Value> {
    let lines = BufReader::new(File::open(log).unwrap()).lines();
    lines
        .map(Result::unwrap)
        .filter(move |line| line.contains(part))
        .filter_map(|line| serde_json::from_str(&line).ok())
}

fn time(request: &Value, field: &str) -> Timestamp {
    request[field].as_str().unwrap().parse().unwrap()
}
