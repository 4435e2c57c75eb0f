//! Compares the storage rule of metrics-server with its own code: 333 sequences of scrapes.

use std::{collections::BTreeMap, fs::File, io::BufReader, io::prelude::*};

use flate2::read::MultiGzDecoder;
use hpa_simulation::{ContainerStore, CounterPoint, Millis, Usage};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sequence {
    case: String,
    resolution_seconds: i64,
    scrapes: Vec<Scrape>,
}

#[derive(Deserialize)]
struct Scrape {
    #[serde(default)]
    pods: Vec<Pod>,
    #[serde(default)]
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
struct Pod {
    name: String,
    containers: Vec<Container>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Container {
    name: String,
    start: Option<Millis>,
    time: Millis,
    cpu_nanos: u64,
    memory: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    pod: String,
    timestamp: Option<Millis>,
    window_ms: Millis,
    #[serde(default)]
    other_windows_ms: Vec<Millis>,
    containers: Vec<Answered>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answered {
    name: String,
    cpu_nano: u64,
    memory: u64,
}

#[test]
fn every_recorded_scrape_gives_the_usage_that_metrics_server_answers() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/metrics_server.jsonl.gz"
    );
    let lines = BufReader::new(MultiGzDecoder::new(File::open(path).unwrap())).lines();
    let (mut sequences, mut answers) = (0, 0);
    for line in lines {
        let sequence: Sequence = serde_json::from_str(&line.unwrap()).unwrap();
        sequences += 1;
        answers += replay(&sequence);
    }
    assert!(300 < sequences, "{sequences} sequences");
    assert!(2_500 < answers, "{answers} answers");
}

type Stores = BTreeMap<String, BTreeMap<String, ContainerStore>>;

/// Compares each answer. Returns their number.
fn replay(sequence: &Sequence) -> usize {
    let mut stores = Stores::new();
    let mut answers = 0;
    for (number, scrape) in sequence.scrapes.iter().enumerate() {
        let place = format!("{}, scrape {number}", sequence.case);
        store(&mut stores, scrape, sequence.resolution_seconds * 1000);
        let mut expected: BTreeMap<&str, &Answer> = scrape
            .answers
            .iter()
            .map(|answer| (answer.pod.as_str(), answer))
            .collect();
        for (pod, containers) in &stores {
            let found: Vec<_> = containers
                .iter()
                .filter(|(_, store)| store.is_found())
                .collect();
            if found.is_empty() || !found.iter().all(|(_, store)| store.is_complete()) {
                continue;
            }
            let answer = expected
                .remove(pod.as_str())
                .unwrap_or_else(|| panic!("{place}: {pod} has no answer"));
            let usages: Vec<(&String, Usage)> = found
                .iter()
                .filter_map(|(name, store)| Some((*name, store.usage()?)))
                .collect();
            compare(answer, &usages, &place);
            answers += 1;
        }
        assert!(expected.is_empty(), "{place}: {:?}", expected.keys());
    }
    answers
}

fn store(stores: &mut Stores, scrape: &Scrape, resolution: Millis) {
    for pod in &scrape.pods {
        stores.entry(pod.name.clone()).or_default();
    }
    for (name, containers) in stores {
        let found = scrape.pods.iter().find(|pod| pod.name == *name);
        for container in found.iter().flat_map(|pod| &pod.containers) {
            containers.entry(container.name.clone()).or_default();
        }
        let pod_has_previous = containers.values().any(ContainerStore::is_complete);
        for (name, store) in containers {
            let mut read = found.iter().flat_map(|pod| &pod.containers);
            let read = read.find(|container| container.name == *name);
            let point = read.map(|container| CounterPoint {
                start: container.start.unwrap_or(Millis::MIN),
                time: container.time,
                cpu_nanos: container.cpu_nanos,
                memory: container.memory,
            });
            store.store(point, resolution, pod_has_previous);
        }
    }
}

fn compare(answer: &Answer, usages: &[(&String, Usage)], place: &str) {
    let expected: Vec<_> = answer
        .containers
        .iter()
        .map(|container| (&container.name, container.cpu_nano, container.memory))
        .collect();
    let found: Vec<_> = usages
        .iter()
        .map(|(name, usage)| (*name, usage.cpu_nanos, usage.memory))
        .collect();
    assert_eq!(found, expected, "{place}");
    let earliest = usages
        .iter()
        .map(|(_, usage)| usage)
        .min_by_key(|usage| usage.time);
    assert_eq!(
        earliest.map(|usage| usage.time),
        answer.timestamp,
        "{place}"
    );
    let window = earliest.map_or(0, |usage| usage.window);
    assert!(
        window == answer.window_ms || answer.other_windows_ms.contains(&window),
        "{place}: window {window}, not {}",
        answer.window_ms
    );
}
