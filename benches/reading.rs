//! How fast a recording is read: `cargo bench --bench reading`.
//!
//! The input is all recordings of Kubernetes 1.36, uncompressed and in memory; the result is the input of the engine.
//! Figures are bytes of JSON a second on one core.
#![expect(clippy::unwrap_used, reason = "benchmark")]

use std::{fs, io::Read as _, path::Path};

use divan::{Bencher, counter::BytesCount};
use hpa_objects::recording::RecordingReader;

fn main() {
    divan::main();
}

/// JSON lines to snapshots.
#[divan::bench]
fn snapshots(bencher: Bencher) {
    let text = recordings();
    bencher.counter(BytesCount::of_slice(&text)).bench(|| {
        RecordingReader::new(text.as_slice())
            .map(Result::unwrap)
            .count()
    });
}

/// JSON lines to observations, which is what `replay` does.
#[divan::bench]
fn observations(bencher: Bencher) {
    let text = recordings();
    bencher.counter(BytesCount::of_slice(&text)).bench(|| {
        RecordingReader::new(text.as_slice())
            .map(|line| line.unwrap().snapshot.observation().unwrap().pods)
            .filter(|pods| pods.read().is_some())
            .count()
    });
}

fn recordings() -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/1.36");
    let mut text = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let file = fs::File::open(entry.unwrap().path()).unwrap();
        flate2::read::GzDecoder::new(file)
            .read_to_end(&mut text)
            .unwrap();
    }
    text
}
