//! When the objects of a file were read.

use jiff::Timestamp;
use serde_json::Value;

/// The newest time in an object: it was read then or later. None: it contains no times.
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

/// Whether a field holds a time in the past of the read. Deletion times can be in the future.
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
