//! Real series and their HPA, for tests: those of `crates/hpa-history/tests/answers`.

use std::io::BufReader;

use flate2::read::GzDecoder;
use hpa_engine::model::Observation;
use hpa_objects::recording::RecordingReader;
use serde_json::Value;

use crate::series::Series;

/// Prometheus' series.
pub(crate) fn series() -> Vec<Series> {
    let answer = &include_bytes!("../tests/answers/prometheus.json.gz")[..];
    let all: Vec<Value> = serde_json::from_reader(GzDecoder::new(answer)).unwrap();
    let sample = |pair: &Value| {
        let seconds = pair[0].as_f64().unwrap();
        let value = pair[1].as_str().unwrap().parse().unwrap();
        ((seconds * 1000.0).round() as i64, value)
    };
    let series = |one: &Value| {
        let samples = one["values"].as_array().unwrap().iter();
        Series {
            labels: serde_json::from_value(one["metric"].clone()).unwrap(),
            samples: samples.map(sample).collect(),
        }
    };
    all.iter().map(series).collect()
}

/// The current HPA.
pub(crate) fn today() -> Observation {
    let recording = &include_bytes!("../tests/answers/today.json.gz")[..];
    let mut reader = RecordingReader::new(BufReader::new(GzDecoder::new(recording)));
    let line = reader.next().unwrap().unwrap();
    line.snapshot.observation().unwrap()
}
