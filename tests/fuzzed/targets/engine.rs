//! The engine on any snapshots, one after the other with one history.

use hpa_engine::{engine::decide, model::Memory};
use hpa_objects::recording::{Outcome, RecordingReader, differences};

pub fn engine(bytes: &[u8]) {
    let mut memory = Memory::default();
    for line in RecordingReader::new(bytes) {
        let Ok(line) = line else { continue };
        let snapshot = line.snapshot;
        let Ok(observation) = snapshot.observation() else {
            continue;
        };
        if snapshot.controller_started {
            memory = Memory::default();
        }
        let mut other = memory.clone();
        let trace = decide(&observation, &mut memory, snapshot.time());
        let again = decide(&observation, &mut other, snapshot.time());
        // As text, because a ratio may be NaN.
        assert_eq!(format!("{trace:?}"), format!("{again:?}"));
        assert_eq!(memory, other);
        if let (Some(predicted), Some(recorded)) = (&trace.outcome, &snapshot.outcome) {
            differences(&Outcome::from(predicted), recorded);
        }
    }
}
