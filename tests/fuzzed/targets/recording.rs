//! The readers of recordings and of objects: every line is a snapshot or an error, and a snapshot survives writing and
//! reading.

use std::collections::BTreeMap;

use hpa_objects::{
    manifest,
    recording::{RecordingReader, Snapshot},
};
use jiff::Timestamp;

pub fn recording(bytes: &[u8]) {
    for line in RecordingReader::new(bytes) {
        match line {
            Ok(line) => survives(&line.snapshot),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    match manifest::read(bytes, "any", Timestamp::UNIX_EPOCH) {
        Ok(snapshots) => snapshots.iter().for_each(survives),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Checks that, as far as it is usable, it is the same after writing and reading.
pub fn survives(snapshot: &Snapshot) {
    let observed = snapshot.observation().map_err(|error| error.to_string());
    let _ = snapshot.context();
    let _: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(&serde_json::to_string(snapshot).expect("it is JSON"))
            .expect("it is JSON");
    let mut written = serde_json::to_vec(snapshot).expect("it is JSON");
    written.push(b'\n');
    let mut lines = RecordingReader::new(written.as_slice());
    let read = lines
        .next()
        .expect("there is a line")
        .expect("it can be read");
    assert_eq!(&read.snapshot, snapshot);
    let again = read
        .snapshot
        .observation()
        .map_err(|error| error.to_string());
    // As text, because a ratio may be NaN.
    assert_eq!(format!("{again:?}"), format!("{observed:?}"));
}
