//! Answers of the custom and the external metrics API.

use hpa_engine::model::{ExternalMetricValue, MetricValue};
use proptest::{collection::vec, option, prelude::*};

use super::{
    text::{name, quantity},
    time,
};

/// Answer for a Pods or an Object metric.
pub(crate) fn metric_values() -> impl Strategy<Value = Vec<MetricValue>> {
    let window = prop_oneof![0..120_i64, any::<i64>()];
    let value = (name(), option::of(time()), option::of(window), quantity()).prop_map(
        |(object, timestamp, window_seconds, value)| MetricValue {
            object,
            timestamp,
            window_seconds,
            value,
        },
    );
    let count = prop_oneof![1 => Just(1), 1 => 0..6_usize];
    let value = value.boxed();
    count.prop_flat_map(move |count| vec(value.clone(), count))
}

/// Answer for an External metric.
pub(crate) fn external_values() -> impl Strategy<Value = Vec<ExternalMetricValue>> {
    let value =
        (option::of(time()), quantity()).prop_map(|(timestamp, value)| ExternalMetricValue {
            labels: Vec::new(),
            timestamp,
            value,
        });
    vec(value, 0..6)
}
