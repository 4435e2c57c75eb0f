//! When the objects of a file were read.

use jiff::Timestamp;
use serde_json::Value;

use super::documents::Object;

/// Finds the newest time in the objects: they were read then or later. None: they have no times.
pub(super) fn newest_time(objects: &[Object]) -> Option<Timestamp> {
    objects
        .iter()
        .filter_map(|object| newest(&object.value))
        .max()
}

fn newest(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Array(entries) => entries.iter().filter_map(newest).max(),
        Value::Object(fields) => fields
            .iter()
            .filter_map(|(key, value)| match value {
                Value::String(text) if is_past(key) => text.parse().ok(),
                Value::String(_) => None,
                other => newest(other),
            })
            .max(),
        _ => None,
    }
}

/// Whether a field holds a time that was over when the object was read. Deletions are announced ahead.
fn is_past(key: &str) -> bool {
    matches!(
        key,
        "creationTimestamp"
            | "eventTime"
            | "finishedAt"
            | "firstTimestamp"
            | "lastHeartbeatTime"
            | "lastObservedTime"
            | "lastProbeTime"
            | "lastScaleTime"
            | "lastTimestamp"
            | "lastTransitionTime"
            | "lastUpdateTime"
            | "startTime"
            | "startedAt"
            | "time"
            | "timestamp"
    )
}
