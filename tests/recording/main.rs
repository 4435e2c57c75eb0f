//! The Snapshot format against the recordings of the real controller.
#![expect(clippy::unwrap_used, reason = "test code")]
#![cfg(feature = "cli")]

use std::{fs, io::Read as _, path::Path};

use kubectl_hpa::recording::Snapshot;

/// All lines of all recordings of one Kubernetes version.
fn lines(version: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/conformance")
        .join(version);
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let file = fs::File::open(entry.unwrap().path()).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(file)
            .read_to_string(&mut text)
            .unwrap();
        lines.extend(text.lines().map(str::to_owned));
    }
    lines
}

#[test]
fn every_line_of_the_recordings_is_an_observation() {
    for version in ["1.25", "1.36"] {
        for line in lines(version) {
            let snapshot: Snapshot = serde_json::from_str(&line).unwrap();
            let observation = snapshot.observation().unwrap();
            assert_eq!(observation.hpa.namespace, "shop");
            let written = serde_json::to_string(&snapshot).unwrap();
            assert_eq!(
                serde_json::from_str::<Snapshot>(&written).unwrap(),
                snapshot
            );
        }
    }
}
