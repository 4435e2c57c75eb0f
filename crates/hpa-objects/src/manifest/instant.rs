//! When the objects of a file were read.

use jiff::Timestamp;
use serde_json::Value;

/// Finds the newest time in an object: it was read then or later. None: it has no times.
pub(super) fn newest_time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Array(entries) => entries.iter().filter_map(newest_time).max(),
        Value::Object(fields) => fields
            .iter()
            .filter_map(|(key, value)| match value {
                Value::String(text) if is_past(key) => text.parse().ok(),
                Value::String(_) => None,
                other => newest_time(other),
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
