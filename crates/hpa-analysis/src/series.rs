//! The series that an External metric adds up.

use hpa_engine::{
    engine,
    model::{ExternalMetricValue, Memory, MetricSpec, Observation, Reading, quantity::Overflow},
    trace::{Milli, ReadMetric, Trace},
};

use super::probe::{evaluation, proposal};

/// A total that the controller does not compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplacedTotal {
    /// It adds up the series one by one, and the sum falls below 0: it takes that for an overflow.
    Negative,
    /// The value, or the sum, is larger than the controller can hold.
    TooLarge,
}

/// The series of the External metric at `index` of `spec.metrics`, in the order of the answer. Empty for other metrics.
pub fn external_series(observation: &Observation, index: usize) -> &[ExternalMetricValue] {
    let metric = observation.hpa.spec.metrics.get(index);
    if !metric.is_some_and(MetricSpec::is_external) {
        return &[];
    }
    observation
        .external_metrics
        .iter()
        .find(|answer| answer.index == index)
        .and_then(|answer| answer.answer.read())
        .map_or(&[], |series| series.as_slice())
}

/// Why the controller computes with another total than that of the series. None if it does not.
pub fn replaced_total(series: &[ExternalMetricValue], read: &ReadMetric) -> Option<ReplacedTotal> {
    let Milli(total) = read.total?;
    let mut exact = 0_i128;
    let mut is_negative = false;
    for one in series {
        if EXACT <= one.value.approximate_f64().abs() {
            return Some(ReplacedTotal::TooLarge);
        }
        exact += i128::from(one.value.milli_value(Overflow::Saturate));
        is_negative |= exact < 0;
    }
    if series.is_empty() || exact == i128::from(total) {
        return None;
    }
    Some(if is_negative {
        ReplacedTotal::Negative
    } else {
        ReplacedTotal::TooLarge
    })
}

/// What the External metric at `index` alone would recommend if the API had returned only the series at `series`. None if
/// it could not be computed.
pub fn proposal_of_series(
    observation: &Observation,
    trace: &Trace,
    index: usize,
    series: usize,
) -> Option<i32> {
    let only = external_series(observation, index).get(series)?.clone();
    let mut world = observation.clone();
    let answer = world
        .external_metrics
        .iter_mut()
        .find(|answer| answer.index == index)?;
    answer.answer = Reading::Read(vec![only].into());
    let after = engine::decide(&world, &mut Memory::default(), trace.at);
    proposal(evaluation(&after, index)?)
}

/// From here on, thousandths do not fit into 64 bits.
const EXACT: f64 = 9.2e15;
