//! Real series and their HPA, for tests: those of `crates/hpa-history/tests/answers`.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use hpa_engine::model::Observation;
use hpa_objects::recording::RecordingReader;
use serde_json::Value;

use crate::series::Series;

fn answer(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/answers")
        .join(name)
}

/// Prometheus' series.
pub(crate) fn series() -> Vec<Series> {
    let mut text = String::new();
    let file = File::open(answer("prometheus.json.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
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
    let mut reader = RecordingReader::open(&answer("today.json.gz")).unwrap();
    let line = reader.next().unwrap().unwrap();
    line.snapshot.observation().unwrap()
}
