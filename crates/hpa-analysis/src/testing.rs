//! Times and Events for the tests of this package.

use hpa_engine::model::KubeEvent;
use jiff::Timestamp;

/// A time, in seconds since the beginning of the test.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

/// The Event of rescales with the same message, the first and the last of them in seconds.
pub(crate) fn rescale_event(message: &str, count: i32, first: i64, last: i64) -> KubeEvent {
    KubeEvent {
        reason: "SuccessfulRescale".to_owned(),
        message: message.to_owned(),
        count,
        first: Some(at(first)),
        last: Some(at(last)),
        ..KubeEvent::default()
    }
}
